// Signals that kernels raise
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "faults.h"
#include "../process/thread_state.h"
#include "chain.h"
#include "futex.h"
#include "guard.h"
#include "sanitizer.h"
#include "worker.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <exception>
#include <mutex>
#include <typeinfo>
#include <ucontext.h>
#include <utility>

namespace xcc::rt::cpu {

static constexpr int Signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
static constexpr unsigned SignalCount = 4;
/// How often ours are put above a handler that somebody else set.
static constexpr unsigned Layers = 8;
/// About a millisecond.
static constexpr uint64_t LookEvery = 2'500'000;

constinit std::atomic<uint64_t> NextLook{~uint64_t(0)};

/// What lies beneath our handler of each layer. Whoever set a handler above one
/// of ours may put ours back: each layer has a handler of its own, so that such
/// a handler then leads to what was beneath it, and not to itself.
static Disposition Beneath[SignalCount][Layers];
/// How many layers there are of each signal. Guarded by LayerMutex, with
/// signals blocked.
static unsigned Used[SignalCount];
static constinit std::mutex LayerMutex;

static unsigned indexOf(int Signal) {
  unsigned I = 0;
  while (I != SignalCount && Signals[I] != Signal)
    ++I;
  return I;
}

XCC_RT_UNINSTRUMENTED static void onFault(unsigned Layer, int Signal,
                                          siginfo_t *Info, void *Context) {
  Worker *W = peekThreadState().Worker;
  // Signals sent by kill() have codes up to 0 and are not the kernel's.
  if (!W || !W->inKernel() || Info->si_code <= 0) {
    int Error = errno;
    passOn(Beneath[indexOf(Signal)][Layer], Signal, Info, Context);
    errno = Error;
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

static std::terminate_handler EarlierTerminate;

/// An exception that a library threw finds no way through a kernel's frames,
/// and terminates: that ends the launch.
static void onTerminate() {
  Worker *W = peekThreadState().Worker;
  if (!W || !W->inKernel()) {
    if (EarlierTerminate)
      EarlierTerminate();
    abort();
  }
  Failure F;
  F.What = Failure::Trap;
  F.Code = XCC_CPU_TRAP_ABORT;
  F.Text = "std::terminate";
  char Text[256] = "";
  if (std::type_info *Type = abi::__cxa_current_exception_type()) {
    strncpy(Text, Type->name(), sizeof(Text) - 1);
    try {
      throw;
    } catch (const std::exception &E) {
      strncpy(Text, E.what(), sizeof(Text) - 1);
    } catch (...) {
    }
    abi::__cxa_end_catch();
    F.Code = XCC_CPU_TRAP_EXCEPTION;
    F.Text = Text;
  }
  W->leave(F);
}

using Handler = void (*)(int, siginfo_t *, void *);

template <unsigned Layer>
XCC_RT_UNINSTRUMENTED static void handler(int Signal, siginfo_t *Info,
                                          void *Context) {
  onFault(Layer, Signal, Info, Context);
}

template <size_t... I>
static constexpr auto makeHandlers(std::index_sequence<I...>) {
  struct {
    Handler Of[sizeof...(I)];
  } Made = {{handler<I>...}};
  return Made;
}
static constexpr auto Handlers =
    makeHandlers(std::make_index_sequence<Layers>());

/// The layer of a disposition that is one of ours; -1 of any other.
static int layerOf(const struct sigaction &A) {
  if (A.sa_flags & SA_SIGINFO)
    for (unsigned I = 0; I != Layers; ++I)
      if (A.sa_sigaction == Handlers.Of[I])
        return int(I);
  return -1;
}

/// Puts ours above what is there, if it is not there already.
static void putOnTop(unsigned I) {
  struct sigaction Now;
  if (__sigaction(Signals[I], nullptr, &Now) != 0 || layerOf(Now) >= 0 ||
      Used[I] == Layers)
    return;
  unsigned Layer = Used[I]++;
  Beneath[I][Layer].set(Now);
  struct sigaction Ours{};
  Ours.sa_sigaction = Handlers.Of[Layer];
  // Without SA_NODEFER a fault inside a chained handler would kill.
  Ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&Ours.sa_mask);
  __sigaction(Signals[I], &Ours, nullptr);
}

void installFaultHandlers() {
  {
    SignalsBlocked Blocked;
    std::lock_guard Lock(LayerMutex);
    for (unsigned I = 0; I != SignalCount; ++I)
      putOnTop(I);
  }
  EarlierTerminate = std::set_terminate(onTerminate);
  NextLook.store(ticks() + LookEvery, std::memory_order_relaxed);
}

void lookAfterFaultHandlers(uint64_t Now) {
  uint64_t Due = NextLook.load(std::memory_order_relaxed);
  if (Now < Due || !NextLook.compare_exchange_strong(Due, Now + LookEvery))
    return; // another thread looks
  SignalsBlocked Blocked;
  std::lock_guard Lock(LayerMutex);
  if (NextLook.load(std::memory_order_relaxed) == ~uint64_t(0))
    return; // removed
  for (unsigned I = 0; I != SignalCount; ++I)
    putOnTop(I);
}

void removeFaultHandlers() {
  SignalsBlocked Blocked;
  std::lock_guard Lock(LayerMutex);
  NextLook.store(~uint64_t(0), std::memory_order_relaxed);
  if (std::get_terminate() == onTerminate)
    std::set_terminate(EarlierTerminate);
  for (unsigned I = 0; I != SignalCount; ++I) {
    struct sigaction Now;
    int Layer;
    // What is beneath may be ours again.
    while (__sigaction(Signals[I], nullptr, &Now) == 0 &&
           (Layer = layerOf(Now)) >= 0) {
      struct sigaction Below = Beneath[I][Layer].get();
      if (layerOf(Below) == Layer)
        Below.sa_handler = SIG_DFL;
      __sigaction(Signals[I], &Below, nullptr);
    }
  }
}

int signalAction(int Signal, const struct sigaction *New,
                 struct sigaction *Old) {
  unsigned I = indexOf(Signal);
  if (I == SignalCount)
    return __sigaction(Signal, New, Old);
  SignalsBlocked Blocked;
  std::lock_guard Lock(LayerMutex);
  struct sigaction Now;
  if (int Failed = __sigaction(Signal, nullptr, &Now))
    return Failed;
  int Layer = layerOf(Now);
  // Not ours, or ours put back by somebody who saw it.
  if (Layer < 0 || (New && layerOf(*New) >= 0))
    return __sigaction(Signal, New, Old);
  struct sigaction Was = Beneath[I][Layer].get();
  if (New)
    Beneath[I][Layer].set(*New);
  if (Old)
    *Old = Was;
  return 0;
}

} // namespace xcc::rt::cpu
