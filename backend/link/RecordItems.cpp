// What a packed module's items are, number by number
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RecordItems.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Bitcode/LLVMBitCodes.h"
#include <algorithm>

using namespace llvm;

namespace xcc {
namespace {

using Named = RecordShape::Named;

/// Sets of weights.
enum : uint64_t { HeadSet = 1, BlockSet, CountSet, TextSet, OtherSet };

/// Where a call has what it calls, behind the flags that some have.
size_t calleeOf(ArrayRef<uint64_t> list) {
  return list.size() > 1 && list[1] >> bitc::CALL_FMF & 1 ? 4 : 3;
}

bool isCall(unsigned block, unsigned code) {
  return block == bitc::FUNCTION_BLOCK_ID && code == bitc::FUNC_CODE_INST_CALL;
}

/// Begins with where its name is.
bool isSymbol(unsigned block, unsigned code) {
  return block == bitc::MODULE_BLOCK_ID &&
         (code == bitc::MODULE_CODE_GLOBALVAR ||
          code == bitc::MODULE_CODE_FUNCTION ||
          code == bitc::MODULE_CODE_ALIAS || code == bitc::MODULE_CODE_IFUNC ||
          code == bitc::MODULE_CODE_COMDAT);
}

bool isText(unsigned block, unsigned code) {
  switch (block) {
  case bitc::CONSTANTS_BLOCK_ID:
    return code == bitc::CST_CODE_STRING || code == bitc::CST_CODE_CSTRING;
  case bitc::TYPE_BLOCK_ID_NEW:
    return code == bitc::TYPE_CODE_STRUCT_NAME;
  case bitc::MODULE_BLOCK_ID:
    return code == bitc::MODULE_CODE_TRIPLE ||
           code == bitc::MODULE_CODE_DATALAYOUT ||
           code == bitc::MODULE_CODE_ASM ||
           code == bitc::MODULE_CODE_SOURCE_FILENAME;
  case bitc::METADATA_KIND_BLOCK_ID:
  case bitc::OPERAND_BUNDLE_TAGS_BLOCK_ID:
  case bitc::SYNC_SCOPE_NAMES_BLOCK_ID:
  case bitc::IDENTIFICATION_BLOCK_ID:
    return true;
  }
  return false;
}

/// Small numbers for small differences, of both signs.
uint64_t folded(uint64_t difference) {
  return difference << 1 ^ (0 - (difference >> 63));
}
uint64_t unfolded(uint64_t number) { return number >> 1 ^ (0 - (number & 1)); }

} // namespace

void RecordItems::enter(unsigned block) {
  shape.enter(block);
  attached = 0;
  if (block == bitc::MODULE_BLOCK_ID)
    nameEnd = 0;
}

uint64_t RecordItems::head(unsigned block, uint64_t value) {
  uint64_t in = hashOf(9, block), latest = 0;
  if (block == bitc::FUNCTION_BLOCK_ID) {
    const RecordShape::Value &last = shape.latest();
    latest = hashOf(last.type, last.used ? 1 : 2, shape.latest(1).used ? 1 : 2);
  }
  value = model.code(
      value,
      {hashOf(in, before[0]), hashOf(in, before[0], before[1], 1),
       hashOf(in, before[0], before[1], before[2]),
       hashOf(in, before[0], latest, 5),
       hashOf(in, hashOf(before[0], before[1], before[2]), before[3], 6),
       hashOf(in, shape.latest().origin, before[0], 7)},
      hashOf(HeadSet, block, before[0]));
  before = {value, before[0], before[1], before[2]};
  return value;
}

uint64_t RecordItems::block(uint64_t id) {
  return model.code(id, {1, 2, 3, 4, 5, 6}, BlockSet);
}

bool RecordItems::record(unsigned block, unsigned code,
                         SmallVectorImpl<uint64_t> &list,
                         function_ref<bool(uint64_t)> fits) {
  kind = hashOf(block, before[0]);
  callee = 0;
  uint64_t called = 0;
  if (isCall(block, code)) {
    if (!reading)
      called = calleeOf(list) < list.size() ? list[calleeOf(list)] : 0;
    called = value(called, hashOf(kind, 1000), hashOf(kind, 1002), lastCallee,
                   olderCallee, false);
    Named name = shape.named(called, false);
    callee = hashOf(name.kind == Named::Outside,
                    name.kind == Named::Outside ? name.number : 0);
    olderCallee = hashOf(lastCallee, callee);
    lastCallee = callee;
  }
  auto &last = lastOf[kind];
  uint64_t count = model.code(
      list.size(),
      {hashOf(kind, callee), hashOf(kind, last.size(), 1),
       hashOf(kind, before[1], 2), hashOf(kind, before[1], before[2], 3),
       hashOf(kind, shape.recent(1), shape.currentType(), 4),
       hashOf(kind, callee, last.size(), 5)},
      hashOf(CountSet, kind));
  if (reading) {
    if (!fits(count))
      return false;
    list.assign(count, 0);
  }
  if (block == bitc::FUNCTION_BLOCK_ID)
    instruction(code, list, called, last);
  else if (block == bitc::METADATA_ATTACHMENT_ID && count % 2)
    attachment(list);
  else
    plain(block, code, list, last);
  last.assign(list.begin(), list.begin() + std::min<size_t>(count, 32));
  shape.add(block, code, list);
  return true;
}

uint64_t RecordItems::blobSize(uint64_t size) {
  return model.code(size, {5, 6, 7, 8, 9, 10}, BlockSet);
}
uint8_t RecordItems::blobByte(uint8_t byte) { return uint8_t(letter(byte, 0)); }

uint64_t RecordItems::letter(uint64_t value, uint64_t in) {
  value =
      model.byte(uint8_t(value),
                 {hashOf(in, text & 0xff), hashOf(in, text & 0xffff, 1),
                  hashOf(text & 0xffffff, 2), hashOf(text & 0xffffffff, 3),
                  hashOf(text & 0xffffffffff, 4), hashOf(word, text & 0xff, 5)},
                 hashOf(TextSet, in));
  text = text << 8 | (value & 255);
  bool inWord = value >= 'a' && value <= 'z';
  inWord |= value >= 'A' && value <= 'Z';
  word = inWord ? hashOf(word, value) : 0;
  return value;
}

uint64_t RecordItems::value(uint64_t operand, uint64_t at, uint64_t loose,
                            uint64_t left, uint64_t above, bool isSigned) {
  Named what = shape.named(operand, isSigned);
  const RecordShape::Value &last = shape.latest(), &other = shape.latest(1);
  uint64_t unused =
      hashOf(last.used < 2 ? last.used : 2, other.used < 2 ? other.used : 2,
             shape.latest(2).used ? 1 : 0);
  std::array<uint64_t, RecordModel::Contexts> contexts = {
      hashOf(at, unused),
      hashOf(at, left, 1),
      hashOf(at, above, 2),
      hashOf(loose, hashOf(unused, last.origin, other.type), shape.recent(2),
             3),
      hashOf(at, left, above, 4),
      hashOf(loose, hashOf(shape.recent(1), unused), last.type, 5)};
  what.kind = Named::Kind(std::min<uint64_t>(
      model.code(what.kind, contexts, hashOf(OtherSet, at)), Named::Odd));
  for (uint64_t &context : contexts)
    context = hashOf(context, what.kind, 77);
  what.number =
      model.code(what.number, contexts, hashOf(OtherSet, at, what.kind, 1));
  return shape.operandOf(what, isSigned);
}
uint64_t RecordItems::nameOf(uint64_t operand, bool isSigned) const {
  Named what = shape.named(operand, isSigned);
  return hashOf(what.kind, what.number);
}

void RecordItems::instruction(unsigned code, MutableArrayRef<uint64_t> list,
                              uint64_t called, ArrayRef<uint64_t> last) {
  Operands operands(shape, code);
  uint64_t left = callee, further = 0, origin = 0, type = 0;
  const bool call = code == bitc::FUNC_CODE_INST_CALL && list.size() > 3;
  if (call) // what is called says how
    list[1] = number(list[1], hashOf(kind, 1001), callee, 0, 0);
  for (size_t i = 0; i != list.size(); ++i) {
    Role role = operands.role();
    uint64_t at = hashOf(kind, std::min<size_t>(i, 12) + (i > 12 ? i % 2 : 0),
                         uint64_t(role));
    uint64_t above = i < last.size() ? last[i] : ~uint64_t(0);
    if (call && (i == 1 || i == calleeOf(list))) {
      if (i != 1)
        list[i] = called;
      operands.next(list[i]);
      continue;
    }
    uint64_t seen = 0;
    switch (role) {
    case Role::Value:
    case Role::PlainValue:
    case Role::SignedValue: {
      bool isSigned = role == Role::SignedValue;
      uint64_t loose = hashOf(at, 3);
      if (call) {
        size_t function = calleeOf(list);
        loose = hashOf(kind, shape.parameter(list[function - 1], i - function));
      }
      list[i] = value(list[i], hashOf(at, callee, isSigned ? type : 0), loose,
                      hashOf(left, origin), above, isSigned);
      seen = nameOf(list[i], isSigned);
      if (!isSigned) {
        origin = shape.value(list[i]).origin;
        type = shape.value(list[i]).type;
      }
      break;
    }
    case Role::Block: {
      // By how far it is from this one.
      uint64_t distance = list[i] - shape.block();
      uint64_t furthest = shape.furthestBlock() - shape.block();
      distance = number(folded(distance), at, furthest, left,
                        hashOf(above - shape.block(), further));
      list[i] = seen = unfolded(distance) + shape.block();
      break;
    }
    case Role::Type:
      list[i] =
          number(list[i], hashOf(at, callee), hashOf(origin, 1), left, above);
      type = seen = list[i];
      break;
    case Role::Number:
      list[i] = number(list[i], hashOf(at, callee), type, hashOf(left, origin),
                       above);
      seen = list[i];
    }
    operands.next(list[i]);
    further = left;
    left = hashOf(seen, 3);
  }
}

uint64_t RecordItems::number(uint64_t value, uint64_t at, uint64_t a,
                             uint64_t b, uint64_t c) {
  return model.code(value,
                    {at, hashOf(at, a, 1), hashOf(at, a, b, 2),
                     hashOf(at, c, 3), hashOf(at, b, 4),
                     hashOf(at, shape.recent(2), a, 5)},
                    at);
}

/// An instruction's, whose number comes first, behind that of the last one.
void RecordItems::attachment(MutableArrayRef<uint64_t> list) {
  uint64_t count = shape.instructionCount();
  bool behind = list[0] >= attached && list[0] < count;
  behind = model.code(behind, {1, 2, 3, 4, 5, 6}, hashOf(OtherSet, 7));
  if (behind) {
    for (;; ++attached) {
      if (attached + 1 >= count)
        break;
      uint64_t made = shape.instruction(attached);
      if (model.code(list[0] == attached,
                     {hashOf(kind, made), hashOf(kind, made, lastNode, 1),
                      hashOf(kind, made & 63, 2), hashOf(kind, 3), kind, kind},
                     hashOf(OtherSet, 8)))
        break;
    }
    list[0] = attached++;
  } else {
    list[0] = number(list[0], hashOf(kind, 9), 0, 0, 0);
  }
  uint64_t made = shape.instruction(list[0]), left = 0;
  for (size_t i = 1; i < list.size(); ++i) {
    uint64_t at = hashOf(kind, 10 + i % 2, i % 2 ? 0 : left);
    list[i] = model.code(list[i],
                         {hashOf(at, made), hashOf(at, made, lastNode, 1),
                          hashOf(at, lastNode, 2), at,
                          hashOf(at, lastNode, olderNode, 3),
                          hashOf(at, made, lastMade, 4)},
                         at);
    if (i % 2 == 0) {
      olderNode = lastNode;
      lastNode = list[i];
    }
    left = list[i];
  }
  lastMade = made;
}
void RecordItems::plain(unsigned block, unsigned code,
                        MutableArrayRef<uint64_t> list,
                        ArrayRef<uint64_t> last) {
  bool text = isText(block, code);
  if (text) {
    bool wide = llvm::any_of(list, [](uint64_t value) { return value > 255; });
    text = !model.code(wide, {11, 12, 13, 14, 15, 16}, hashOf(OtherSet, 9));
  }
  bool named = isSymbol(block, code) && list.size() > 2;
  uint64_t left = 0, further = 0;
  uint64_t in = block == bitc::CONSTANTS_BLOCK_ID ? shape.currentType() : 0;
  for (size_t i = 0; i != list.size(); ++i) {
    if (text) {
      list[i] = letter(list[i], kind);
      continue;
    }
    // Long lists are of one thing, or of a few that take turns.
    uint64_t at = hashOf(kind, i < 24 ? i : 24 + i % 2, in);
    uint64_t above = i < last.size() ? last[i] : ~uint64_t(0);
    uint64_t skew = named && i == 0 ? nameEnd : 0;
    list[i] =
        model.code(list[i] - skew,
                   {at, hashOf(at, left, list.size()),
                    hashOf(at, above, before[1]), hashOf(at, left, further, 3),
                    hashOf(at, above, left, 4),
                    hashOf(kind, in, hashOf(left, further), 5)},
                   at) +
        skew;
    further = left;
    left = list[i];
  }
  if (named)
    nameEnd = list[0] + list[1];
}

} // namespace xcc
