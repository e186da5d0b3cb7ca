// What XCC_SIM_CHECK asks for
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     XCC_SIM_CHECK=races          races in shared and in device memory
//     XCC_SIM_CHECK=init           values that nobody has initialised
//     XCC_SIM_CHECK=memory         gaps between variables of shared memory, beside
//                                  what is always checked
//     XCC_SIM_CHECK=sync           what is always checked, to say so

#ifndef XCC_TEST_SIMULATOR_CHECKS_H
#define XCC_TEST_SIMULATOR_CHECKS_H

namespace simulator {

/// Are races looked for? Ends the process if the variable cannot be understood.
bool checksRaces();

/// Are variables of shared memory kept apart? So too.
bool checksMemory();

/// Are uninitialised values looked for? So too.
bool checksInit();

/// Is anything asked for?
bool checksWanted();

/// Calls it when the process ends, after its own handlers.
void tellAtEnd(void (*tell)());
/// The process ends.
void finishChecks();

} // namespace simulator
#endif // XCC_TEST_SIMULATOR_CHECKS_H
