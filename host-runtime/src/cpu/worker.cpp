// A thread that runs blocks
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "worker.h"
#include "../process/log.h"
#include "../process/thread_state.h"
#include "../sentence.h"
#include "../services/trap_text.h"
#include "cpu_device.h"
#include "fiber.h"
#include "guard.h"
#include "sanitizer.h"
#include "stdio_locks.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <exception>
#include <mutex>
#include <new>
#include <pthread.h>
#include <sys/mman.h>
#include <typeinfo>
#include <unistd.h>

namespace xcc::rt::cpu {

/// Where a loop kernel's thread record says nothing.
static constexpr uint32_t Nowhere = ~0u;
static constexpr size_t SignalStackSize = 64 * 1024;
static constexpr size_t SharedSize = XCC_CPU_MAX_SHARED;
static constexpr size_t ExchangeSize =
    size_t(XCC_CPU_MAX_BLOCK) * XCC_CPU_EXCHANGE_BYTES;

static std::mutex FreeMutex;
static Worker *FreeList;
/// All that were ever made.
static std::atomic<Worker *> Made{nullptr};

static void *map(size_t Size) {
  void *P = mmap(nullptr, Size, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return P == MAP_FAILED ? nullptr : P;
}

Worker *Worker::make() {
  {
    std::lock_guard Lock(FreeMutex);
    if (Worker *W = FreeList) {
      FreeList = W->NextFree;
      return W;
    }
  }
  auto *W = new (std::nothrow) Worker;
  if (!W)
    return nullptr;
  W->Memory = map(SharedSize + ExchangeSize);
  W->SignalStack = map(SignalStackSize);
  if (!W->Memory || !W->SignalStack) {
    delete W;
    return nullptr;
  }
  W->NextMade = Made.load(std::memory_order_relaxed);
  while (!Made.compare_exchange_weak(W->NextMade, W, std::memory_order_release,
                                     std::memory_order_relaxed))
    ;
  return W;
}

Worker::~Worker() {
  if (Memory)
    munmap(Memory, SharedSize + ExchangeSize);
  if (SignalStack)
    munmap(SignalStack, SignalStackSize);
}

Worker *Worker::current() {
  ThreadState &State = threadState();
  if (!State.Worker) [[unlikely]] {
    State.Worker = make();
    if (State.Worker)
      State.Worker->attach();
  }
  return State.Worker;
}

void Worker::release(Worker *W) {
  W->detach();
  std::lock_guard Lock(FreeMutex);
  W->NextFree = FreeList;
  FreeList = W;
}

/// Gives the thread a signal stack, on which an overflow of its own stack can
/// be handled, and learns where that stack ends.
void Worker::attach() {
  Share = 0;
  stack_t Old;
  if (sigaltstack(nullptr, &Old) == 0 && (Old.ss_flags & SS_DISABLE)) {
    stack_t Ours{};
    Ours.ss_sp = SignalStack;
    Ours.ss_size = SignalStackSize;
    sigaltstack(&Ours, nullptr);
  }
  pthread_attr_t Attributes;
  if (pthread_getattr_np(pthread_self(), &Attributes) == 0) {
    void *Low;
    size_t Size;
    pthread_attr_getstack(&Attributes, &Low, &Size);
    pthread_attr_getguardsize(&Attributes, &StackGuard);
    StackLow = reinterpret_cast<uintptr_t>(Low);
    StackSize = Size;
    pthread_attr_destroy(&Attributes);
  }
}

void Worker::detach() {
  stack_t Old;
  if (sigaltstack(nullptr, &Old) == 0 && Old.ss_sp == SignalStack) {
    stack_t Off{};
    Off.ss_flags = SS_DISABLE;
    sigaltstack(&Off, nullptr);
  }
}

bool Worker::inStackGuard(uintptr_t Address) const {
  // The main thread's stack has no guard of a known size; it grows down to
  // its limit, and an overflow touches the pages just below.
  constexpr uintptr_t Near = 1 << 20;
  uintptr_t High = StackLow + 4096;
  if (StackLow && Address < High && Address + Near > StackLow)
    return true;
  return Fibers && Fibers->inGuard(Address);
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

bool Worker::enter(const Dispatch &D) {
  Entered = &D;
  Why = Failure();
  Group = D.Group;
  Group.shared = Memory;
  Group.exchange = static_cast<char *>(Memory) + SharedSize;
  Group.thread = &Thread;
  Thread.group = &Group;
  if (D.PrivateSize) {
    size_t Threads =
        size_t(Group.block_dim[0]) * Group.block_dim[1] * Group.block_dim[2];
    size_t Need = Threads * D.PrivateSize;
    if (Need > ScratchSize) {
      if (Scratch)
        munmap(Scratch, ScratchSize);
      ScratchSize = 0;
      Scratch = map(Need);
      if (Scratch)
        ScratchSize = Need;
    }
    Group.scratch = Scratch;
    if (!Scratch) {
      Why.What = Failure::OutOfMemory;
      snprintf(Text, sizeof(Text), "%zu bytes of scratch memory", Need);
      return false;
    }
  }
  Active = nullptr;
  if (D.Code->flags & XCC_CPU_KERNEL_FIBERS) {
    if (!Fibers)
      Fibers = FiberGroup::make();
    size_t Threads =
        size_t(Group.block_dim[0]) * Group.block_dim[1] * Group.block_dim[2];
    if (!Fibers || !Fibers->enter(*this, unsigned(Threads))) {
      Why.What = Failure::OutOfMemory;
      snprintf(Text, sizeof(Text), "the stacks of %zu threads", Threads);
      return false;
    }
    Active = Fibers;
  }
  return true;
}

void Thrown::leave(const char *What) {
  keep(What);
  W.leave(failure());
}

// A failing kernel leaves this frame without returning; ThreadSanitizer would
// keep an entry for it.
XCC_RT_UNINSTRUMENTED void Worker::callBlocks(void *Self) {
  auto &W = *static_cast<Worker *>(Self);
  const xcc_cpu_kernel &Code = *W.Entered->Code;
  Thrown Exception(W);
  if (Exception.by([&]() XCC_RT_UNINSTRUMENTED {
        if (W.Active)
          W.Active->run(reinterpret_cast<xcc_cpu_thread_fn>(Code.entry),
                        W.First, W.Last);
        else
          reinterpret_cast<xcc_cpu_block_fn>(Code.entry)(&W.Group, W.First,
                                                         W.Last);
      }))
    W.leave(Exception.failure());
}

bool Worker::run(const Dispatch &D, uint64_t RunFirst, uint64_t RunLast) {
  First = RunFirst;
  Last = RunLast;
  Current = &Thread;
  Thread.thread_idx[0] = Thread.block_idx[0] = Nowhere;
  InKernel.store(true, std::memory_order_release);
  int Left = xcc_rt_guarded_call(&Recovery, callBlocks, this);
  InKernel.store(false, std::memory_order_relaxed);
  Runs.store(Runs.load(std::memory_order_relaxed) + 1,
             std::memory_order_relaxed);
  if (Left) [[unlikely]] {
    if (Active) {
      Active->cameHome();
      Active->abandon();
    }
    sanitizer::leftFrames();
    unlockStreams();
  }
  return !Left;
}

void *Worker::faulted(const Failure &F) {
  Why = F;
  InKernel.store(false, std::memory_order_relaxed);
  if (F.Text) {
    strncpy(Text, F.Text, sizeof(Text) - 1);
    Why.Text = Text;
  }
  return Recovery;
}

XCC_RT_UNINSTRUMENTED void Worker::leave(const Failure &F) {
  xcc_rt_guarded_leave(faulted(F));
}

//===----------------------------------------------------------------------===//
// Describing a failure
//===----------------------------------------------------------------------===//

static void describeFault(Sentence &S, const Failure &F) {
  switch (F.Code) {
  case SIGFPE:
    S.add(F.SignalCode == FPE_INTDIV ? "integer division by zero"
                                     : "arithmetic fault");
    break;
  case SIGILL:
    S.add("illegal instruction at %#zx (a trap, or code for another CPU)",
          size_t(F.Address));
    break;
  case SIGBUS:
    S.add("bus error at address %#zx", size_t(F.Address));
    break;
  default:
    // A non-canonical address is reported as 0 by the kernel.
    S.add("invalid memory access at address %#zx", size_t(F.Address));
  }
}

void Worker::describeOverflow(Sentence &S) const {
  if (Active)
    S.add("stack overflow: each thread of this kernel has %zu bytes "
          "(XCC_CPU_STACK=<bytes>)",
          Active->stackSize());
  else
    S.add("stack overflow: the host's thread that ran the block has a stack "
          "of %zu bytes (ulimit -s)",
          StackSize);
}

/// Which block and thread, as far as the kernel's form tells.
void Worker::describePlace(Sentence &S, const Dispatch &D) const {
  const xcc_cpu_thread &T = *Current;
  if (T.block_idx[0] != Nowhere)
    S.add("; block (%u, %u, %u)", T.block_idx[0], T.block_idx[1],
          T.block_idx[2]);
  else
    S.add("; in blocks %llu to %llu", static_cast<unsigned long long>(First),
          static_cast<unsigned long long>(Last - 1));
  if (T.thread_idx[0] != Nowhere)
    S.add(", thread (%u, %u, %u)", T.thread_idx[0], T.thread_idx[1],
          T.thread_idx[2]);
  S.add(" of ");
  S.addShape(D.Group.grid_dim, D.Group.block_dim);
}

static void describeLaunch(Sentence &S, const Dispatch &D) {
  S.addLaunch(D.Function->Info ? D.Function->Info->name : "copy", D.File,
              D.Line);
}

xcc_error *Worker::describe(const Dispatch &D) {
  const char *Name = D.Function->Info ? D.Function->Info->name : "copy";
  ErrorSite Site{Name, D.File, D.Line, ordinal()};
  SentenceOf<1024> S;
  describeLaunch(S, D);
  S.add(" failed on device %d (host): ", ordinal());
  if (Why.What == Failure::OutOfMemory) {
    S.add("out of memory for %s", Text);
    return makeError(XCC_ERROR_OUT_OF_MEMORY, Site, "%s", S.text());
  }
  if (Why.What == Failure::Trap) {
    char Trap[900];
    describeTrap({Why.Code, Why.Text, Why.File, Why.Line}, Trap, sizeof(Trap));
    S.add("%s", Trap);
  } else if (Why.StackOverflow)
    describeOverflow(S);
  else
    describeFault(S, Why);
  if (!D.Function->Info)
    return makeError(XCC_ERROR_LAUNCH_FAILED, Site, "%s", S.text());
  describePlace(S, D);
  return makeError(XCC_ERROR_LAUNCH_FAILED, Site, "%s", S.text());
}

// The kernels run on; what is read is what they were started with.
XCC_RT_UNINSTRUMENTED bool Worker::tellRunning(const char *Why) {
  bool Any = false;
  for (Worker *W = Made.load(std::memory_order_acquire); W; W = W->NextMade) {
    if (!W->InKernel.load(std::memory_order_acquire))
      continue;
    SentenceOf<1024> S;
    describeLaunch(S, *W->Entered);
    S.add(" still runs on device %d (host)", ordinal());
    W->describePlace(S, *W->Entered);
    complain("%s; %s", S.text(), Why);
    Any = true;
  }
  return Any;
}

uint64_t Worker::progress() {
  uint64_t Sum = 0;
  for (Worker *W = Made.load(std::memory_order_acquire); W; W = W->NextMade)
    Sum += W->Runs.load(std::memory_order_relaxed);
  return Sum;
}

} // namespace xcc::rt::cpu
