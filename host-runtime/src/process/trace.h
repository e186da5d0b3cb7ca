// The timeline XCC_TRACE asks for
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// XCC_TRACE=file.json makes the runtime remember what ran where and when, and
// write it as Chrome trace events when the process exits (Perfetto and
// chrome://tracing open it). Without it the cost is one load per event.

#ifndef XCC_SRC_TRACE_H
#define XCC_SRC_TRACE_H

#include <atomic>
#include <cstdint>

namespace xcc::rt::trace {

/// One slice of a thread's time. Strings must outlive the process's use of the
/// runtime or be interned; name() does that.
struct Slice {
  const char *Name;
  const char *Category; ///< "launch", "kernel", "copy", "load"
  uint64_t Begin, End;  ///< nanoseconds, now()
  uint64_t Flow;        ///< links a launch with its runs; 0 when none
  uint64_t First, Last; ///< blocks [First, Last)
  bool Starts;          ///< this slice is the flow's origin
};

extern std::atomic<bool> Enabled;
inline bool enabled() { return Enabled.load(std::memory_order_relaxed); }

uint64_t now();
/// A new flow number.
uint64_t newFlow();
/// A copy of the string that is never freed.
const char *name(const char *Text);
void add(const Slice &S);
/// Names the calling thread in the timeline.
void nameThread(const char *Text);

/// Reads XCC_TRACE.
void start();
/// Writes the file, once.
void finish();

} // namespace xcc::rt::trace
#endif // XCC_SRC_TRACE_H
