// The table of XCC_PROFILE
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// XCC_PROFILE=1 prints a table of kernels and copies when the process ends;
// XCC_PROFILE=file.json writes it as JSON. A Work stands for a launch or copy
// from the call that enqueues it to its end. Its times come from the device's
// own clock, so XCC_TRACE uses them too for what GPUs did. Without both, the
// cost is one load for each launch and copy.

#ifndef XCC_SRC_PROCESS_PROFILE_H
#define XCC_SRC_PROCESS_PROFILE_H

#include "trace.h"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace xcc::rt::profile {

extern constinit std::atomic<bool> counting;
inline bool enabled() { return counting.load(std::memory_order_relaxed); }
/// Are a device's times needed, by the profile or the trace?
inline bool watching() { return enabled() || trace::enabled(); }

/// The sums for a kernel, or for a direction of copies.
struct Row;

/// An enqueued launch, copy or fill.
struct Work {
  Row *row = nullptr;          ///< null: only for the trace
  const char *name = "kernel"; ///< in the trace
  const char *category = "kernel";
  int device = 0;
  int track = 0;               ///< in the trace; 0: none
  bool calls = false;          ///< may call the host
  bool runs = false;           ///< began, as far as is known
  uint64_t flow = 0;           ///< in the trace
  uint64_t begin = 0, end = 0; ///< trace::now()'s clock
  /// The number of its transfers that have not ended, plus one for the call
  /// that enqueues it.
  std::atomic<uint32_t> parts{1};
};

/// The profile's view of a launch.
struct Launch {
  const char *name, *traceName;
  const uint32_t *grid, *block; ///< [3] each
  bool callsHost;
  /// Caches the kernel's row; null until it is needed.
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

/// Returns null when memory ran out.
Work *launched(int device, const Launch &l, int track);
Work *copies(int device, Direction direction, uint64_t bytes, int track);
/// Removes work that was not enqueued, without counting it.
void cancel(Work *w);
/// Records that the work runs from now on.
void began(Work *w);
/// Records that the work, or a part of it, has ended. \p begin is 0 if its time
/// is not known.
void ended(Work *w, uint64_t begin, uint64_t end);
/// Adds a part that has to end.
inline void divide(Work *w) {
  w->parts.fetch_add(1, std::memory_order_relaxed);
}

/// Adds the bytes of host memory that launches of a kernel use, and that were
/// copied for them.
void mapped(int device, const char *kernel, uint64_t bytes);
void moved(int device, const char *kernel, bool toDevice, uint64_t bytes);
/// Counts a call of the host by the device.
void calledHost(int device);

/// Makes a track of the trace, for work that runs in order on a device.
int newTrack(const char *device);

void nameDevice(int ordinal, const char *id, const char *name);
/// Reads XCC_PROFILE. \p collect reads the devices' remaining times; any thread
/// may call it at any time.
void start(void (*collect)());
/// Prints or writes the table, once.
void finish();

} // namespace xcc::rt::profile
#endif // XCC_SRC_PROCESS_PROFILE_H
