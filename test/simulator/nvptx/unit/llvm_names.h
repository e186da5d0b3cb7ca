// The names of all instructions that LLVM can write
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_SIMULATOR_TEST_LLVM_NAMES_H
#define XCC_SIMULATOR_TEST_LLVM_NAMES_H

#include <set>
#include <string>

/// Without their modifiers: "ld", "add" and so on.
std::set<std::string> namesInLLVM();

#endif // XCC_SIMULATOR_TEST_LLVM_NAMES_H
