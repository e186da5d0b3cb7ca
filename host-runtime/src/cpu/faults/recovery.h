// Leaving compiler code that crashes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A compiler crash is caught like a kernel fault, so the process survives it.
// Memory and locks that the compiler held are lost.

#ifndef XCC_SRC_CPU_FAULTS_RECOVERY_H
#define XCC_SRC_CPU_FAULTS_RECOVERY_H

namespace xcc::rt::cpu {

/// Calls \p function(\p argument). Returns 0, or the signal that ended the
/// call. After a signal, only the state of this function's caller is still
/// valid.
int callWithRecovery(void (*function)(void *), void *argument);

/// For the signal handler: where the thread continues after a fault, or null
/// outside callWithRecovery(). Ends the guarded call.
void *takeRecovery(int signal);

} // namespace xcc::rt::cpu
#endif // XCC_SRC_CPU_FAULTS_RECOVERY_H
