// What programs that are run on every device say when something is wrong
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_TEST_MAPPING_CHECK_H
#define XCC_TEST_MAPPING_CHECK_H

#include <xcc/xcc.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#define CHECK(...)                                                             \
  do {                                                                         \
    if (!(__VA_ARGS__)) {                                                      \
      std::fprintf(stderr, "%s:%d: not so: %s (on %s)\n", __FILE__, __LINE__,  \
                   #__VA_ARGS__, xcc::device::current().id());                 \
      std::exit(1);                                                            \
    }                                                                          \
  } while (false)

/// Does the current device have memory of its own?
inline bool separate() {
  const char *mode = std::getenv("XCC_CPU_SEPARATE");
  return std::strcmp(xcc::device::current().kind(), "host") != 0 ||
         (mode && *mode != '0');
}

/// Does the call fail with a message that has all the parts? Where the device
/// shares the host's memory nothing is looked at, and the call is not made.
template <class F, class... Part> bool fails(F &&call, Part... part) {
  if (!separate())
    return true;
  try {
    call();
  } catch (const xcc::error &e) {
    if ((std::strstr(e.what(), part) && ...))
      return true;
    std::fprintf(stderr, "it says: %s\n", e.what());
    return false;
  }
  std::fprintf(stderr, "there was no error\n");
  return false;
}

#endif // XCC_TEST_MAPPING_CHECK_H
