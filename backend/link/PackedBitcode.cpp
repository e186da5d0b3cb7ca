// Bitcode in as few bytes as it takes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PackedBitcode.h"
#include "RecordModel.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Bitcode/LLVMBitCodes.h"
#include "llvm/Bitstream/BitstreamReader.h"
#include "llvm/Bitstream/BitstreamWriter.h"
#include "llvm/Support/Endian.h"

using namespace llvm;
using namespace llvm::support;

namespace xcc {
namespace {

/// A module's.
constexpr uint64_t MostBytes = uint64_t(1) << 32;
constexpr StringLiteral Magic = "BC\xc0\xde";
/// Deeper than LLVM nests blocks.
constexpr unsigned DeepestBlock = 8;

/// What an item begins with.
enum Head : uint64_t { EndOfBlock, BeginOfBlock, FirstRecord };

/// Items' numbers with the contexts that tell most of them. Writer and reader
/// ask for the same numbers in the same order.
class Items {
public:
  Items(BitCoder &coder, uint64_t size) : model(coder, size / 4) {}

  uint64_t head(unsigned block, uint64_t value = 0) {
    uint64_t in = block;
    value = model.code(value,
                       {in, hash(in, before[0]), hash(in, before[0], before[1]),
                        hash(in, before[0], before[1], before[2])},
                       HeadSet + (before[0] & 63));
    before = {value, before[0], before[1]};
    return value;
  }

  uint64_t block(uint64_t id = 0) {
    return model.code(id, {1, 2, 3, 4}, BlockSet);
  }

  /// Operands of the record whose head was the last one.
  uint64_t count(unsigned block, uint64_t value) {
    uint64_t kind = kindIn(block);
    return model.code(value,
                      {kind, hash(kind, lastOf[kind].size()),
                       hash(kind, before[1]), hash(kind, before[1], before[2])},
                      CountSet + block);
  }

  void operands(unsigned block, MutableArrayRef<uint64_t> list) {
    uint64_t kind = kindIn(block), left = 0, further = 0;
    SmallVector<uint64_t, 8> &last = lastOf[kind];
    uint64_t length = std::min<size_t>(list.size(), 16);
    for (size_t i = 0; i != list.size(); ++i) {
      // Long lists are of one thing, or of a few that take turns.
      uint64_t at = hash(kind, i < 12 ? i : 12 + i % 2);
      uint64_t above = i < last.size() ? last[i] : ~uint64_t(0);
      list[i] =
          model.code(list[i],
                     {at, hash(at, left, length), hash(at, above, before[1]),
                      hash(at, left, further, 3)},
                     at);
      further = left;
      left = list[i];
    }
    last.assign(list.begin(), list.end());
  }

  uint64_t blobSize(uint64_t size = 0) {
    return model.code(size, {5, 6, 7, 8}, BlockSet);
  }
  uint8_t blobByte(uint8_t byte = 0) {
    byte = uint8_t(
        model.code(byte,
                   {text & 0xff, hash(text & 0xffff, 1),
                    hash(text & 0xffffff, 2), hash(text & 0xffffffff, 3)},
                   TextSet + (text & 0xff)));
    text = text << 8 | byte;
    return byte;
  }

private:
  /// Sets of weights.
  enum : uint64_t {
    HeadSet = 1,
    BlockSet = 100,
    CountSet = 200,
    TextSet = 300
  };

  RecordModel model;
  std::array<uint64_t, 3> before{}; ///< the last heads
  DenseMap<uint64_t, SmallVector<uint64_t, 8>> lastOf;
  uint64_t text = 0;

  uint64_t kindIn(unsigned block) const {
    return uint64_t(block) << 32 | before[0];
  }
  static uint64_t hash(uint64_t a, uint64_t b, uint64_t c = 0, uint64_t d = 0) {
    constexpr uint64_t factor = 0x9e3779b97f4a7c15;
    for (uint64_t next : {b, c, d})
      a = (a ^ next ^ a >> 29) * factor;
    return a ^ a >> 32;
  }
};

/// Where things are in the file, and what follows from it: readers do without.
bool isIndex(unsigned block) { return block == bitc::SYMTAB_BLOCK_ID; }
bool isIndex(unsigned block, unsigned code) {
  if (block == bitc::MODULE_BLOCK_ID)
    return code == bitc::MODULE_CODE_VSTOFFSET;
  if (block == bitc::METADATA_BLOCK_ID)
    return code == bitc::METADATA_INDEX_OFFSET || code == bitc::METADATA_INDEX;
  return block == bitc::VALUE_SYMTAB_BLOCK_ID && code == bitc::VST_CODE_FNENTRY;
}

/// All of a module's records, in order, to a visitor.
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
      if (Error error = block(entry->ID, 0))
        return error;
    }
    return Error::success();
  }

private:
  BitstreamCursor cursor;
  BitstreamBlockInfo info;
  Visitor &visitor;
  SmallVector<uint64_t, 64> operands;

  Error block(unsigned id, unsigned outer) {
    if (id == bitc::BLOCKINFO_BLOCK_ID) {
      auto read = cursor.ReadBlockInfoBlock();
      if (!read)
        return read.takeError();
      if (*read)
        info = std::move(**read);
      cursor.setBlockInfo(&info);
      return Error::success();
    }
    if (isIndex(id))
      return cursor.SkipBlock();
    if (Error error = cursor.EnterSubBlock(id))
      return error;
    visitor.enter(id, outer);
    for (;;) {
      Expected<BitstreamEntry> entry = cursor.advance();
      if (!entry)
        return entry.takeError();
      switch (entry->Kind) {
      case BitstreamEntry::Error:
        return createStringError("bitcode that ends in the middle");
      case BitstreamEntry::EndBlock:
        visitor.leave(id);
        return Error::success();
      case BitstreamEntry::SubBlock:
        if (Error error = block(entry->ID, id))
          return error;
        break;
      case BitstreamEntry::Record: {
        operands.clear();
        StringRef blob;
        Expected<unsigned> code = cursor.readRecord(entry->ID, operands, &blob);
        if (!code)
          return code.takeError();
        if (!isIndex(id, *code))
          visitor.record(id, *code, operands, blob);
        break;
      }
      }
    }
  }
};

/// Names that LLVM writes into every module, most of which it has no use for.
struct UsedNames {
  DenseSet<uint64_t> kinds; ///< of metadata
  bool bundles = false;

  void enter(unsigned, unsigned) {}
  void leave(unsigned) {}
  void record(unsigned block, unsigned code, ArrayRef<uint64_t> operands,
              StringRef) {
    // Pairs of a kind and a node, perhaps behind what has them.
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

class Packer {
public:
  Packer(uint64_t size, const UsedNames &used)
      : items(coder, size), used(used) {
    char bytes[8];
    endian::write64le(bytes, size);
    out.append(StringRef(bytes, sizeof(bytes)));
  }

  void enter(unsigned id, unsigned outer) {
    items.head(outer, BeginOfBlock);
    items.block(id);
  }
  void leave(unsigned id) { items.head(id, EndOfBlock); }
  void record(unsigned block, unsigned code, MutableArrayRef<uint64_t> operands,
              StringRef blob) {
    if (used.without(block, operands))
      return;
    bool hasBlob = blob.data();
    items.head(block, FirstRecord + 2 * uint64_t(code) + hasBlob);
    items.count(block, operands.size());
    items.operands(block, operands);
    if (!hasBlob)
      return;
    items.blobSize(blob.size());
    for (char byte : blob)
      items.blobByte(uint8_t(byte));
  }
  SmallString<0> finish() {
    items.head(0, EndOfBlock);
    coder.finish();
    return std::move(out);
  }

private:
  SmallString<0> out;
  BitCoder coder{out};
  Items items;
  const UsedNames &used;
};

class Unpacker {
public:
  Unpacker(StringRef packed, uint64_t size)
      : coder(packed), items(coder, size), limit(4 * size + 4096) {}

  Expected<SmallVector<char, 0>> run() {
    for (char c : Magic)
      writer.Emit(uint8_t(c), 8);
    for (;;) {
      uint64_t head = items.head(0);
      if (head == EndOfBlock && !coder.overrun()) {
        writer.FlushToWord();
        return std::move(out);
      }
      if (head != BeginOfBlock || !block(0, 0))
        return createStringError("its bitcode is damaged");
    }
  }

private:
  BitCoder coder;
  Items items;
  SmallVector<char, 0> out;
  BitstreamWriter writer{out};
  SmallVector<uint64_t, 64> operands;
  /// Without abbreviations letters have twelve bits, or six.
  const uint64_t limit;

  /// Of what has been read so far, with `bytes` more.
  bool fits(uint64_t bytes) const {
    return !coder.overrun() && bytes <= limit && out.size() <= limit - bytes;
  }

  /// False where something is wrong. Blocks are closed all the same, as the
  /// writer insists on it.
  bool block(unsigned depth, unsigned outer) {
    uint64_t id = items.block();
    if (id > UINT16_MAX || depth == DeepestBlock)
      return false;
    writer.EnterSubblock(unsigned(id), 4);
    bool good = contents(unsigned(id), depth);
    writer.ExitBlock();
    return good;
  }

  bool contents(unsigned block, unsigned depth) {
    // By code and number of operands.
    DenseMap<std::pair<unsigned, unsigned>, unsigned> abbreviations;
    while (fits(0)) {
      uint64_t head = items.head(block);
      if (head == EndOfBlock)
        return true;
      if (head == BeginOfBlock) {
        if (!this->block(depth + 1, block))
          return false;
        continue;
      }
      uint64_t code = (head - FirstRecord) / 2;
      if (code > UINT16_MAX)
        return false;
      // Each has six bits at least.
      uint64_t count = items.count(block, 0);
      if (!fits(count / 2))
        return false;
      operands.assign(count, 0);
      items.operands(block, operands);
      if (head % 2 == FirstRecord % 2)
        writer.EmitRecord(unsigned(code), operands);
      else if (!blob(unsigned(code), abbreviations))
        return false;
    }
    return false;
  }

  bool blob(unsigned code,
            DenseMap<std::pair<unsigned, unsigned>, unsigned> &abbreviations) {
    uint64_t size = items.blobSize();
    if (!fits(size))
      return false;
    SmallString<0> bytes;
    while (size--)
      bytes.push_back(char(items.blobByte()));
    unsigned &abbreviation = abbreviations[{code, operands.size()}];
    if (!abbreviation) {
      // An abbreviation's number has the width of the block's.
      if (abbreviations.size() > 8)
        return false;
      auto shape = std::make_shared<BitCodeAbbrev>();
      shape->Add(BitCodeAbbrevOp(code));
      for (size_t i = 0; i != operands.size(); ++i)
        shape->Add(BitCodeAbbrevOp(BitCodeAbbrevOp::VBR, 6));
      shape->Add(BitCodeAbbrevOp(BitCodeAbbrevOp::Blob));
      abbreviation = writer.EmitAbbrev(std::move(shape));
    }
    operands.insert(operands.begin(), code);
    writer.EmitRecordWithBlob(abbreviation, operands, bytes);
    return true;
  }
};

} // namespace

Expected<SmallString<0>> packRecords(StringRef bitcode) {
  UsedNames used;
  if (Error error = Walk(bitcode, used).run())
    return std::move(error);
  Packer packer(bitcode.size(), used);
  if (Error error = Walk(bitcode, packer).run())
    return std::move(error);
  return packer.finish();
}

Expected<SmallVector<char, 0>> unpackRecords(StringRef packed) {
  uint64_t size =
      packed.size() < 8 ? MostBytes : endian::read64le(packed.data());
  if (size >= MostBytes)
    return createStringError("it is packed in an unknown way");
  return Unpacker(packed.drop_front(8), size).run();
}

} // namespace xcc
