// Waiting for unfinished work when the process ends
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "exit_wait.h"
#include "errors/sentence.h"
#include "process/log.h"
#include "process/settings.h"
#include "process/trace.h"

#include <algorithm>
#include <unistd.h>

namespace xcc::rt {

const char *unfinishedWorkNote(bool unloading) {
  return unloading ? "its code is not unloaded before it ends"
                   : "the process ends without waiting longer; XCC_EXIT_WAIT "
                     "sets how long it waits";
}

WaitAtExit::WaitAtExit() : timeout(exitTimeout()), since(trace::now()) {}

bool WaitAtExit::mayContinue(uint64_t progress) {
  const uint64_t now = trace::now();
  if (progress != last) {
    last = progress;
    since = now;
  } else if (now - since >= timeout) {
    return false;
  }
  usleep(pause);
  pause = std::min(2 * pause, 2000u);
  return true;
}

void reportRunning(Device &on, std::span<const Suspect> running,
                   const char *what) {
  SentenceOf<1024> s;
  addLaunches(s, running);
  if (running.empty())
    s.add("work of a stream");
  complain("%s still runs on device %d (%s); %s", s.text(), on.ordinal(),
           on.id(), what);
}

} // namespace xcc::rt
