// What a packed module's items are, number by number
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which contexts tell most of which number. Writer and reader ask for the same
// numbers in the same order; what a writer hands in, a reader gets.

#ifndef XCC_BACKEND_LINK_RECORDITEMS_H
#define XCC_BACKEND_LINK_RECORDITEMS_H

#include "RecordModel.h"
#include "RecordShape.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace xcc {

/// What an item begins with.
enum Head : uint64_t { EndOfBlock, BeginOfBlock, FirstRecord };

class RecordItems {
public:
  /// That have seen nothing, with memory for `size` bytes of bitcode.
  RecordItems(BitCoder &coder, uint64_t size)
      : reading(coder.reading()), model(coder, size / 4) {}
  /// That know what others have learnt of other modules.
  RecordItems(BitCoder &coder, uint64_t size, llvm::StringRef learnt)
      : reading(coder.reading()), model(coder, size / 4, learnt) {}

  void enter(unsigned block);
  void leave(unsigned block) { shape.leave(block); }
  uint64_t head(unsigned block, uint64_t value = 0);
  uint64_t block(uint64_t id = 0);
  /// A record whose head was the last one: the number of operands and these.
  /// False where there are more than `fits` says.
  bool record(unsigned block, unsigned code,
              llvm::SmallVectorImpl<uint64_t> &list,
              llvm::function_ref<bool(uint64_t)> fits);
  uint64_t blobSize(uint64_t size = 0);
  uint8_t blobByte(uint8_t byte = 0);
  /// Behind the last one, before the coder's end.
  void finish() { model.finish(); }
  void writeLearnt(llvm::SmallVectorImpl<char> &out) const {
    model.writeLearnt(out);
  }

private:
  const bool reading;
  RecordModel model;
  RecordShape shape;
  /// The last record's operands, by heads.
  llvm::DenseMap<uint64_t, llvm::SmallVector<uint64_t, 8>> lastOf;
  std::array<uint64_t, 4> before{}; ///< the last heads
  uint64_t kind = 0;                ///< of the record
  uint64_t callee = 0, lastCallee = 0, olderCallee = 0;
  uint64_t text = 0, word = 0; ///< the last letters
  uint64_t nameEnd = 0;        ///< of the last symbol's
  uint64_t attached = 0;       ///< behind the last instruction with attachments
  uint64_t lastNode = 0, olderNode = 0, lastMade = 0; ///< of attachments

  uint64_t letter(uint64_t value, uint64_t in);
  uint64_t number(uint64_t value, uint64_t at, uint64_t a, uint64_t b,
                  uint64_t c);
  uint64_t value(uint64_t operand, uint64_t at, uint64_t loose, uint64_t left,
                 uint64_t above, bool isSigned);
  uint64_t nameOf(uint64_t operand, bool isSigned) const;
  void instruction(unsigned code, llvm::MutableArrayRef<uint64_t> list,
                   uint64_t called, llvm::ArrayRef<uint64_t> last);
  void attachment(llvm::MutableArrayRef<uint64_t> list);
  void plain(unsigned block, unsigned code,
             llvm::MutableArrayRef<uint64_t> list,
             llvm::ArrayRef<uint64_t> last);
};

} // namespace xcc

#endif // XCC_BACKEND_LINK_RECORDITEMS_H
