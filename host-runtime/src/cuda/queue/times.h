// When a stream's work ran
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For XCC_PROFILE and XCC_TRACE: an event of the driver before and after each
// launch and copy. They are read when the second has completed.

#ifndef XCC_SRC_CUDA_QUEUE_TIMES_H
#define XCC_SRC_CUDA_QUEUE_TIMES_H

#include "cuda/driver/driver.h"
#include "process/profile.h"

#include <deque>
#include <mutex>
#include <vector>

namespace xcc::rt::cuda {

/// The times of one stream. The context is the calling thread's.
class Times {
public:
  /// Enqueues by calling \p enqueue, which returns a status that is 0 where it
  /// worked, between two events; takes \p w, which may be null.
  template <class Fn> auto between(profile::Work *w, Stream work, Fn enqueue) {
    EventHandle begin = first(w, work);
    auto status = enqueue();
    last(w, begin, work, status == decltype(status){});
    return status;
  }
  /// Held by who enqueues a launch: another thread's would lie between.
  std::mutex launching;

  /// Tells of what has ended, as far as the driver knows; waits for nothing.
  void collect();
  /// The context has failed: nothing more will be known.
  void abandon();

private:
  struct Pending {
    profile::Work *work;
    EventHandle begin, end;
  };
  EventHandle first(profile::Work *w, Stream work);
  void last(profile::Work *w, EventHandle begin, Stream work, bool enqueued);
  EventHandle take();
  bool tellFirst();
  uint64_t timeOf(EventHandle e);
  void rebase(EventHandle e, uint64_t time);

  std::mutex mutex; ///< guards all that follows
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
