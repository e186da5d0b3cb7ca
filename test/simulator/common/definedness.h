// Which bits of device memory were written
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For XCC_SIM_CHECK=init. Each byte of device memory has a byte of bits, which are
// 1 where something was written. Memory of the host has none: what is there
// counts as written.

#ifndef XCC_TEST_SIMULATOR_COMMON_DEFINEDNESS_H
#define XCC_TEST_SIMULATOR_COMMON_DEFINEDNESS_H

#include "findings.h"

#include <cstdint>

namespace simulator {

/// The bits of that byte and those behind it. Null for memory of the host, and
/// where uninitialised reads are not looked for.
uint8_t *definedBits(uint64_t address);

/// The host or the driver writes there.
void define(uint64_t address, uint64_t bytes);
/// The memory is new.
void undefine(uint64_t address, uint64_t bytes);
/// The driver copies; either side may be the host's. Reports what the host gets
/// of values that a kernel stored and nobody initialised.
void copyDefinedness(uint64_t to, uint64_t from, uint64_t bytes);

/// A kernel stores an undefined value there: what is told when the host reads it,
/// if no bit is defined by then (\p whole) or not all are.
void storedUndefined(uint64_t address, unsigned bytes, bool whole,
                     Finding told);

} // namespace simulator
#endif // XCC_TEST_SIMULATOR_COMMON_DEFINEDNESS_H
