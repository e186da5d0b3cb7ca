// Streams that are recorded
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From xcc_graph_begin to xcc_graph_end what is put into a stream is kept rather
// than enqueued. What cannot be kept is rejected (queueOf), and the recording
// is of no use then: the program may have missed that.

#ifndef XCC_SRC_GRAPHS_RECORDING_H
#define XCC_SRC_GRAPHS_RECORDING_H

#include "devices/allocations.h"
#include "devices/context.h"
#include "devices/sequence.h"

namespace xcc::rt {

struct Recording {
  Recording(xcc_stream &stream, uint64_t thread)
      : stream(stream), thread(thread), freed(freedAllocations()) {}
  ~Recording();
  Recording(const Recording &) = delete;
  Recording &operator=(const Recording &) = delete;

  xcc_stream &stream;
  const uint64_t thread; ///< that records
  const uint64_t freed;  ///< what is recorded was there at that time
  std::mutex mutex;
  std::vector<Step> steps;
  xcc_error *failure = nullptr; ///< the first that was rejected

  /// Adds a launch, which was checked, of arguments as the device gets them.
  xcc_status add(const Kernel &kernel, const xcc_launch_config &config,
                 const void *kernarg);
  xcc_status add(Step step);
  /// For what is rejected: the thread's last error.
  xcc_status refused();
};

/// Begins to record; fails where the stream is recorded already.
xcc_status beginRecording(xcc_stream &stream);
/// The stream is as any other again. \p out is what was recorded.
xcc_status endRecording(xcc_stream &stream, std::unique_ptr<Recording> &out);
/// The same for a stream that goes, recorded or not.
void dropRecording(xcc_stream &stream);

} // namespace xcc::rt
#endif // XCC_SRC_GRAPHS_RECORDING_H
