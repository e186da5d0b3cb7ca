// The log lines of XCC_LOG
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// XCC_LOG is a comma-separated list of categories, or "all". A line goes to
// standard error in one write, so lines of several threads do not mix.

#ifndef XCC_SRC_PROCESS_LOG_H
#define XCC_SRC_PROCESS_LOG_H

#include <atomic>

namespace xcc::rt {

enum class LogCategory : unsigned {
  Error = 1,   ///< "error": every failure, even if the program handles it
  Load = 2,    ///< "load": images chosen, loaded, unloaded
  Launch = 4,  ///< "launch": every launch
  Memory = 8,  ///< "memory": allocations and copies
  Device = 16, ///< "device": devices, streams, worker threads
  Map = 32,    ///< "map": what is copied for launches, and why
  Stdpar = 64  ///< "stdpar": where parallel algorithms run; in their headers
};

/// The categories in XCC_LOG; all bits set until that was read.
extern constinit std::atomic<unsigned> enabledLogs;
[[gnu::cold]] bool isEnabled(LogCategory category);
/// Is this category wanted? Cheap.
inline bool logs(LogCategory category) {
  return (enabledLogs.load(std::memory_order_relaxed) &
          static_cast<unsigned>(category)) &&
         isEnabled(category);
}
[[gnu::format(printf, 2, 3)]] void log(LogCategory category, const char *format,
                                       ...);
/// Prints a warning regardless of XCC_LOG, for what no call can report.
[[gnu::format(printf, 1, 2)]] void complain(const char *format, ...);

} // namespace xcc::rt

#define XCC_LOG(category, ...)                                                 \
  do {                                                                         \
    if (::xcc::rt::logs(::xcc::rt::LogCategory::category)) [[unlikely]]        \
      ::xcc::rt::log(::xcc::rt::LogCategory::category, __VA_ARGS__);           \
  } while (false)

#endif // XCC_SRC_PROCESS_LOG_H
