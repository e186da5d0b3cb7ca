// Getting out of code of the compiler's that fails
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A compiler that a hostile source leads astray faults as a kernel may, and
// should not take the process along either. What it held is lost: memory, and
// locks if it had any.

#ifndef XCC_SRC_CPU_FAULTS_RESCUE_H
#define XCC_SRC_CPU_FAULTS_RESCUE_H

namespace xcc::rt::cpu {

/// Calls \p function(\p argument). 0 when it returned, else the signal that it
/// was left for. Nothing of the calling thread is in a fit state then, but this
/// function's caller.
int callRescued(void (*function)(void *), void *argument);

/// For the handler: where the thread goes on after a fault; null when it is in
/// no such call. Ends the call.
void *takeRescue(int signal);

} // namespace xcc::rt::cpu
#endif // XCC_SRC_CPU_FAULTS_RESCUE_H
