// A byte format for bitcode records
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RecordBytes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Bitcode/LLVMBitCodes.h"
#include "llvm/Bitstream/BitstreamReader.h"
#include "llvm/Bitstream/BitstreamWriter.h"
#include "llvm/Support/LEB128.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace xcc {
namespace {

constexpr StringLiteral Magic = "BC\xc0\xde";
/// LLVM nests blocks less deeply.
constexpr unsigned DeepestBlock = 8;
/// The first number of an item.
enum Head : uint64_t { EndOfBlock, BeginOfBlock, RecordWithBlob, FirstRecord };

/// Whether a block or record holds offsets in the file, or follows from other
/// records: readers do not need it.
bool isIndex(unsigned block) { return block == bitc::SYMTAB_BLOCK_ID; }
bool isIndex(unsigned block, unsigned code) {
  if (block == bitc::MODULE_BLOCK_ID)
    return code == bitc::MODULE_CODE_VSTOFFSET;
  if (block == bitc::METADATA_BLOCK_ID)
    return code == bitc::METADATA_INDEX_OFFSET || code == bitc::METADATA_INDEX;
  return block == bitc::VALUE_SYMTAB_BLOCK_ID && code == bitc::VST_CODE_FNENTRY;
}

/// Makes some operands small by storing the difference to the record before:
/// the start of a symbol's name in the string table, which is the end of the
/// previous name, and the number of an instruction with metadata.
class Differences {
public:
  void enterBlock() { instruction = 0; }
  void take(unsigned block, unsigned code, MutableArrayRef<uint64_t> operands) {
    change(block, code, operands, /*restore=*/false);
  }
  void restore(unsigned block, unsigned code,
               MutableArrayRef<uint64_t> operands) {
    change(block, code, operands, /*restore=*/true);
  }

private:
  uint64_t endOfName = 0, instruction = 0;

  static bool hasName(unsigned block, unsigned code) {
    return block == bitc::MODULE_BLOCK_ID &&
           (code == bitc::MODULE_CODE_GLOBALVAR ||
            code == bitc::MODULE_CODE_FUNCTION ||
            code == bitc::MODULE_CODE_ALIAS || code == bitc::MODULE_CODE_IFUNC);
  }

  void change(unsigned block, unsigned code, MutableArrayRef<uint64_t> operands,
              bool restore) {
    bool name = hasName(block, code) && operands.size() > 1;
    // A function's own attachments have no instruction number.
    if (!name &&
        (block != bitc::METADATA_ATTACHMENT_ID || operands.size() % 2 == 0))
      return;
    uint64_t &before = name ? endOfName : instruction;
    uint64_t value = restore ? operands[0] + before : operands[0];
    operands[0] = restore ? value : value - before;
    before = name ? value + operands[1] : value;
  }
};

/// Passes all records of a module to a visitor, in order.
template <class Visitor> class Walk {
public:
  Walk(StringRef bitcode, Visitor &visitor)
      : cursor(bitcode), visitor(visitor) {}

  Error run() {
    if (auto word = cursor.Read(32); !word)
      return word.takeError();
    while (!cursor.AtEndOfStream()) {
      Expected<BitstreamEntry> entry = cursor.advance();
      if (!entry)
        return entry.takeError();
      if (entry->Kind != BitstreamEntry::SubBlock)
        return createStringError("bitcode has something beside its blocks");
      if (Error error = block(entry->ID))
        return error;
    }
    return Error::success();
  }

private:
  BitstreamCursor cursor;
  BitstreamBlockInfo info;
  Visitor &visitor;
  SmallVector<uint64_t, 64> operands;

  Error block(unsigned id) {
    if (id == bitc::BLOCKINFO_BLOCK_ID)
      return abbreviations();
    if (isIndex(id))
      return cursor.SkipBlock();
    if (Error error = cursor.EnterSubBlock(id))
      return error;
    visitor.enter(id);
    for (;;) {
      Expected<BitstreamEntry> entry = cursor.advance();
      if (!entry)
        return entry.takeError();
      if (entry->Kind == BitstreamEntry::Error)
        return createStringError("bitcode that ends in the middle");
      if (entry->Kind == BitstreamEntry::EndBlock) {
        visitor.leave();
        return Error::success();
      }
      if (Error error = entry->Kind == BitstreamEntry::SubBlock
                            ? block(entry->ID)
                            : record(id, entry->ID))
        return error;
    }
  }

  Error abbreviations() {
    auto read = cursor.ReadBlockInfoBlock();
    if (!read)
      return read.takeError();
    if (*read)
      info = std::move(**read);
    cursor.setBlockInfo(&info);
    return Error::success();
  }

  Error record(unsigned block, unsigned abbreviation) {
    operands.clear();
    StringRef blob;
    Expected<unsigned> code = cursor.readRecord(abbreviation, operands, &blob);
    if (!code)
      return code.takeError();
    if (!isIndex(block, *code))
      visitor.record(block, *code, operands, blob);
    return Error::success();
  }
};

/// Finds which of the names that LLVM writes into every module are used. Most
/// are not.
struct UsedNames {
  DenseSet<uint64_t> kinds; ///< of metadata
  bool bundles = false;

  void enter(unsigned) {}
  void leave() {}
  void record(unsigned block, unsigned code, ArrayRef<uint64_t> operands,
              StringRef) {
    // Pairs of kind and node; an odd first operand is the owner.
    if (block == bitc::METADATA_ATTACHMENT_ID ||
        (block == bitc::METADATA_BLOCK_ID &&
         code == bitc::METADATA_GLOBAL_DECL_ATTACHMENT))
      for (size_t i = operands.size() % 2; i < operands.size(); i += 2)
        kinds.insert(operands[i]);
    bundles |= block == bitc::FUNCTION_BLOCK_ID &&
               code == bitc::FUNC_CODE_OPERAND_BUNDLE;
  }
  bool without(unsigned block, ArrayRef<uint64_t> operands) const {
    if (block == bitc::METADATA_KIND_BLOCK_ID)
      return !operands.empty() && !kinds.contains(operands[0]);
    return block == bitc::OPERAND_BUNDLE_TAGS_BLOCK_ID && !bundles;
  }
};

class ByteWriter {
public:
  ByteWriter(SmallVectorImpl<char> &out, const UsedNames &used)
      : os(out), used(used) {}

  void enter(unsigned id) {
    number(BeginOfBlock);
    number(id);
    differences.enterBlock();
  }
  void leave() { number(EndOfBlock); }
  void record(unsigned block, unsigned code, MutableArrayRef<uint64_t> operands,
              StringRef blob) {
    if (used.without(block, operands))
      return;
    if (blob.data())
      number(RecordWithBlob);
    number(blob.data() ? code : FirstRecord + code);
    differences.take(block, code, operands);
    number(operands.size());
    for (uint64_t operand : operands)
      number(operand);
    if (!blob.data())
      return;
    number(blob.size());
    os << blob;
  }

private:
  raw_svector_ostream os;
  const UsedNames &used;
  Differences differences;

  void number(uint64_t value) { encodeULEB128(value, os); }
};

class ByteReader {
public:
  explicit ByteReader(StringRef bytes)
      : at(bytes.bytes_begin()), end(bytes.bytes_end()) {}

  Expected<SmallVector<char, 0>> run() {
    for (char c : Magic)
      writer.Emit(uint8_t(c), 8);
    uint64_t head;
    while ((head = number()) == BeginOfBlock && block(0))
      ;
    if (damaged || head != EndOfBlock || at != end)
      return createStringError("its bitcode is damaged");
    writer.FlushToWord();
    return std::move(out);
  }

private:
  const uint8_t *at, *end;
  bool damaged = false;
  SmallVector<char, 0> out;
  BitstreamWriter writer{out};
  Differences differences;
  SmallVector<uint64_t, 64> operands;

  uint64_t number() {
    unsigned size = 0;
    const char *error = nullptr;
    uint64_t value = decodeULEB128(at, &size, end, &error);
    damaged |= error != nullptr;
    at = damaged ? end : at + size;
    return value;
  }

  /// Reads the number of following items, each of which has at least one byte.
  uint64_t count() {
    uint64_t value = number();
    damaged |= value > uint64_t(end - at);
    return damaged ? 0 : value;
  }

  /// Checks a block id or record code of the bitcode.
  unsigned code(uint64_t value) {
    damaged |= value > UINT16_MAX;
    return unsigned(value);
  }

  /// Returns false if the input is invalid. Closes the block even then, because
  /// the writer requires it.
  bool block(unsigned depth) {
    unsigned id = code(number());
    if (damaged || id == bitc::BLOCKINFO_BLOCK_ID || depth == DeepestBlock) {
      damaged = true;
      return false;
    }
    writer.EnterSubblock(id, 4);
    differences.enterBlock();
    items(id, depth);
    writer.ExitBlock();
    return !damaged;
  }

  void items(unsigned id, unsigned depth) {
    // Abbreviations for records with a blob, by code and number of operands.
    DenseMap<std::pair<unsigned, unsigned>, unsigned> abbreviations;
    while (!damaged) {
      uint64_t head = number();
      if (damaged || head == EndOfBlock)
        return;
      if (head == BeginOfBlock)
        block(depth + 1);
      else if (head == RecordWithBlob)
        blob(record(id, number()), abbreviations);
      else if (unsigned code = record(id, head - FirstRecord); !damaged)
        writer.EmitRecord(code, operands);
    }
  }

  /// Reads the operands and returns the record's code.
  unsigned record(unsigned block, uint64_t number) {
    unsigned code = this->code(number);
    operands.clear();
    for (uint64_t left = count(); left && !damaged; --left)
      operands.push_back(this->number());
    differences.restore(block, code, operands);
    return code;
  }

  void blob(unsigned code,
            DenseMap<std::pair<unsigned, unsigned>, unsigned> &abbreviations) {
    uint64_t size = count();
    unsigned &abbreviation = abbreviations[{code, operands.size()}];
    // The number of an abbreviation must fit the block's width.
    damaged |= abbreviations.size() > 8;
    if (damaged)
      return;
    if (!abbreviation) {
      auto shape = std::make_shared<BitCodeAbbrev>();
      shape->Add(BitCodeAbbrevOp(code));
      for (size_t i = 0; i != operands.size(); ++i)
        shape->Add(BitCodeAbbrevOp(BitCodeAbbrevOp::VBR, 6));
      shape->Add(BitCodeAbbrevOp(BitCodeAbbrevOp::Blob));
      abbreviation = writer.EmitAbbrev(std::move(shape));
    }
    operands.insert(operands.begin(), code);
    writer.EmitRecordWithBlob(
        abbreviation, operands,
        StringRef(reinterpret_cast<const char *>(at), size));
    at += size;
  }
};

} // namespace

Expected<SmallString<0>> bytesOfRecords(StringRef bitcode) {
  UsedNames used;
  if (Error error = Walk(bitcode, used).run())
    return std::move(error);
  SmallString<0> out;
  ByteWriter writer(out, used);
  if (Error error = Walk(bitcode, writer).run())
    return std::move(error);
  out.push_back(EndOfBlock);
  return std::move(out);
}

Expected<SmallVector<char, 0>> recordsOfBytes(StringRef bytes) {
  return ByteReader(bytes).run();
}

} // namespace xcc
