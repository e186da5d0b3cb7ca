// Runs a few lines of assembly
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A snippet finds in s[2:3] the address of a buffer of words, in v1 the byte
// offset of its lane's word there, and in v2 that word. What it leaves in v2 is
// stored there when it ends.

#ifndef XCC_TEST_SIMULATOR_AMDGCN_UNIT_LAB_H
#define XCC_TEST_SIMULATOR_AMDGCN_UNIT_LAB_H

#include "dispatch.h"

namespace amdgcn {

struct Lab {
  std::string Processor = "gfx90a";
  unsigned Lanes = 64;
  unsigned Groups = 1, Threads = 64;
  uint32_t LdsBytes = 256, ScratchBytes = 64;
  Settings Set;

  std::vector<uint32_t> Words = std::vector<uint32_t>(1024);
  std::string Report; ///< of a launch that failed
  std::string Notes;  ///< if the settings ask for them

  /// True when the launch ended well.
  bool run(const std::string &Snippet);
};

} // namespace amdgcn
#endif // XCC_TEST_SIMULATOR_AMDGCN_UNIT_LAB_H
