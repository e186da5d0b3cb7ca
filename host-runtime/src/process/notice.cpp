// Who waits beside
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "notice.h"
#include "futex.h"
#include "settings.h"
#include "trace.h"

#include <csignal>

namespace xcc::rt {

Notice::Notice(std::function<bool(bool last)> say) : say(std::move(say)) {
  // Signals are for the program's own threads.
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
  const uint64_t after = noticeAfter(), begin = trace::now();
  while (!n.over) {
    const uint64_t passed = trace::now() - begin;
    constexpr uint64_t patience = 10'000'000'000, look = 1'000'000;
    if (passed >= after && n.say(passed >= after + patience))
      break;
    futexWaitFor(n.over, 0, passed < after ? after - passed : look);
  }
  return nullptr;
}

} // namespace xcc::rt
