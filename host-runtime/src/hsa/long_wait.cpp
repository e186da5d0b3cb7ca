// Notices about long waits
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "long_wait.h"
#include "errors/sentence.h"
#include "gpu.h"
#include "hsa/queue/queue.h"
#include "process/log.h"
#include "process/settings.h"
#include "process/trace.h"

#include <algorithm>
#include <new>

namespace xcc::rt::hsa {

static void report(const Gpu &on, const Suspect *running, unsigned count,
                   uint64_t seconds) {
  SentenceOf<1024> s;
  addLaunches(s, {running, count});
  complain("%s has run on device %d (%s) for %llu s while a thread waits; if "
           "its blocks wait for others (sync_grid, flags in memory), all "
           "blocks must get there and be resident at once; "
           "XCC_NOTICE_AFTER sets when this message appears",
           s.text(), on.ordinal(), on.id(),
           static_cast<unsigned long long>(seconds));
}

void LongWait::look() try {
  static const uint64_t after = noticeAfter();
  constexpr uint64_t second = 1'000'000'000;
  const uint64_t now = trace::now();
  for (const Gpu *on : allGpus())
    for (HsaQueue &q : on->queues) {
      const uint64_t read = q.readSoFar();
      auto found = std::find_if(seen.begin(), seen.end(),
                                [&](const Seen &s) { return s.queue == &q; });
      if (found == seen.end()) {
        seen.push_back({&q, read, now});
      } else if (found->read != read) {
        found->read = read;
        found->since = now;
      } else if (now - found->since >= after) {
        Suspect running[2];
        const unsigned count = q.runningLong(&q == of, running);
        if (count && q.markReported(read))
          report(*on, running, count, (now - found->since) / second);
      }
    }
} catch (const std::bad_alloc &) {
  // Without memory there is no notice.
}

} // namespace xcc::rt::hsa
