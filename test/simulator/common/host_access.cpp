// Host code that uses device memory
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "host_access.h"
#include "device_memory.h"

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <ucontext.h>
#include <unistd.h>

namespace simulator {

/// What handled the signal before. Written once, before ours is in place.
static struct sigaction before;

/// Did the instruction want to write? Bit 1 of x86's page fault code.
static bool wasWrite(const void *context) {
#ifdef __x86_64__
  auto *c = static_cast<const ucontext_t *>(context);
  return c->uc_mcontext.gregs[REG_ERR] & 2;
#else
  return false;
#endif
}

/// As a rule printf is nothing for signal handlers; this one is called for a
/// fault in the program's own code, and formats into memory of its own.
static void explain(uint64_t address, bool isWrite) {
  char text[256];
  const char *does = isWrite ? "writes" : "reads";
  Allocation a;
  int length =
      findAllocation(address, a)
          ? snprintf(text, sizeof(text),
                     "simulator: the host %s device memory at %#llx (byte %llu "
                     "of an allocation of %llu bytes)\n",
                     does, (unsigned long long)address,
                     (unsigned long long)(address - a.begin),
                     (unsigned long long)a.bytes)
          : snprintf(text, sizeof(text),
                     "simulator: the host %s device memory at %#llx (no "
                     "allocation is there)\n",
                     does, (unsigned long long)address);
  [[maybe_unused]] ssize_t written =
      ::write(STDERR_FILENO, text, size_t(length));
}

static void onFault(int signal, siginfo_t *info, void *context) {
  const int error = errno;
  const auto address = reinterpret_cast<uintptr_t>(info->si_addr);
  if (info->si_code > 0 && isDeviceAddress(address))
    explain(address, wasWrite(context));
  errno = error;
  if (before.sa_flags & SA_SIGINFO)
    return before.sa_sigaction(signal, info, context);
  if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN)
    return before.sa_handler(signal);
  // The instruction is repeated without us; a signal that was sent is not.
  struct sigaction byDefault{};
  byDefault.sa_handler = SIG_DFL;
  sigaction(signal, &byDefault, nullptr);
  if (info->si_code <= 0)
    raise(signal);
}

void reportHostAccess() {
  sigaction(SIGSEGV, nullptr, &before);
  struct sigaction ours{};
  ours.sa_sigaction = onFault;
  // On whatever stack the handler beneath wants, under the same rules.
  ours.sa_flags = SA_SIGINFO | (before.sa_flags & (SA_ONSTACK | SA_NODEFER));
  ours.sa_mask = before.sa_mask;
  sigaction(SIGSEGV, &ours, nullptr);
}

} // namespace simulator
