// What bringing home strings that a kernel has grown costs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: growing [rounds]. One kernel appends to 10,000 strings whose buffers are
// full, another writes a character in each of 10,000 strings that are as long. The
// host appends to as many itself, which shows what malloc and free cost alone.
// Measured is the processor time of the thread that waits, from the end of the
// kernel to the end of the copy back, so a simulator's own work does not count.
// The least of all rounds is printed, and the ratio of both.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <thread>
#include <vector>
#include <xcc/xcc.h>

static double milliseconds() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e3 * double(t.tv_sec) + 1e-6 * double(t.tv_nsec);
}

/// How long the copy back takes, once the kernel has ended.
static double wait() {
  std::atomic<bool> ended = false;
  xcc::detail::check(xcc_stream_call(
      nullptr,
      [](void *flag) { *static_cast<std::atomic<bool> *>(flag) = true; },
      &ended));
  while (!ended)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  const double start = milliseconds();
  xcc::synchronize();
  return milliseconds() - start;
}

int main(int argc, char **argv) {
  constexpr std::size_t Count = 10000;
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 20;
  double grown = 1e9, same = 1e9, host = 1e9;
  for (int round = 0; round < rounds; ++round) {
    std::vector<std::string> full(Count, std::string(40, 'x')),
        large(Count, std::string(81, 'y'));
    xcc::parallel_for(Count, [&](std::size_t i) { full[i] += "!"; });
    grown = std::min(grown, wait());
    xcc::parallel_for(Count, [&](std::size_t i) { large[i][0] = 'z'; });
    same = std::min(same, wait());
    std::vector<std::string> own(Count, std::string(40, 'x'));
    const double start = milliseconds();
    for (std::string &each : own)
      each += "!";
    host = std::min(host, milliseconds() - start);
    if (full[Count - 1].size() != 41 || large[0][0] != 'z')
      return 1;
  }
  std::printf(
      "grown %.2f ms, written in place %.2f ms, ratio %.2f; by the host "
      "itself %.2f ms\n",
      grown, same, grown / same, host);
}
