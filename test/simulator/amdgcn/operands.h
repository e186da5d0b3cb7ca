// Operands and modifiers as they are printed
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_TEST_SIMULATOR_AMDGCN_OPERANDS_H
#define XCC_TEST_SIMULATOR_AMDGCN_OPERANDS_H

#include "instruction.h"

namespace amdgcn {

/// "v[2:3]", "-|s4|", "0x3f", "vcc", "hwreg(HW_REG_MODE, 0, 4)", ... False when
/// it is not understood.
bool parseOperand(std::string_view text, Operand &out);
/// Whether a word that follows no operand is a modifier.
bool isModifier(std::string_view word);
/// "offset:16", "row_shr:1", "clamp", ... False when it is not understood.
bool parseModifier(std::string_view word, Instruction &out);
/// What a constant's text means for an operand of the type, into its value.
bool resolveConstant(Operand &o, Type t);

} // namespace amdgcn
#endif // XCC_TEST_SIMULATOR_AMDGCN_OPERANDS_H
