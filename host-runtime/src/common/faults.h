// Error messages for faults of a GPU
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A driver reports that something failed, but not which launch. A queue
// remembers the launches that may not have ended. The message names the launch
// if there is only one, else the latest few. A report that a kernel made before
// it stopped (an assertion, an exception) is more precise than the driver's
// text and replaces it.

#ifndef XCC_SRC_COMMON_FAULTS_H
#define XCC_SRC_COMMON_FAULTS_H

#include "devices/device.h"
#include "errors/sentence.h"

#include <span>

namespace xcc::rt {

/// A launch that may still be running.
struct Suspect {
  const xcc_kernel_info *info;
  const char *file;
  uint32_t line;
  uint32_t grid[3], block[3]; ///< blocks, threads
};

/// Adds "kernel 'k' launched at a.cpp:3 (a grid of ...)" for each launch, with
/// ", or " between them.
void addLaunches(Sentence &s, std::span<const Suspect> launches);

struct Fault {
  xcc_status status;
  std::span<const Suspect> suspects; ///< the latest first
  /// How many launches may have failed. More than \c suspects if some are not
  /// remembered.
  uint64_t running;
  const char *text; ///< the driver's sentence
  /// The driver's name for the fault, printed also beside a kernel's own
  /// report.
  const char *name;
  /// The environment variable that sets the size of the stack.
  const char *stackSetting;
  /// How the user can find the failing launch: "; X=1 tells which". Or "".
  const char *hint;
  /// The signal that a process gets for the same fault.
  int signal;
};

/// The error for the first thread that synchronises. The caller owns it.
xcc_error *describeFault(Device &on, const Fault &fault);

/// The error when a device is given up because a kernel does not end. The
/// caller owns it.
xcc_error *describeEndless(Device &on, const Kernel &running, const char *why);

/// The error of every later call, with the first one's text. The caller owns
/// it.
xcc_error *unusableSince(const Device &on, const xcc_error *fault);

} // namespace xcc::rt
#endif // XCC_SRC_COMMON_FAULTS_H
