// Stopping a kernel that does not end
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "interrupt.h"
#include "cpu/workers/sanitizer.h"
#include "cpu/workers/worker.h"
#include "faults.h"
#include "process/thread_state.h"

#include <dlfcn.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace xcc::rt::cpu {

static constexpr int Signal = SIGILL; // one of the signals we handle
static std::atomic<const Kernel *> wanted{nullptr};
static std::atomic<const char *> reason{nullptr};
static std::atomic<bool> waiting{false};

void interrupt(const Kernel &running, const char *why, bool alsoWaiting) {
  reason = why;
  waiting = alsoWaiting;
  wanted = &running;
  installFaultHandlers();
  Worker::forEachIn(running, [](pid_t thread) {
    siginfo_t info{};
    info.si_signo = Signal;
    info.si_code = SI_QUEUE;
    info.si_pid = getpid();
    info.si_value.sival_ptr = &wanted;
    // A thread that has ended meanwhile is not signalled.
    syscall(SYS_rt_tgsigqueueinfo, getpid(), thread, Signal, &info);
  });
}

XCC_RT_UNINSTRUMENTED bool isInterrupt(const siginfo_t *info) {
  return info->si_signo == Signal && info->si_code == SI_QUEUE &&
         info->si_value.sival_ptr == &wanted;
}

/// Are both addresses in one image?
XCC_RT_UNINSTRUMENTED static bool together(uintptr_t a, uintptr_t b) {
  dl_find_object found;
  return _dl_find_object(reinterpret_cast<void *>(b), &found) == 0 &&
         a - reinterpret_cast<uintptr_t>(found.dlfo_map_start) <
             uintptr_t(static_cast<char *>(found.dlfo_map_end) -
                       static_cast<char *>(found.dlfo_map_start));
}

/// Did the signal end a system call of the thread?
XCC_RT_UNINSTRUMENTED static bool afterSystemCall(uintptr_t at) {
  auto *before = reinterpret_cast<const unsigned char *>(at - 2);
  return before[0] == 0x0f && before[1] == 0x05;
}

XCC_RT_UNINSTRUMENTED void *leaveInterrupted(uintptr_t at) {
  Worker *w = peekThreadState().worker;
  if (!w || !w->inKernel() || !w->runs(*wanted.load()))
    return nullptr;
  if (!together(at, w->codeAddress()) && !(waiting && afterSystemCall(at)))
    return nullptr;
  Failure f;
  f.what = Failure::Interrupted;
  f.text = reason;
  return w->faulted(f);
}

} // namespace xcc::rt::cpu
