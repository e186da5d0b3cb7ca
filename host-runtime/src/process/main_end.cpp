// main ends by pthread_exit
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "main_end.h"
#include "../cpu/futex.h"
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

static constinit std::atomic<unsigned> Own{0}, Users{0};
/// Guards the next two.
static constinit std::mutex WatchMutex;
static pthread_t Watcher;
static bool Watching = false;
static constinit std::atomic<bool> Stopped{false};
/// What the watcher sleeps on: changes when the last user ends, and at the end.
static constinit std::atomic<uint32_t> Changes{0};

static bool mainEnded() {
  char Path[64], Text[512] = "";
  snprintf(Path, sizeof(Path), "/proc/self/task/%d/stat", int(getpid()));
  FILE *F = fopen(Path, "re");
  if (!F)
    return false;
  size_t Size = fread(Text, 1, sizeof(Text) - 1, F);
  fclose(F);
  Text[Size] = 0;
  // The state follows the name, which may hold anything, in brackets.
  const char *Name = strrchr(Text, ')');
  return Name && Name[1] == ' ' && Name[2] == 'Z';
}

/// How many threads the process has, one that has ended as main included; 0
/// when that cannot be known.
static unsigned threadCount() {
  DIR *D = opendir("/proc/self/task");
  if (!D)
    return 0;
  unsigned Count = 0;
  while (const dirent *E = readdir(D))
    Count += E->d_name[0] != '.';
  closedir(D);
  return Count;
}

static void *watch(void *) {
  constexpr uint64_t Often = 20'000'000, Seldom = 1'000'000'000;
  pthread_setname_np(pthread_self(), "xcc end");
  ownThreadBegins();
  for (unsigned Turn = 0;; ++Turn) {
    uint32_t Seen = Changes.load();
    if (Stopped.load())
      break;
    if (Users.load()) {
      cpu::futexWait(Changes, Seen);
      Turn = 0;
      continue;
    }
    if (mainEnded() && threadCount() == 1 + Own.load())
      exit(0); // as the C library does when the last thread ends
    cpu::futexWaitFor(Changes, Seen, Turn < 50 ? Often : Seldom);
  }
  ownThreadEnds();
  return nullptr;
}

void ownThreadBegins() {
  peekThreadState().Own = true;
  Own.fetch_add(1);
}

void ownThreadEnds() { Own.fetch_sub(1); }

void userBegins() { Users.fetch_add(1); }

void userEnds() {
  if (Users.fetch_sub(1) != 1)
    return;
  std::lock_guard Lock(WatchMutex);
  Changes.fetch_add(1);
  if (Watching)
    cpu::futexWake(Changes);
  if (Watching || Stopped.load())
    return;
  // With the signals of the thread that ends.
  Watching = pthread_create(&Watcher, nullptr, watch, nullptr) == 0;
}

void stopMainWatch() {
  {
    std::lock_guard Lock(WatchMutex);
    Stopped.store(true);
    if (!Watching)
      return;
    Changes.fetch_add(1);
    cpu::futexWake(Changes);
  }
  if (!pthread_equal(Watcher, pthread_self()))
    pthread_join(Watcher, nullptr);
}

} // namespace xcc::rt
