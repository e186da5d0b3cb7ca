// Whether a launch can still go on
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that wait in a loop for what nobody does keep running. A launch is
// given up when, for as long as XCC_SIM_SECONDS says, no block has begun or ended
// and none has passed a barrier, no memory that others see has changed, and every
// warp that could run has come back to a state (registers, stacks, places) in
// which it was before. Only the host could then free it.

#ifndef XCC_SIMULATOR_NVPTX_WATCH_H
#define XCC_SIMULATOR_NVPTX_WATCH_H

#include <chrono>
#include <cstdint>
#include <cstring>
#include <vector>

namespace ptx {

class Block;
class Warp;

class Watch {
public:
  /// Whether writes are looked at: nothing has happened for a while.
  bool on() const { return watching; }
  /// Something has happened.
  void progress() { ++happened; }
  /// \p bytes at \p at are about to be written.
  void writes(char *at, unsigned bytes) {
    settle();
    last = at;
    size = bytes < sizeof(before) ? bytes : unsigned(sizeof(before));
    memcpy(before, at, size);
  }
  /// To be called now and then. Whether none of the blocks can go on.
  bool look(const std::vector<Block *> &blocks, double seconds);

private:
  using Clock = std::chrono::steady_clock;
  void settle() {
    if (last && memcmp(last, before, size) != 0)
      ++happened;
    last = nullptr;
  }
  void set(const std::vector<Block *> &blocks, bool on);
  static bool allCircle(const std::vector<Block *> &blocks);

  bool watching = false, confirmed = false;
  uint64_t happened = 0, seen = 0;
  Clock::time_point since = Clock::now();
  double patience = 1; ///< seconds before writes are looked at
  char *last = nullptr;
  unsigned size = 0;
  char before[16];
};

} // namespace ptx
#endif // XCC_SIMULATOR_NVPTX_WATCH_H
