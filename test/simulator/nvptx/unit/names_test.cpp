// Which of the instructions that LLVM can write are known
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The simulator knows each, or the list below says why a program does not have it.
// A newer LLVM with another instruction fails this test.

#include "llvm_names.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

extern "C" bool simulator_knows(const char *opcode);

namespace {

/// Clang makes these of calls of builtins alone: C++ has nothing that becomes one,
/// and xcc's headers and device runtime call none of them.
const std::map<std::string, const char *> OfBuiltinsAlone = {
    {"mma", "matrices"},
    {"wmma", "matrices"},
    {"wgmma", "matrices"},
    {"tcgen05", "matrices"},
    {"ldmatrix", "matrices"},
    {"stmatrix", "matrices"},
    {"tensormap", "copies of tensors"},
    {"tex", "textures"},
    {"tld4", "textures"},
    {"txq", "textures"},
    {"suld", "surfaces"},
    {"sust", "surfaces"},
    {"suq", "surfaces"},
    {"istypep", "textures and surfaces"},
    {"mbarrier", "barriers as objects"},
    {"mapa", "clusters"},
    {"getctarank", "clusters"},
    {"clusterlaunchcontrol", "clusters"},
    {"griddepcontrol", "launches that depend on each other"},
    {"setmaxnreg", "registers of warp groups"},
    {"discard", "hints about caches"},
    {"applypriority", "hints about caches"},
    {"pmevent", "counters"},
    {"szext", "sign extension from a variable bit"},
};

TEST(Names, EachIsKnownOrOfBuiltinsAlone) {
  const std::set<std::string> names = namesInLLVM();
  EXPECT_GT(names.size(), 90u);
  for (const std::string &name : names)
    EXPECT_NE(simulator_knows(name.c_str()), OfBuiltinsAlone.count(name) != 0)
        << name;
}

} // namespace
