// sigaction and signal in programs with kernels
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// xcc links programs with kernels with --wrap, so that their calls of sigaction
// and signal come here. Before the first launch, and for signals that are no
// faults, the calls work as usual. Afterwards the program's handler is set
// beneath the handler of the CPU device, which the program does not see.

#include "cpu/faults/faults.h"
#include "xcc/runtime.h"

#include <cerrno>

using Function = void (*)(int);

// Other names of the wrapped functions.
extern "C" Function ssignal(int, Function) noexcept;
extern "C" Function sysv_signal(int, Function) noexcept;

static bool isFault(int signal) {
  return signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE ||
         signal == SIGILL || signal == SIGABRT;
}

static Function setHandler(int signal, Function to, int flags) {
  struct sigaction wanted{}, old;
  wanted.sa_handler = to;
  wanted.sa_flags = flags;
  sigemptyset(&wanted.sa_mask);
  if (to == SIG_ERR) {
    errno = EINVAL;
    return SIG_ERR;
  }
  return xcc_signal_action(signal, &wanted, &old) == 0 ? old.sa_handler
                                                       : SIG_ERR;
}

#define WRAPPER extern "C" __attribute__((visibility("default")))

WRAPPER int __wrap_sigaction(int signal, const struct sigaction *wanted,
                             struct sigaction *old) {
  return xcc_signal_action(signal, wanted, old);
}
WRAPPER Function __wrap_signal(int signal, Function to) {
  return isFault(signal) ? setHandler(signal, to, SA_RESTART)
                         : ssignal(signal, to);
}
WRAPPER Function __wrap_bsd_signal(int signal, Function to) {
  return __wrap_signal(signal, to);
}
WRAPPER Function __wrap___sysv_signal(int signal, Function to) {
  return isFault(signal)
             ? setHandler(signal, to, int(SA_RESETHAND) | SA_NODEFER)
             : sysv_signal(signal, to);
}
