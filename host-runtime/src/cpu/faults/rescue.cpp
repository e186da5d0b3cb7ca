// Getting out of code of the compiler's that fails
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rescue.h"
#include "chain.h"
#include "cpu/workers/sanitizer.h"
#include "faults.h"
#include "guard.h"
#include "process/thread_state.h"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <mutex>
#include <ucontext.h>
#include <unistd.h>

namespace xcc::rt::cpu {

struct Rescue {
  void *recovery; ///< set by the guarded call
  int signal;
};

XCC_RT_UNINSTRUMENTED void *takeRescue(int signal) {
  Rescue *rescue = peekThreadState().rescue;
  if (!rescue)
    return nullptr;
  peekThreadState().rescue = nullptr;
  rescue->signal = signal;
  return rescue->recovery;
}

//===----------------------------------------------------------------------===//
// abort()
//===----------------------------------------------------------------------===//

/// The process's own affair, but of threads that are in such a call: while there
/// are any, we stand before what it has for it.
static constinit std::mutex abortMutex;
static unsigned inCalls = 0;
static Disposition beneathAbort;

/// abort() sends the signal to its own thread, and bears being left.
XCC_RT_UNINSTRUMENTED static void onAbort(int signal, siginfo_t *info,
                                          void *context) {
  bool own = info->si_code == SI_TKILL && info->si_pid == getpid();
  if (void *rescue = own ? takeRescue(signal) : nullptr) {
    auto &registers = static_cast<ucontext_t *>(context)->uc_mcontext.gregs;
    registers[REG_RDI] = reinterpret_cast<greg_t>(rescue);
    registers[REG_RIP] = reinterpret_cast<greg_t>(&xcc_rt_guarded_leave);
    return;
  }
  passOn(beneathAbort, signal, info, context);
}

static bool isOurs(const struct sigaction &a) {
  return (a.sa_flags & SA_SIGINFO) && a.sa_sigaction == onAbort;
}

namespace {
class AbortCaught {
public:
  AbortCaught() {
    SignalsBlocked blocked;
    std::lock_guard lock(abortMutex);
    struct sigaction now;
    if (inCalls++ || __sigaction(SIGABRT, nullptr, &now) != 0 || isOurs(now))
      return;
    beneathAbort.set(now);
    struct sigaction ours{};
    ours.sa_sigaction = onAbort;
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigemptyset(&ours.sa_mask);
    __sigaction(SIGABRT, &ours, nullptr);
  }
  ~AbortCaught() {
    SignalsBlocked blocked;
    std::lock_guard lock(abortMutex);
    struct sigaction now;
    // Whoever put one above ours goes on to ours, and on to what was there.
    if (--inCalls || __sigaction(SIGABRT, nullptr, &now) != 0 || !isOurs(now))
      return;
    now = beneathAbort.get();
    __sigaction(SIGABRT, &now, nullptr);
  }
  AbortCaught(const AbortCaught &) = delete;
};
} // namespace

int callRescued(void (*function)(void *), void *argument) {
  static constexpr size_t stackSize = 64 * 1024;
  installFaultHandlers();
  AbortCaught abortCaught;
  stack_t own{}, old{};
  own.ss_size = stackSize;
  own.ss_sp = malloc(stackSize);
  bool placed = own.ss_sp && sigaltstack(&own, &old) == 0;
  Rescue rescue{nullptr, 0};
  peekThreadState().rescue = &rescue;
  // The handler reads it, on this thread.
  std::atomic_signal_fence(std::memory_order_seq_cst);
  int left = xcc_rt_guarded_call(&rescue.recovery, function, argument);
  peekThreadState().rescue = nullptr;
  if (left)
    sanitizer::leftFrames();
  if (placed)
    sigaltstack(&old, nullptr);
  free(own.ss_sp);
  return left ? rescue.signal : 0;
}

} // namespace xcc::rt::cpu
