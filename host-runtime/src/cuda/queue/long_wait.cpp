// Waits for cooperative kernels
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel of which some blocks do not call sync_grid runs for ever, and a thread
// that waits for it waits for ever. The driver does not tell how far a stream has
// come. If such a kernel is in it and the stream does not end, a notice is printed
// once. Waits for other streams are one call of the driver.

#include "errors/sentence.h"
#include "process/log.h"
#include "process/settings.h"
#include "process/trace.h"
#include "queue.h"

#include <algorithm>
#include <sched.h>
#include <unistd.h>

namespace xcc::rt::cuda {

/// Says which was launched last.
bool CudaQueue::tellOfGrid(uint64_t seconds) {
  PastLaunch last{};
  launches.visitRunning([&](const PastLaunch &p) {
    if (p.cooperative)
      last = p;
  });
  if (!last.info)
    return false;
  SentenceOf<1024> s;
  s.addLaunch(last.info->name, last.file, last.line);
  s.add(" (");
  s.addShape(last.grid, last.block);
  s.add(")");
  complain("%s has not ended on device %d (%s) after %llu s in which a thread "
           "waited; where its blocks wait in sync_grid, all of them have to "
           "come there; XCC_NOTICE_AFTER is when this is said",
           s.text(), on.ordinal(), on.id(),
           static_cast<unsigned long long>(seconds));
  return true;
}

Result CudaQueue::waitForGrid() {
  constexpr uint64_t second = 1'000'000'000, soon = second / 1000,
                     longest = 2000; // us
  const uint64_t begin = trace::now(), after = noticeAfter();
  bool told = false;
  while (true) {
    if (Result r = theDriver.StreamQuery(work); r != NotReady)
      return r;
    const uint64_t passed = trace::now() - begin;
    if (!told && passed >= after)
      told = tellOfGrid(passed / second);
    // Never longer than a small part of what it took so far.
    if (passed < soon)
      sched_yield();
    else
      usleep(useconds_t(std::min(passed / 64'000, longest)));
  }
}

} // namespace xcc::rt::cuda
