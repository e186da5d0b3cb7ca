// What a fault of a GPU is called
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A driver says that something failed, not what. A queue remembers the launches
// that may not have ended; when one of them was it, the sentence names it, else
// the latest few. What a kernel said before it gave up (an assertion, an
// exception) tells more than the driver can, and stands in its sentence's place.

#ifndef XCC_SRC_COMMON_FAULTS_H
#define XCC_SRC_COMMON_FAULTS_H

#include "devices/device.h"

#include <span>

namespace xcc::rt {

/// A launch that has not ended for certain.
struct Suspect {
  const xcc_kernel_info *info;
  const char *file;
  uint32_t line;
  uint32_t grid[3], block[3]; ///< blocks, threads
};

struct Fault {
  xcc_status status;
  std::span<const Suspect> suspects; ///< the latest first
  /// How many launches may have been it; more than \c suspects when not all are
  /// remembered.
  uint64_t running;
  const char *text; ///< the driver's sentence
  /// The driver's name for it, which stays beside what a kernel said.
  const char *name;
  /// The environment variable that asks for more stack.
  const char *stackSetting;
  /// What helps to tell which of several it was: "; X=1 tells which". Or "".
  const char *hint;
  /// That of a process that does the same, by the driver's code.
  int signal;
};

/// The error for the first thread that asks, which then owns it.
xcc_error *describeFault(Device &on, const Fault &fault);

/// The error of a kernel that a device was given up for; the caller's.
xcc_error *describeEndless(Device &on, const Kernel &running, const char *why);

/// The error of every later call, with the first one's sentence; the caller's.
xcc_error *unusableSince(const Device &on, const xcc_error *fault);

} // namespace xcc::rt
#endif // XCC_SRC_COMMON_FAULTS_H
