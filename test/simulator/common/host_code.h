// Host code of what runs often
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A simulator counts how often blocks of code are executed. It has host code made
// (lane_code.h) of those that are hot, on a thread beside it, and goes on without
// until that is done. The library that makes it is opened when the first one is
// hot, so short programs do not wait for it. Without the library everything is
// interpreted.
//
//     XCC_SIM_HOT=N   blocks are hot from so many instructions on, and the program
//                     waits for their code; 0: none ever is

#ifndef XCC_TEST_SIMULATOR_HOST_CODE_H
#define XCC_TEST_SIMULATOR_HOST_CODE_H

#include "lane_code.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>

namespace simulator {

/// How many instructions of a block are executed before it is hot; 0: none is.
uint64_t hotFrom();
/// Whether the program waits for host code, as tests do.
bool waitsForHostCode();

/// What is made of one piece of code, and takes it back when it is destroyed.
class HostCodeOwner {
public:
  HostCodeOwner() = default;
  ~HostCodeOwner();
  HostCodeOwner(const HostCodeOwner &) = delete;
  HostCodeOwner &operator=(const HostCodeOwner &) = delete;

  /// Has it made, if that is possible. \p done gets it, on any thread, but not
  /// after the owner is destroyed.
  void make(LaneCode code, std::function<void(HostCode)> done);

private:
  friend class HostCodeMaker;
  bool used = false;
  std::vector<void *> kept;
};

} // namespace simulator
#endif // XCC_TEST_SIMULATOR_HOST_CODE_H
