// The table XCC_PROFILE asks for
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// XCC_PROFILE=1 prints a table of kernels and copies when the process ends,
// XCC_PROFILE=file.json writes it for programs. Each launch and copy is a Work
// from the call that enqueues it to its end, which the device's own clock
// tells: so XCC_TRACE uses the same for what GPUs did. Without either the cost
// is one load for each launch and copy.

#ifndef XCC_SRC_PROCESS_PROFILE_H
#define XCC_SRC_PROCESS_PROFILE_H

#include "trace.h"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace xcc::rt::profile {

extern constinit std::atomic<bool> counting;
inline bool enabled() { return counting.load(std::memory_order_relaxed); }
/// Whether a device's times are wanted, by the profile or the timeline.
inline bool watching() { return enabled() || trace::enabled(); }

/// What is summed up of a kernel, or of a direction of copies.
struct Row;

/// A launch, copy or fill that is enqueued.
struct Work {
  Row *row = nullptr;          ///< null: for the timeline alone
  const char *name = "kernel"; ///< on the timeline
  const char *category = "kernel";
  int device = 0;
  int track = 0;               ///< of the timeline; 0: none
  bool calls = false;          ///< may call the host
  bool runs = false;           ///< began, as far as is known
  uint64_t flow = 0;           ///< the timeline's
  uint64_t begin = 0, end = 0; ///< trace::now()'s clock
  /// Transfers that it was divided into and that have not ended, and the call
  /// that enqueues it.
  std::atomic<uint32_t> parts{1};
};

/// What a launch is to the profile.
struct Launch {
  const char *name, *traceName;
  const uint32_t *grid, *block; ///< [3] each
  bool callsHost;
  /// Where the device's row is remembered; null until asked for.
  std::atomic<Row *> &row;
};
enum class Direction {
  ToDevice,
  ToHost,
  OnDevice,
  BetweenDevices,
  OnHost,
  Fill
};

/// Null when memory ran out.
Work *launched(int device, const Launch &l, int track);
Work *copies(int device, Direction direction, uint64_t bytes, int track);
/// Removes work that was not done: it is not counted.
void cancel(Work *w);
/// It runs from now on.
void began(Work *w);
/// It, or one part of it, has ended; \p begin 0: when is not known.
void ended(Work *w, uint64_t begin, uint64_t end);
/// One more part has to end.
inline void divide(Work *w) {
  w->parts.fetch_add(1, std::memory_order_relaxed);
}

/// What launches of a kernel use of the host's memory, and what was copied for
/// them.
void mapped(int device, const char *kernel, uint64_t bytes);
void moved(int device, const char *kernel, bool toDevice, uint64_t bytes);
/// A device's thread called the host.
void calledHost(int device);

/// A track of the timeline for what runs in order on a device.
int newTrack(const char *device);

void nameDevice(int ordinal, const char *id, const char *name);
/// Reads XCC_PROFILE. \p collect, which may be called at any time from any
/// thread, asks the devices for times that were not read yet.
void start(void (*collect)());
/// Prints or writes it, once.
void finish();

} // namespace xcc::rt::profile
#endif // XCC_SRC_PROCESS_PROFILE_H
