// Watching work that may take long
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "notice.h"
#include "futex.h"
#include "settings.h"
#include "trace.h"

#include <algorithm>
#include <csignal>

namespace xcc::rt {

Notice::Notice(std::function<bool(bool last)> say)
    : Notice(std::move(say), 0, nullptr) {}

Notice::Notice(std::function<bool(bool last)> say, uint64_t limit,
               std::function<void(unsigned before)> end)
    : say(std::move(say)), end(std::move(end)), limit(limit * 1'000'000'000) {
  // Signals are for the program's own threads, so block them.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  watching = pthread_create(&watcher, nullptr, watch, this) == 0;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Notice::~Notice() {
  if (!watching)
    return;
  over = 1;
  futexWake(over);
  pthread_join(watcher, nullptr);
}

void *Notice::watch(void *self) {
  auto &n = *static_cast<Notice *>(self);
  constexpr uint64_t repeatAfter = 10'000'000'000, look = 1'000'000,
                     again = 10'000'000, atMost = 1'000'000'000;
  const uint64_t after = noticeAfter();
  bool said = false;
  unsigned ended = 0;
  for (uint64_t passed = 0, last = trace::now(); !n.over;) {
    said = said || (passed >= after && n.say(passed >= after + repeatAfter));
    if (n.limit && passed >= n.limit)
      n.end(ended++);
    if (said && !n.limit)
      break;
    uint64_t wait = atMost;
    if (!said)
      wait = std::min(wait, passed < after ? after - passed : look);
    if (n.limit)
      wait = std::min(wait, passed < n.limit ? n.limit - passed : again);
    futexWaitFor(n.over, 0, wait);
    const uint64_t now = trace::now();
    passed += std::min(now - last, 2 * atMost);
    last = now;
  }
  return nullptr;
}

} // namespace xcc::rt
