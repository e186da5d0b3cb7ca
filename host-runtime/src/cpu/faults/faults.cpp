// Signals that kernels raise
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "faults.h"
#include "aborts.h"
#include "chain.h"
#include "cpu/workers/sanitizer.h"
#include "cpu/workers/worker.h"
#include "guard.h"
#include "interrupt.h"
#include "process/futex.h"
#include "process/thread_state.h"
#include "recovery.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <exception>
#include <mutex>
#include <typeinfo>
#include <ucontext.h>
#include <unistd.h>
#include <utility>

namespace xcc::rt::cpu {

static constexpr int Signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
static constexpr unsigned SignalCount = 5;
/// How often our handlers can be installed above another library's handler.
static constexpr unsigned Layers = 8;
/// Ticks between two looks: about a millisecond.
static constexpr uint64_t LookEvery = 2'500'000;

constinit std::atomic<uint64_t> nextCheck{~uint64_t(0)};

/// The handlers below ours, for each layer. A library that set a handler above
/// one of ours may restore ours. So each layer has a handler of its own: it
/// then leads to the handler below it, and not to itself.
static Disposition beneath[SignalCount][Layers];
/// The number of layers of each signal. Guarded by layerMutex, with signals
/// blocked.
static unsigned used[SignalCount];
static constinit std::mutex layerMutex;

static unsigned indexOf(int signal) {
  unsigned i = 0;
  while (i != SignalCount && Signals[i] != signal)
    ++i;
  return i;
}

/// Names the host function that device code called and that is about to end the
/// process. The likely cause is an address that the host cannot access.
XCC_RT_UNINSTRUMENTED static void reportHostCall(int signal,
                                                 const siginfo_t *info) {
  const char *name = peekThreadState().hostCall;
  if (!name || info->si_code <= 0)
    return;
  peekThreadState().hostCall = nullptr; // report once
  char text[512];
  int length =
      signal == SIGSEGV || signal == SIGBUS
          ? snprintf(text, sizeof(text),
                     "xcc: the host function '%s', which device code called, "
                     "used address %p, where the host has no memory; the host "
                     "cannot use an address in a device's own memory: pass a "
                     "std::span or a reference to the object, whose bytes are "
                     "copied, or memory that both can access\n",
                     name, info->si_addr)
          : snprintf(text, sizeof(text),
                     "xcc: the host function '%s', which device code called, "
                     "ended in %s\n",
                     name, signal == SIGFPE ? "SIGFPE" : "SIGILL");
  if (length > 0)
    (void)!write(STDERR_FILENO, text,
                 std::min(size_t(length), sizeof(text) - 1));
}

/// Makes the handler's return continue in xcc_rt_guarded_leave, with the signal
/// mask as it was.
XCC_RT_UNINSTRUMENTED static void leaveFor(void *home, void *context) {
  auto &registers = static_cast<ucontext_t *>(context)->uc_mcontext.gregs;
  registers[REG_RDI] = reinterpret_cast<greg_t>(home);
  registers[REG_RIP] = reinterpret_cast<greg_t>(&xcc_rt_guarded_leave);
}

/// Handles abort() on the thread that called it. Returns false if the process
/// has to end.
XCC_RT_UNINSTRUMENTED static bool onAbort(Worker *w, void *context) {
  const bool runs = w && w->inKernel();
  if (!runs && !peekThreadState().recoveryPoint)
    return false;
  const AbortReason reason = takeAbortReason(context);
  if (reason.heapLocked) {
    if (runs)
      w->printAborted(reason.text, reason.freed);
    return false;
  }
  if (void *recoveryPoint = takeRecovery(SIGABRT)) {
    leaveFor(recoveryPoint, context);
    return true;
  }
  Failure f;
  f.what = Failure::Fault;
  f.code = SIGABRT;
  f.text = reason.text;
  f.address = reason.freed;
  leaveFor(w->faulted(f), context);
  return true;
}

XCC_RT_UNINSTRUMENTED static void onFault(unsigned layer, int signal,
                                          siginfo_t *info, void *context) {
  Worker *w = peekThreadState().worker;
  if (void *recoveryPoint =
          info->si_code > 0 ? takeRecovery(signal) : nullptr) {
    leaveFor(recoveryPoint, context);
    return;
  }
  if (isInterrupt(info)) {
    auto &registers = static_cast<ucontext_t *>(context)->uc_mcontext.gregs;
    if (void *home = leaveInterrupted(uintptr_t(registers[REG_RIP])))
      leaveFor(home, context);
    return;
  }
  if (isAbort(signal, info) && onAbort(w, context))
    return;
  // Signals sent by kill() have codes up to 0; no kernel caused them.
  if (!w || !w->inKernel() || info->si_code <= 0) {
    int error = errno;
    reportHostCall(signal, info);
    passOn(beneath[indexOf(signal)][layer], signal, info, context);
    errno = error;
    return;
  }
  Failure f;
  f.what = Failure::Fault;
  f.code = static_cast<uint32_t>(signal);
  f.signalCode = info->si_code;
  f.address = reinterpret_cast<uintptr_t>(info->si_addr);
  f.stackOverflow = signal == SIGSEGV && w->inStackGuard(f.address);
  leaveFor(w->faulted(f), context);
}

static std::terminate_handler earlierTerminate;

/// An exception that a library threw cannot unwind through a kernel's frames,
/// so the C++ runtime calls this. It ends the launch.
static void onTerminate() {
  if (void *recoveryPoint = takeRecovery(SIGABRT))
    xcc_rt_guarded_leave(recoveryPoint);
  Worker *w = peekThreadState().worker;
  if (!w || !w->inKernel()) {
    if (earlierTerminate)
      earlierTerminate();
    abort();
  }
  Failure f;
  f.what = Failure::Trap;
  f.code = XCC_CPU_TRAP_ABORT;
  f.text = "std::terminate";
  char text[256] = "";
  if (std::type_info *type = abi::__cxa_current_exception_type()) {
    strncpy(text, type->name(), sizeof(text) - 1);
    try {
      throw;
    } catch (const std::exception &e) {
      strncpy(text, e.what(), sizeof(text) - 1);
    } catch (...) {
    }
    abi::__cxa_end_catch();
    f.code = XCC_CPU_TRAP_EXCEPTION;
    f.text = text;
  }
  w->leave(f);
}

using Handler = void (*)(int, siginfo_t *, void *);

template <unsigned Layer>
XCC_RT_UNINSTRUMENTED static void handler(int signal, siginfo_t *info,
                                          void *context) {
  onFault(Layer, signal, info, context);
}

template <size_t... I>
static constexpr auto makeHandlers(std::index_sequence<I...>) {
  struct {
    Handler of[sizeof...(I)];
  } made = {{handler<I>...}};
  return made;
}
static constexpr auto Handlers =
    makeHandlers(std::make_index_sequence<Layers>());

/// The layer of our handler in \p a; -1 if the handler is not ours.
static int layerOf(const struct sigaction &a) {
  if (a.sa_flags & SA_SIGINFO)
    for (unsigned i = 0; i != Layers; ++i)
      if (a.sa_sigaction == Handlers.of[i])
        return int(i);
  return -1;
}

/// Installs our handler above the current one, unless ours is current.
static void putOnTop(unsigned i) {
  struct sigaction now;
  if (__sigaction(Signals[i], nullptr, &now) != 0 || layerOf(now) >= 0 ||
      used[i] == Layers)
    return;
  unsigned layer = used[i]++;
  beneath[i][layer].set(now);
  struct sigaction ours{};
  ours.sa_sigaction = Handlers.of[layer];
  // Without SA_NODEFER a fault inside a chained handler kills the process.
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&ours.sa_mask);
  __sigaction(Signals[i], &ours, nullptr);
}

void installFaultHandlers() {
  {
    SignalsBlocked blocked;
    std::lock_guard lock(layerMutex);
    prepareForAborts();
    for (unsigned i = 0; i != SignalCount; ++i)
      putOnTop(i);
    if (std::get_terminate() != onTerminate)
      earlierTerminate = std::set_terminate(onTerminate);
  }
  nextCheck.store(ticks() + LookEvery, std::memory_order_relaxed);
}

void checkFaultHandlers(uint64_t now) {
  uint64_t due = nextCheck.load(std::memory_order_relaxed);
  if (now < due || !nextCheck.compare_exchange_strong(due, now + LookEvery))
    return; // another thread looks
  SignalsBlocked blocked;
  std::lock_guard lock(layerMutex);
  if (nextCheck.load(std::memory_order_relaxed) == ~uint64_t(0))
    return; // removed
  for (unsigned i = 0; i != SignalCount; ++i)
    putOnTop(i);
}

void removeFaultHandlers() {
  SignalsBlocked blocked;
  std::lock_guard lock(layerMutex);
  nextCheck.store(~uint64_t(0), std::memory_order_relaxed);
  if (std::get_terminate() == onTerminate)
    std::set_terminate(earlierTerminate);
  for (unsigned i = 0; i != SignalCount; ++i) {
    struct sigaction now;
    int layer;
    // The handler beneath may be one of ours again.
    while (__sigaction(Signals[i], nullptr, &now) == 0 &&
           (layer = layerOf(now)) >= 0) {
      struct sigaction below = beneath[i][layer].get();
      if (layerOf(below) == layer)
        below.sa_handler = SIG_DFL;
      __sigaction(Signals[i], &below, nullptr);
    }
  }
}

int signalAction(int signal, const struct sigaction *wanted,
                 struct sigaction *old) {
  unsigned i = indexOf(signal);
  if (i == SignalCount)
    return __sigaction(signal, wanted, old);
  SignalsBlocked blocked;
  std::lock_guard lock(layerMutex);
  struct sigaction now;
  if (int failed = __sigaction(signal, nullptr, &now))
    return failed;
  int layer = layerOf(now);
  // Not our handler, or a library restores ours that it had saved.
  if (layer < 0 || (wanted && layerOf(*wanted) >= 0))
    return __sigaction(signal, wanted, old);
  struct sigaction was = beneath[i][layer].get();
  if (wanted)
    beneath[i][layer].set(*wanted);
  if (old)
    *old = was;
  return 0;
}

} // namespace xcc::rt::cpu
