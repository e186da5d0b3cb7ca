// When the work of streams and queues begins
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch, copy or fill in a stream may begin at once, or when somebody waits
// for it. Both are right, and a program that forgets to wait shows only with the
// second. The mocks begin at once (at_once.cpp); the simulators do what
// XCC_SIM_STREAMS says (test/simulator/common/lateness.cpp, docs/testing.md).

#ifndef XCC_TEST_MOCK_LATENESS_H
#define XCC_TEST_MOCK_LATENESS_H

namespace mock {

enum class Begins {
  AtOnce,
  Late,   ///< when somebody waits for it, or after some milliseconds
  Latest, ///< when somebody waits for it
  Seeded  ///< late, or at once, and in an order that a seed chooses
};
Begins workBegins();

/// A number below \p n that the seed gives; 0 where there is none.
unsigned throwDice(unsigned n);

/// Work was put in that nobody has asked for. Calls \p tick now and then, on
/// another thread, until it returns false: nothing is left to be looked at. All
/// calls pass the same function.
void watchPending(bool (*tick)());

} // namespace mock
#endif // XCC_TEST_MOCK_LATENESS_H
