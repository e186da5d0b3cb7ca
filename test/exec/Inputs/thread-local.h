// Variables of a thread's own that several files share
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_TEST_THREAD_LOCAL_H
#define XCC_TEST_THREAD_LOCAL_H

/// Counts its objects in what its maker names.
struct Counted {
  int *ended, value;
  explicit Counted(int value);
  ~Counted();
};

namespace elsewhere {
extern thread_local int constant; ///< 11 at first
extern thread_local Counted made; ///< of constant
int *address();                   ///< of constant
} // namespace elsewhere

extern "C" {
extern __thread int of_c[3]; ///< 1, 2, 3
int next_of_c();
}

inline thread_local int in_header = elsewhere::constant + 1;

#endif // XCC_TEST_THREAD_LOCAL_H
