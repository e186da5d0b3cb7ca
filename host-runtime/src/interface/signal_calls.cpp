// The program sets a handler of its own
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// xcc links what holds kernels with --wrap, so that its calls of sigaction and
// signal come here. Before the first launch, and for signals that are no
// faults, they are what they always are; afterwards the program's handler comes
// to lie beneath that of the CPU device, and the program does not see that one.

#include "../cpu/faults.h"
#include "xcc/runtime.h"

#include <cerrno>

using Function = void (*)(int);

// Other names of what is wrapped.
extern "C" Function ssignal(int, Function) noexcept;
extern "C" Function sysv_signal(int, Function) noexcept;

static bool isFault(int Signal) {
  return Signal == SIGSEGV || Signal == SIGBUS || Signal == SIGFPE ||
         Signal == SIGILL;
}

static Function setHandler(int Signal, Function To, int Flags) {
  struct sigaction New{}, Old;
  New.sa_handler = To;
  New.sa_flags = Flags;
  sigemptyset(&New.sa_mask);
  if (To == SIG_ERR) {
    errno = EINVAL;
    return SIG_ERR;
  }
  return xcc_signal_action(Signal, &New, &Old) == 0 ? Old.sa_handler : SIG_ERR;
}

#define WRAPPER extern "C" __attribute__((visibility("default")))

WRAPPER int __wrap_sigaction(int Signal, const struct sigaction *New,
                             struct sigaction *Old) {
  return xcc_signal_action(Signal, New, Old);
}
WRAPPER Function __wrap_signal(int Signal, Function To) {
  return isFault(Signal) ? setHandler(Signal, To, SA_RESTART)
                         : ssignal(Signal, To);
}
WRAPPER Function __wrap_bsd_signal(int Signal, Function To) {
  return __wrap_signal(Signal, To);
}
WRAPPER Function __wrap___sysv_signal(int Signal, Function To) {
  return isFault(Signal)
             ? setHandler(Signal, To, int(SA_RESETHAND) | SA_NODEFER)
             : sysv_signal(Signal, To);
}
