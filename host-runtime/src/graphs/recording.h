// Recording a stream as a graph
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From xcc_graph_begin to xcc_graph_end, calls in a stream are recorded instead
// of enqueued. A call that cannot be recorded fails (queueOf). The recording
// then fails too, because the program may have ignored the first error.

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
  const uint64_t thread; ///< the recording thread
  const uint64_t freed;  ///< freedAllocations() at the start
  std::mutex mutex;
  std::vector<Step> steps;
  xcc_error *failure = nullptr; ///< of the first call that was rejected

  /// Adds a checked launch. \p kernarg: the arguments as the device gets them.
  xcc_status add(const Kernel &kernel, const xcc_launch_config &config,
                 const void *kernarg);
  xcc_status add(Step step);
  /// Keeps the thread's last error, because a call was rejected.
  xcc_status rejected();
};

/// Begins to record. Fails if the stream is being recorded already.
xcc_status beginRecording(xcc_stream &stream);
/// Ends the recording and stores it in \p out.
xcc_status endRecording(xcc_stream &stream, std::unique_ptr<Recording> &out);
/// Ends the recording, if there is one, because the stream is destroyed.
void dropRecording(xcc_stream &stream);

} // namespace xcc::rt
#endif // XCC_SRC_GRAPHS_RECORDING_H
