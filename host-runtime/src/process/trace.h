// The timeline of XCC_TRACE
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With XCC_TRACE=file.json the runtime records what ran where and when. It
// writes Chrome trace events when the process exits, which Perfetto and
// chrome://tracing open. Without it the cost is one load per event.

#ifndef XCC_SRC_PROCESS_TRACE_H
#define XCC_SRC_PROCESS_TRACE_H

#include <atomic>
#include <cstdint>
#include <string>

namespace xcc::rt::trace {

/// A slice of a thread's time. Its strings must stay valid until the file is
/// written; name() makes such copies.
struct Slice {
  const char *name;
  const char *category; ///< "launch", "kernel", "copy", "map", "load"
  uint64_t begin, end;  ///< nanoseconds, now()
  uint64_t flow;        ///< links a launch with its runs; 0 if none
  uint64_t first, last; ///< blocks [first, last)
  bool starts;          ///< this slice is the flow's origin
  /// Further data as JSON members; null if there is none.
  const char *members = nullptr;
};

/// The members of a JSON object.
class Members {
public:
  void text(const char *name, const std::string &value);
  void number(const char *name, uint64_t value);
  const std::string &json() const { return out; }

private:
  std::string out;
};

extern std::atomic<bool> recording;
inline bool enabled() { return recording.load(std::memory_order_relaxed); }

uint64_t now();
/// A new flow number.
uint64_t newFlow();
/// The flow to which copies that the thread enqueues belong; 0 if none.
extern thread_local constinit uint64_t copiesBelongTo;
/// A copy of the string that is never freed.
const char *name(const char *text);
void add(const Slice &s);
/// The same on a track that is not a thread, for a device.
void addTo(int track, const Slice &s);
void nameTrack(int track, const char *text);
/// Names the calling thread in the timeline.
void nameThread(const char *text);

/// Reads XCC_TRACE.
void start();
/// Writes the file, once.
void finish();

} // namespace xcc::rt::trace
#endif // XCC_SRC_PROCESS_TRACE_H
