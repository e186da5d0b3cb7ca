// Cases that write what happens into a log, which is compared with the host's
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_TEST_EXEC_LOGGED_CASES_H
#define XCC_TEST_EXEC_LOGGED_CASES_H

#include <cstdio>
#include <cstring>
#include <vector>
#include <xcc/xcc.h>

/// What happened.
struct Log {
  char text[200];
  int size;
  void put(char c) {
    if (size < 199)
      text[size++] = c;
    text[size] = 0;
  }
  void put(const char *s) {
    while (*s)
      put(*s++);
  }
  void put(long n) {
    if (n < 0)
      put('-'), n = -n;
    if (n > 9)
      put(n / 10);
    put(char('0' + n % 10));
  }
};

/// Runs Kernel(logs, 0) with a log for each of \p count cases, and then each case on the
/// host. Prints where they differ.
template <auto Kernel, class Case>
void compareCases(int count, unsigned threads, Case onHost) {
  xcc::buffer<Log> logs(count);
  std::vector<Log> device(count), host(count);
  logs.copy_from(device.data(), count);
  xcc::launch({{1}, {threads}}, Kernel, logs.data(), 0);
  logs.copy_to(device.data(), count);
  for (int i = 0; i < count; ++i) {
    onHost(host[i], i, 0);
    if (std::strcmp(device[i].text, host[i].text))
      std::printf("case %d differs: '%s', on the host '%s'\n", i,
                  device[i].text, host[i].text);
  }
}

#endif // XCC_TEST_EXEC_LOGGED_CASES_H
