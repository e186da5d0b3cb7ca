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
  std::string processor = "gfx90a";
  unsigned lanes = 64;
  unsigned groups = 1, threads = 64;
  uint32_t ldsBytes = 256, scratchBytes = 64;
  Settings set;

  std::vector<uint32_t> words = std::vector<uint32_t>(1024);
  std::string report; ///< of a launch that failed
  std::string notes;  ///< if the settings ask for them

  /// True when the launch ended well, and gave the same without vectors.
  bool run(const std::string &snippet);

private:
  bool runOnce(const std::string &snippet);
};

} // namespace amdgcn
#endif // XCC_TEST_SIMULATOR_AMDGCN_UNIT_LAB_H
