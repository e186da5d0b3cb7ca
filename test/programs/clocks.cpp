// <chrono>'s clocks, and texts compared
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %compare %s --devices host,sm_90,gfx1100 --levels=-O2
#include <chrono>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <string>

int main(int argc, char **) {
  using namespace std::chrono;
  using namespace std::literals;
  const auto begin = steady_clock::now();
  const auto since = system_clock::now().time_since_epoch();
  std::printf("%d %d\n", since > 24h * 365 * 50,
              system_clock::to_time_t(system_clock::now()) >= time(nullptr) - 1);
  std::printf("%d\n", high_resolution_clock::now().time_since_epoch() > 0s);
  const auto spent = steady_clock::now() - begin;
  std::printf("%d %d\n", spent >= 0ns, spent < 1h);

  // What a comparison is beside its sign is the C library's own, and is printed.
  const std::string a(std::size_t(argc), 'a'), b = a + "?x", c = a + "!\x80";
  std::printf("%d %d %d\n", b.compare(c), strcmp(a.c_str(), b.c_str()),
              strncmp(c.c_str(), b.c_str(), std::size_t(argc) + 1));
  std::printf("%d %d\n", memcmp(b.data(), c.data(), b.size()),
              memcmp(c.data() + argc + 1, "A", 1));
}
