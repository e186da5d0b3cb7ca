// What XCC_SIM_CHECK asks for, and what was found
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     XCC_SIM_CHECK=races          races in shared and in device memory
//     XCC_SIM_CHECK=init           values that nobody has initialised
//     XCC_SIM_CHECK=memory,sync    what is always checked, to say so
//
// With it, a process in which something was found ends with a count on standard
// error, and with the exit status 1 if it would have been 0.

#ifndef XCC_TEST_SIMULATOR_CHECKS_H
#define XCC_TEST_SIMULATOR_CHECKS_H

namespace simulator {

/// Are races looked for? Ends the process if the variable cannot be understood.
bool checksRaces();

/// Are uninitialised values looked for? So too.
bool checksInit();

/// Counts a finding. Thread-safe.
void countFinding();

/// Calls it when the process ends, after its own handlers.
void tellAtEnd(void (*tell)());

} // namespace simulator
#endif // XCC_TEST_SIMULATOR_CHECKS_H
