//===-- cpu/faults.cpp - Signals that kernels raise -----------------------===//
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "faults.h"
#include "../thread_state.h"
#include "guard.h"
#include "sanitizer.h"
#include "worker.h"

#include <csignal>
#include <iterator>
#include <ucontext.h>

namespace xcc::rt::cpu {

static constexpr int Signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
static struct sigaction Previous[std::size(Signals)];

static unsigned indexOf(int Signal) {
  unsigned I = 0;
  while (Signals[I] != Signal)
    ++I;
  return I;
}

/// Hands a signal that is not ours to the handler before us.
static void chain(int Signal, siginfo_t *Info, void *Context) {
  const struct sigaction &Old = Previous[indexOf(Signal)];
  if (Old.sa_flags & SA_SIGINFO) {
    Old.sa_sigaction(Signal, Info, Context);
    return;
  }
  if (Old.sa_handler == SIG_IGN && Info->si_code <= 0)
    return;
  if (Old.sa_handler != SIG_DFL && Old.sa_handler != SIG_IGN) {
    Old.sa_handler(Signal);
    return;
  }
  // The default action: returning repeats the fault, or the sent signal is
  // raised again, without us.
  struct sigaction Default {};
  Default.sa_handler = SIG_DFL;
  sigaction(Signal, &Default, nullptr);
  if (Info->si_code <= 0)
    raise(Signal);
}

XCC_RT_UNINSTRUMENTED static void onFault(int Signal, siginfo_t *Info,
                                          void *Context) {
  Worker *W = peekThreadState().Worker;
  // Signals sent by kill() have codes up to 0 and are not the kernel's.
  if (!W || !W->inKernel() || Info->si_code <= 0) {
    chain(Signal, Info, Context);
    return;
  }
  auto &Registers = static_cast<ucontext_t *>(Context)->uc_mcontext.gregs;
  Failure F;
  F.What = Failure::Fault;
  F.Code = static_cast<uint32_t>(Signal);
  F.SignalCode = Info->si_code;
  F.Address = reinterpret_cast<uintptr_t>(Info->si_addr);
  F.StackOverflow = Signal == SIGSEGV && W->inStackGuard(F.Address);
  // Returning from the handler then continues in xcc_rt_guarded_leave, with
  // the signal mask as it was.
  Registers[REG_RDI] = reinterpret_cast<greg_t>(W->faulted(F));
  Registers[REG_RIP] = reinterpret_cast<greg_t>(&xcc_rt_guarded_leave);
}

void installFaultHandlers() {
  for (int Signal : Signals) {
    struct sigaction Ours {};
    Ours.sa_sigaction = onFault;
    // Without SA_NODEFER a fault inside a chained handler would kill.
    Ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigemptyset(&Ours.sa_mask);
    sigaction(Signal, &Ours, &Previous[indexOf(Signal)]);
  }
}

void removeFaultHandlers() {
  for (int Signal : Signals) {
    struct sigaction Now;
    if (sigaction(Signal, nullptr, &Now) == 0 && (Now.sa_flags & SA_SIGINFO) &&
        Now.sa_sigaction == onFault)
      sigaction(Signal, &Previous[indexOf(Signal)], nullptr);
  }
}

} // namespace xcc::rt::cpu
