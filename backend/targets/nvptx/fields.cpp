// Signed bit-fields
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// (x << 28) >> 31 is a mask of one bit, which occurs in sums of bits. LLVM
// makes one instruction of it: bfe.s32. GPUs since Volta do not have this
// instruction, and ptxas replaces it by a shift and a sign extension, both for
// the unit of logic operations. If PTX has two shifts instead, ptxas uses a
// multiplication and a shift, for two different units. LLVM's instruction
// selection finds the bit-field in any form of IR, so this changes the PTX
// text.

#include "ptx.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace xcc::nvptx {

/// Two shifts that replace a bfe.s32 with constant position and length. Empty
/// if the line is not one.
static std::string shiftsFor(StringRef line) {
  StringRef rest = line.ltrim();
  if (!rest.consume_front("bfe.s32") || !rest.consume_back(";"))
    return "";
  SmallVector<StringRef, 4> operands;
  rest.split(operands, ',');
  if (operands.size() != 4)
    return "";
  unsigned from = 0, length = 0;
  if (operands[2].trim().getAsInteger(10, from) ||
      operands[3].trim().getAsInteger(10, length) || !from || !length ||
      from + length > 32)
    return "";
  StringRef to = operands[0].trim();
  return formatv("\tshl.b32 \t{0}, {1}, {2};\n\tshr.s32 \t{0}, {0}, {3};", to,
                 operands[1].trim(), 32 - from - length, 32 - length)
      .str();
}

void shiftForFields(SmallVectorImpl<char> &text) {
  StringRef all(text.data(), text.size());
  if (!all.contains("bfe.s32"))
    return;
  SmallVector<StringRef> lines;
  all.split(lines, '\n');
  std::string changed;
  for (StringRef line : lines) {
    std::string shifts = shiftsFor(line);
    changed += shifts.empty() ? line : StringRef(shifts);
    changed += '\n';
  }
  changed.pop_back();
  text.assign(changed.begin(), changed.end());
}

} // namespace xcc::nvptx
