// Leaving compiler code that crashes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "recovery.h"
#include "cpu/workers/sanitizer.h"
#include "faults.h"
#include "guard.h"
#include "process/thread_state.h"

#include <atomic>
#include <csignal>
#include <cstdlib>

namespace xcc::rt::cpu {

struct RecoveryPoint {
  void *recovery; ///< set by the guarded call
  int signal;
};

XCC_RT_UNINSTRUMENTED void *takeRecovery(int signal) {
  RecoveryPoint *recoveryPoint = peekThreadState().recoveryPoint;
  if (!recoveryPoint)
    return nullptr;
  peekThreadState().recoveryPoint = nullptr;
  recoveryPoint->signal = signal;
  return recoveryPoint->recovery;
}

int callWithRecovery(void (*function)(void *), void *argument) {
  static constexpr size_t stackSize = 64 * 1024;
  installFaultHandlers();
  stack_t own{}, old{};
  own.ss_size = stackSize;
  own.ss_sp = malloc(stackSize);
  bool placed = own.ss_sp && sigaltstack(&own, &old) == 0;
  RecoveryPoint recoveryPoint{nullptr, 0};
  peekThreadState().recoveryPoint = &recoveryPoint;
  // The handler reads the pointer on this thread.
  std::atomic_signal_fence(std::memory_order_seq_cst);
  int left = xcc_rt_guarded_call(&recoveryPoint.recovery, function, argument);
  peekThreadState().recoveryPoint = nullptr;
  if (left)
    sanitizer::leftFrames();
  if (placed)
    sigaltstack(&old, nullptr);
  free(own.ss_sp);
  return left ? recoveryPoint.signal : 0;
}

} // namespace xcc::rt::cpu
