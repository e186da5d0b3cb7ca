// Waits for cooperative kernels
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// If some blocks of a kernel do not call sync_grid, the kernel runs forever,
// and so does a thread's wait for it. The driver does not tell the progress of
// a stream. So if a cooperative kernel is in the stream and the stream does not
// end, a notice is printed once. A wait for any other stream is one call of the
// driver.

#include "errors/sentence.h"
#include "process/log.h"
#include "process/settings.h"
#include "process/trace.h"
#include "queue.h"

#include <algorithm>
#include <sched.h>
#include <unistd.h>

namespace xcc::rt::cuda {

/// Prints a notice that names the last cooperative launch. Returns false if
/// none may be running.
bool CudaQueue::reportLongWait(uint64_t seconds) {
  PastLaunch last{};
  launches.visitRunning([&](const PastLaunch &p) {
    if (p.cooperative)
      last = p;
  });
  if (!last.info)
    return false;
  SentenceOf<1024> s;
  addLaunches(s, {static_cast<const Suspect *>(&last), 1});
  complain("%s has not ended on device %d (%s) after %llu s in which a thread "
           "waited; if its blocks wait in sync_grid, every block must call it; "
           "XCC_NOTICE_AFTER sets when this message appears",
           s.text(), on.ordinal(), on.id(),
           static_cast<unsigned long long>(seconds));
  return true;
}

Result CudaQueue::waitForGrid() {
  constexpr uint64_t second = 1'000'000'000, soon = second / 1000,
                     longest = 2000; // us
  const uint64_t begin = trace::now(), after = noticeAfter();
  bool reported = false;
  while (true) {
    if (Result r = theDriver.StreamQuery(work); r != NotReady)
      return r;
    const uint64_t passed = trace::now() - begin;
    if (!reported && passed >= after)
      reported = reportLongWait(passed / second);
    // Pause for a small part of the time so far, so that the end is not missed
    // for long.
    if (passed < soon)
      sched_yield();
    else
      usleep(useconds_t(std::min(passed / 64'000, longest)));
  }
}

} // namespace xcc::rt::cuda
