// Bitcode in as few bytes as it takes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PackedBitcode.h"
#include "PackedPrior.h"
#include "RecordItems.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Bitcode/LLVMBitCodes.h"
#include "llvm/Bitstream/BitstreamReader.h"
#include "llvm/Bitstream/BitstreamWriter.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;
using namespace llvm::support;

namespace xcc {
namespace {

/// A module's.
constexpr uint64_t MostBytes = uint64_t(1) << 32;
constexpr StringLiteral Magic = "BC\xc0\xde";
/// Deeper than LLVM nests blocks.
constexpr unsigned DeepestBlock = 8;

constexpr uint64_t PriorSize = uint64_t(1) << 16; ///< about, of its bitcode

/// What stands in a module's header if it was packed with nothing seen: changes
/// with what the bytes mean. With the prior, it is the prior's name.
constexpr uint32_t NoPrior = 2;

/// Tells objects of an xcc with another one: the prior is packed as all else is.
uint32_t priorsName() { return endian::read32le(learntPrior().data()); }

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
  Packer(RecordItems &items, const UsedNames &used)
      : items(items), used(used) {}

  void enter(unsigned id, unsigned outer) {
    items.head(outer, BeginOfBlock);
    items.block(id);
    items.enter(id);
  }
  void leave(unsigned id) {
    items.head(id, EndOfBlock);
    items.leave(id);
  }
  void record(unsigned block, unsigned code,
              SmallVectorImpl<uint64_t> &operands, StringRef blob) {
    if (used.without(block, operands))
      return;
    bool hasBlob = blob.data();
    items.head(block, FirstRecord + 2 * uint64_t(code) + hasBlob);
    items.record(block, code, operands, [](uint64_t) { return true; });
    if (!hasBlob)
      return;
    items.blobSize(blob.size());
    for (char byte : blob)
      items.blobByte(uint8_t(byte));
  }

private:
  RecordItems &items;
  const UsedNames &used;
};

class Unpacker {
public:
  Unpacker(BitCoder &coder, RecordItems &items, uint64_t size)
      : coder(coder), items(items), limit(4 * size + 4096) {}

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
  BitCoder &coder;
  RecordItems &items;
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
    items.enter(unsigned(id));
    bool good = contents(unsigned(id), depth);
    items.leave(unsigned(id));
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
      // Each operand has six bits at least.
      operands.clear();
      if (!items.record(block, unsigned(code), operands,
                        [this](uint64_t count) { return fits(count / 2); }))
        return false;
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

RecordItems itemsOf(BitCoder &coder, uint64_t size, Seen seen) {
  return seen == Seen::Prior
             ? RecordItems(coder, size, learntPrior().drop_front(4))
             : RecordItems(coder, size);
}

Error pack(StringRef bitcode, BitCoder &coder, RecordItems &items) {
  UsedNames used;
  if (Error error = Walk(bitcode, used).run())
    return error;
  Packer packer(items, used);
  if (Error error = Walk(bitcode, packer).run())
    return error;
  items.head(0, EndOfBlock);
  items.finish();
  coder.finish();
  return Error::success();
}

} // namespace

Expected<SmallString<0>> packRecords(StringRef bitcode, Seen seen) {
  if (bitcode.size() >= MostBytes)
    return createStringError("it is too large");
  SmallString<0> out;
  char header[8];
  endian::write32le(header, uint32_t(bitcode.size()));
  endian::write32le(header + 4, seen == Seen::Prior ? priorsName() : NoPrior);
  out.append(StringRef(header, sizeof(header)));
  BitCoder coder(out);
  RecordItems items = itemsOf(coder, bitcode.size(), seen);
  if (Error error = pack(bitcode, coder, items))
    return std::move(error);
  return std::move(out);
}

Expected<SmallString<0>> packPrior(ArrayRef<StringRef> modules) {
  SmallString<0> all(Magic), out;
  for (StringRef bitcode : modules)
    all += bitcode.drop_front(std::min(Magic.size(), bitcode.size()));
  BitCoder coder(out);
  RecordItems items(coder, PriorSize);
  if (Error error = pack(all, coder, items))
    return std::move(error);
  return std::move(out);
}

Expected<SmallString<0>> learnPrior(StringRef packed) {
  SmallString<0> out;
  char name[4];
  endian::write32le(name, uint32_t(xxh3_64bits(packed)));
  out.append(StringRef(name, sizeof(name)));
  BitCoder coder(packed);
  RecordItems items(coder, PriorSize);
  if (!packed.empty())
    if (auto read = Unpacker(coder, items, PriorSize).run(); !read)
      return read.takeError();
  items.writeLearnt(out);
  return std::move(out);
}

Expected<SmallVector<char, 0>> unpackRecords(StringRef packed) {
  if (packed.size() < 8)
    return createStringError("it is too short");
  uint32_t size = endian::read32le(packed.data());
  uint32_t prior = endian::read32le(packed.data() + 4);
  if (prior != NoPrior && prior != priorsName())
    return createStringError("it was packed by another version of xcc");
  BitCoder coder(packed.drop_front(8));
  RecordItems items =
      itemsOf(coder, size, prior == NoPrior ? Seen::Nothing : Seen::Prior);
  return Unpacker(coder, items, size).run();
}

} // namespace xcc
