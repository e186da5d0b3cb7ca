// Ending a process whose main thread called pthread_exit
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "main_end.h"
#include "futex.h"
#include "thread_state.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <mutex>
#include <pthread.h>
#include <unistd.h>

namespace xcc::rt {

static constinit std::atomic<unsigned> own{0}, users{0};
/// Guards the next two variables.
static constinit std::mutex watchMutex;
static pthread_t watcher;
static bool watching = false;
static constinit std::atomic<bool> stopped{false};
/// The futex on which the watcher sleeps. It changes when the last user ends,
/// and at the end.
static constinit std::atomic<uint32_t> changes{0};

static bool mainEnded() {
  char path[64], text[512] = "";
  snprintf(path, sizeof(path), "/proc/self/task/%d/stat", int(getpid()));
  FILE *f = fopen(path, "re");
  if (!f)
    return false;
  size_t size = fread(text, 1, sizeof(text) - 1, f);
  fclose(f);
  text[size] = 0;
  // The state follows the name, which is in brackets and may contain any
  // character.
  const char *name = strrchr(text, ')');
  return name && name[1] == ' ' && name[2] == 'Z';
}

/// The number of the process's threads, including a main thread that has ended;
/// 0 if it cannot be read.
static unsigned threadCount() {
  DIR *d = opendir("/proc/self/task");
  if (!d)
    return 0;
  unsigned count = 0;
  while (const dirent *e = readdir(d))
    count += e->d_name[0] != '.';
  closedir(d);
  return count;
}

static void *watch(void *) {
  constexpr uint64_t often = 20'000'000, seldom = 1'000'000'000;
  pthread_setname_np(pthread_self(), "xcc end");
  ownThreadBegins();
  for (unsigned turn = 0;; ++turn) {
    uint32_t seen = changes.load();
    if (stopped.load())
      break;
    if (users.load()) {
      futexWait(changes, seen);
      turn = 0;
      continue;
    }
    if (mainEnded() && threadCount() == 1 + own.load())
      exit(0); // as the C library does when the last thread ends
    futexWaitFor(changes, seen, turn < 50 ? often : seldom);
  }
  ownThreadEnds();
  return nullptr;
}

void ownThreadBegins() {
  peekThreadState().own = true;
  own.fetch_add(1);
}

void ownThreadEnds() { own.fetch_sub(1); }

void userBegins() { users.fetch_add(1); }

void userEnds() {
  if (users.fetch_sub(1) != 1)
    return;
  std::lock_guard lock(watchMutex);
  changes.fetch_add(1);
  if (watching)
    futexWake(changes);
  if (watching || stopped.load())
    return;
  // The watcher inherits the signal mask of the thread that ends.
  watching = pthread_create(&watcher, nullptr, watch, nullptr) == 0;
}

void stopMainWatch() {
  {
    std::lock_guard lock(watchMutex);
    stopped.store(true);
    if (!watching)
      return;
    changes.fetch_add(1);
    futexWake(changes);
  }
  if (!pthread_equal(watcher, pthread_self()))
    pthread_join(watcher, nullptr);
}

} // namespace xcc::rt
