// Which code this CPU can run
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The x86-64 psABI levels and the feature names of /proc/cpuinfo.

#ifndef XCC_SRC_CPU_IMAGE_TARGET_H
#define XCC_SRC_CPU_IMAGE_TARGET_H

#include <string>
#include <string_view>

namespace xcc::rt::cpu {

/// The highest psABI level of this CPU, 1 to 4.
int cpuLevel();
/// "x86-64-v3" for 3.
const char *levelName(int level);
/// 3 for "x86-64-v3"; 0 for anything else.
int levelOf(std::string_view arch);
/// The first of a comma-separated list of features that the CPU lacks, empty
/// when it has them all.
std::string_view missingFeature(std::string_view list);
/// The model name in /proc/cpuinfo; never null.
const char *cpuName();
/// The CPU's highest clock in kHz; its clock now where Linux does not tell that.
uint64_t cpuClock();
/// A hash of all that affects the code generated for this CPU. It differs for
/// another CPU, and for the same CPU with other features.
const std::string &cpuFingerprint();

} // namespace xcc::rt::cpu
#endif // XCC_SRC_CPU_IMAGE_TARGET_H
