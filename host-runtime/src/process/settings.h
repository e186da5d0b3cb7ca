// Numeric environment variables
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An invalid value fails the first call that needs a device, even if no device
// of that kind is used: a setting without effect is never silent. Programs with
// more rights than their user (setuid) ignore the variables.

#ifndef XCC_SRC_PROCESS_SETTINGS_H
#define XCC_SRC_PROCESS_SETTINGS_H

#include "errors/error.h"

namespace xcc::rt {

struct NumberSetting {
  const char *name;
  uint64_t least, most;
  bool bytes; ///< a number of bytes, for messages
};

/// Reads a setting. \p out is \p fallback if the variable is not set, or if it
/// is invalid, which is an error.
xcc_status readSetting(const NumberSetting &s, uint64_t fallback,
                       uint64_t &out);

/// Bytes for malloc in device code, on each device.
inline constexpr NumberSetting DeviceHeap = {"XCC_DEVICE_HEAP", 0,
                                             uint64_t(1) << 40, true};

/// How many calls of the host may be in progress at a time, on each device.
inline constexpr NumberSetting CallPorts = {"XCC_RPC_PORTS", 1, 4096, false};

/// Seconds without progress after which a notice is printed.
inline constexpr NumberSetting NoticeAfter = {"XCC_NOTICE_AFTER", 0, 1'000'000,
                                              false};
/// The same in nanoseconds.
uint64_t noticeAfter();

/// Seconds without progress for which the end of the process waits.
inline constexpr NumberSetting ExitWait = {"XCC_EXIT_WAIT", 0, 1'000'000,
                                           false};
/// The same in nanoseconds.
uint64_t exitTimeout();

/// Seconds that the initialisers of global variables may take; 0: no limit.
inline constexpr NumberSetting InitialiserLimit = {"XCC_INITIALISER_LIMIT", 0,
                                                   1'000'000, false};
uint64_t initialiserLimit(); ///< seconds

/// Checks these settings and those of every kind of device.
xcc_status checkSettings();

} // namespace xcc::rt
#endif // XCC_SRC_PROCESS_SETTINGS_H
