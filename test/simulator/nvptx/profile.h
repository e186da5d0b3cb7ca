// What kernels do, by source line: XCC_SIM_PROFILE and XCC_SIM_COVERAGE
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts, not times: instructions of warps, lanes that were active, sectors of 32
// bytes that an access of device memory touches, and how often an access of shared
// memory has to be repeated because lanes want different words of one bank. These
// are the same in every run of the same program.

#ifndef XCC_SIMULATOR_NVPTX_PROFILE_H
#define XCC_SIMULATOR_NVPTX_PROFILE_H

#include "code.h"
#include "test/simulator/common/line_profile.h"

#include <unordered_map>

namespace ptx {

using simulator::Counts;

/// Of one launch, whose instructions are done one at a time.
class Profile {
public:
  /// Null unless one of the variables is set.
  static std::unique_ptr<Profile> start();

  /// The lanes begin an instruction.
  void begin(const Inst &i, uint32_t lanes) {
    if (!touched.empty())
      settle();
    now = &counts[&i];
    ++now->executed;
    now->lanes += unsigned(__builtin_popcount(lanes));
  }
  /// A lane of it touches memory.
  void touch(Space s, uint64_t at, unsigned bytes, unsigned lane) {
    if (now)
      touched.push_back({at, bytes, lane, s == Space::Shared});
  }
  /// Adds all of it to the process's counts.
  void finish(const Program &p, const std::string &kernel);

private:
  struct Touch {
    uint64_t at;
    unsigned bytes, lane;
    bool shared;
  };
  void settle();
  void settleDevice();
  void settleShared();

  std::unordered_map<const Inst *, Counts> counts;
  Counts *now = nullptr;
  std::vector<Touch> touched; ///< by the instruction that runs
};

} // namespace ptx
#endif // XCC_SIMULATOR_NVPTX_PROFILE_H
