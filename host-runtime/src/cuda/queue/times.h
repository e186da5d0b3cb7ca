// Measuring when a stream's work ran
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For XCC_PROFILE and XCC_TRACE: records an event of the driver before and
// after each launch and copy, and reads both when the second has completed.

#ifndef XCC_SRC_CUDA_QUEUE_TIMES_H
#define XCC_SRC_CUDA_QUEUE_TIMES_H

#include "cuda/driver/driver.h"
#include "process/profile.h"

#include <deque>
#include <mutex>
#include <vector>

namespace xcc::rt::cuda {

/// The times of one stream. Its context must be current in the calling thread.
class Times {
public:
  /// Calls \p enqueue between two events; it returns 0 on success. Takes over
  /// \p w, which may be null.
  template <class Fn> auto between(profile::Work *w, Stream work, Fn enqueue) {
    EventHandle begin = first(w, work);
    auto status = enqueue();
    last(w, begin, work, status == decltype(status){});
    return status;
  }
  /// Lock this to enqueue a launch, so that no other launch gets between the
  /// two events.
  std::mutex launching;

  /// Reports what has ended, as far as the driver knows; does not wait.
  void collect();
  /// Gives up pending measurements, because the context has failed.
  void abandon();

private:
  struct Pending {
    profile::Work *work;
    EventHandle begin, end;
  };
  EventHandle first(profile::Work *w, Stream work);
  void last(profile::Work *w, EventHandle begin, Stream work, bool enqueued);
  EventHandle take();
  bool reportFirst();
  uint64_t timeOf(EventHandle e);
  void rebase(EventHandle e, uint64_t time);

  std::mutex mutex; ///< guards all members below
  std::deque<Pending> pending;
  std::vector<EventHandle> unused;
  /// A point whose time on the host's clock is known.
  EventHandle base = nullptr;
  uint64_t baseTime = 0;
  int track = 0;
  friend class CudaQueue;
};

} // namespace xcc::rt::cuda
#endif // XCC_SRC_CUDA_QUEUE_TIMES_H
