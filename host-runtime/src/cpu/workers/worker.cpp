// A thread that runs blocks
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "worker.h"
#include "common/queues.h"
#include "cpu/device.h"
#include "cpu/faults/guard.h"
#include "cpu/faults/stdio_locks.h"
#include "errors/sentence.h"
#include "fiber.h"
#include "mapping/settle.h"
#include "process/log.h"
#include "process/thread_state.h"
#include "sanitizer.h"
#include "services/trap_text.h"

#include <cerrno>
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
#include <utility>

namespace xcc::rt::cpu {

static constexpr size_t SignalStackSize = 64 * 1024;
static constexpr size_t SharedSize = XCC_CPU_MAX_SHARED;
static constexpr size_t ExchangeSize =
    size_t(XCC_CPU_MAX_BLOCK) * XCC_CPU_EXCHANGE_BYTES;
static constexpr size_t PageSize = 4096;
/// Mapped memory before block-shared memory. A vector load under a mask, `if (x
/// >= d) v = t[x - d]`, takes some hundred cycles if the masked lanes would
/// fault, and ten if the memory is mapped.
static constexpr size_t MarginSize = 2 * PageSize;
static constexpr size_t MappedSize = MarginSize + SharedSize + ExchangeSize;

static std::mutex freeMutex;
static Worker *freeList;
std::atomic<Worker *> Worker::made{nullptr};

static void *map(size_t size) {
  void *p = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return p == MAP_FAILED ? nullptr : p;
}

/// Makes the system allocate the page of \p at.
static void touch(void *at) {
  auto *byte = static_cast<volatile char *>(at);
  *byte = *byte;
}

/// Maps block-shared memory and the exchange area, with a margin in front.
static void *mapShared() {
  auto *margin = static_cast<char *>(map(MappedSize));
  if (!margin)
    return nullptr;
  for (size_t at = 0; at != MarginSize; at += PageSize)
    touch(margin + at);
  return margin + MarginSize;
}

Worker *Worker::make() {
  {
    std::lock_guard lock(freeMutex);
    if (Worker *w = freeList) {
      freeList = w->nextFree;
      return w;
    }
  }
  auto *w = new (std::nothrow) Worker;
  if (!w)
    return nullptr;
  w->memory = mapShared();
  w->signalStack = map(SignalStackSize);
  if (!w->memory || !w->signalStack) {
    delete w;
    return nullptr;
  }
  push(made, *w);
  return w;
}

Worker::~Worker() {
  if (memory)
    munmap(static_cast<char *>(memory) - MarginSize, MappedSize);
  if (signalStack)
    munmap(signalStack, SignalStackSize);
  if (scratch)
    munmap(scratch, scratchSize);
}

Worker *Worker::current() {
  ThreadState &state = threadState();
  if (!state.worker) [[unlikely]] {
    state.worker = make();
    if (state.worker)
      state.worker->attach();
  }
  return state.worker;
}

void Worker::release(Worker *w) {
  w->detach();
  std::lock_guard lock(freeMutex);
  w->nextFree = freeList;
  freeList = w;
}

void Worker::discardUnused() {
  // Other living threads still use their signal stacks.
  if (Worker *own = std::exchange(peekThreadState().worker, nullptr))
    release(own);
  std::lock_guard lock(freeMutex);
  while (Worker *w = freeList) {
    freeList = w->nextFree;
    delete w;
  }
}

/// Gives the thread a signal stack, so that it can handle an overflow of its
/// own stack, and finds the end of that stack.
void Worker::attach() {
  share = 0;
  ofPool = false;
  thread_ = gettid();
  stack_t old;
  if (sigaltstack(nullptr, &old) == 0 && (old.ss_flags & SS_DISABLE)) {
    stack_t held{};
    held.ss_sp = signalStack;
    held.ss_size = SignalStackSize;
    sigaltstack(&held, nullptr);
  }
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
    void *low;
    size_t size;
    pthread_attr_getstack(&attributes, &low, &size);
    pthread_attr_getguardsize(&attributes, &stackGuard);
    stackLow = reinterpret_cast<uintptr_t>(low);
    stackSize = size;
    pthread_attr_destroy(&attributes);
  }
}

void Worker::detach() {
  stack_t old;
  if (sigaltstack(nullptr, &old) == 0 && old.ss_sp == signalStack) {
    stack_t off{};
    off.ss_flags = SS_DISABLE;
    sigaltstack(&off, nullptr);
  }
}

bool Worker::inStackGuard(uintptr_t address) const {
  // The guard of the main thread's stack has no known size. The stack grows
  // down to its limit, and an overflow touches the pages just below.
  constexpr uintptr_t near = 1 << 20;
  uintptr_t high = stackLow + 4096;
  if (stackLow && address < high && address + near > stackLow)
    return true;
  return fibers && fibers->inGuard(address);
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

/// Under a sanitizer, gives each block memory of its own, of exactly the size
/// requested. So accesses to another block's memory are detected.
bool Worker::freshShared() {
  if (!sanitizer::address() && !sanitizer::thread()) [[likely]]
    return true;
  free(ownShared);
  ownShared = nullptr;
  root.make();
  sanitizer::Within here(root);
  group.shared = memory;
  const size_t size = size_t(group.dynamic_offset) + group.dynamic_size;
  if (size == 0 || !entered->function->info)
    return true;
  if (posix_memalign(&ownShared, 4096, size) != 0) {
    ownShared = nullptr;
    return false;
  }
  group.shared = ownShared;
  return true;
}

void Worker::leaveWithoutMemory() {
  Failure f;
  f.what = Failure::OutOfMemory;
  snprintf(text, sizeof(text), "a block's shared memory");
  leave(f);
}

inline void Worker::begin(const Dispatch &d) {
  entered = &d;
  group = d.group;
  group.shared = memory;
  group.exchange = static_cast<char *>(memory) + SharedSize;
  group.thread = &thread;
  // Map the margin after the kernel's memory.
  if (const size_t size = size_t(group.dynamic_offset) + group.dynamic_size)
    touch(static_cast<char *>(memory) +
          (size + PageSize - 1) / PageSize * PageSize);
}

bool Worker::enter(const Dispatch &d) {
  begin(d);
  why = Failure();
  backoff.begin();
  thread.group = &group;
  if (d.privateSize) {
    size_t threads =
        size_t(group.block_dim[0]) * group.block_dim[1] * group.block_dim[2];
    size_t need =
        std::max<size_t>(threads * d.privateSize, XCC_CPU_LEAST_SCRATCH);
    if (need > scratchSize) {
      if (scratch)
        munmap(scratch, scratchSize);
      scratchSize = 0;
      scratch = map(need);
      if (scratch)
        scratchSize = need;
    }
    group.scratch = scratch;
    if (!scratch) {
      why.what = Failure::OutOfMemory;
      snprintf(text, sizeof(text), "%zu bytes of scratch memory", need);
      return false;
    }
  }
  if (!freshShared()) [[unlikely]] {
    why.what = Failure::OutOfMemory;
    snprintf(text, sizeof(text), "a block's shared memory");
    return false;
  }
  active = nullptr;
  if (d.code->flags & XCC_CPU_KERNEL_FIBERS) {
    if (!fibers)
      fibers = FiberGroup::make();
    size_t threads =
        size_t(group.block_dim[0]) * group.block_dim[1] * group.block_dim[2];
    if (!fibers || !fibers->enter(*this, unsigned(threads))) {
      why.what = Failure::OutOfMemory;
      snprintf(text, sizeof(text), "the stacks of %zu threads", threads);
      return false;
    }
    active = fibers;
  }
  return true;
}

void Thrown::leave(const char *what) {
  keep(what);
  w.leave(failure());
}

// Not instrumented: a failing kernel leaves this frame without returning, and
// ThreadSanitizer would keep an entry for it.
XCC_RT_UNINSTRUMENTED void Worker::callBlocks(void *self) {
  auto &w = *static_cast<Worker *>(self);
  const xcc_cpu_kernel &code = *w.entered->code;
  Thrown exception(w);
  if (exception.by([&]() XCC_RT_UNINSTRUMENTED {
        if (w.active)
          w.active->run(reinterpret_cast<xcc_cpu_thread_fn>(code.entry),
                        w.first, w.last);
        else
          reinterpret_cast<xcc_cpu_block_fn>(code.entry)(&w.group, w.first,
                                                         w.last);
      }))
    w.leave(exception.failure());
}

bool Worker::run(const Dispatch &, uint64_t runFirst, uint64_t runLast) {
  first = runFirst;
  last = runLast;
  thread.thread_index[0] = thread.block_index[0] = XCC_CPU_NOWHERE;
  return call(callBlocks);
}

// Not instrumented, as callBlocks.
XCC_RT_UNINSTRUMENTED void Worker::callSeries(void *self) {
  auto &w = *static_cast<Worker *>(self);
  Thrown exception(w);
  if (exception.by([&]() XCC_RT_UNINSTRUMENTED {
        while (const Dispatch *d = w.series->next()) {
          w.begin(*d);
          w.backoff.begin();
          w.last = d->blocks;
          w.thread.thread_index[0] = w.thread.block_index[0] = XCC_CPU_NOWHERE;
          reinterpret_cast<xcc_cpu_block_fn>(d->code->entry)(&w.group, 0,
                                                             d->blocks);
        }
      }))
    w.leave(exception.failure());
}

bool Worker::run(Series &all) {
  series = &all;
  why = Failure();
  first = 0;
  active = nullptr;
  thread.group = &group;
  return call(callSeries);
}

bool Worker::call(void (*blocks)(void *)) {
  current_ = &thread;
  inKernel_.store(true, std::memory_order_release);
  const int number = errno; // the kernel's threads have their own errno
  int left = xcc_rt_guarded_call(&recovery, blocks, this);
  errno = number;
  inKernel_.store(false, std::memory_order_relaxed);
  this->left.store(this->left.load(std::memory_order_relaxed) + 1,
                   std::memory_order_relaxed);
  if (left) [[unlikely]] {
    if (active) {
      active->cameHome();
      active->abandon();
    }
    sanitizer::leftFrames();
    unlockStreams();
    guards.giveUp();
  }
  return !left;
}

XCC_RT_UNINSTRUMENTED bool Worker::runs(const Kernel &kernel) const {
  return entered && entered->function == &kernel;
}

XCC_RT_UNINSTRUMENTED uintptr_t Worker::codeAddress() const {
  return reinterpret_cast<uintptr_t>(entered->code->entry);
}

void *Worker::faulted(const Failure &f) {
  why = f;
  inKernel_.store(false, std::memory_order_relaxed);
  if (f.what == Failure::Trap)
    noteTrap(trap, f.code, f.text, f.file, f.line);
  if (f.text && f.what != Failure::Trap) {
    strncpy(text, f.text, sizeof(text) - 1);
    why.text = text;
  }
  return recovery;
}

XCC_RT_UNINSTRUMENTED void Worker::leave(const Failure &f) {
  xcc_rt_guarded_leave(faulted(f));
}

//===----------------------------------------------------------------------===//
// Describing a failure
//===----------------------------------------------------------------------===//

static void describeFault(Sentence &s, const Failure &f) {
  switch (f.code) {
  case SIGFPE:
    s.add(f.signalCode == FPE_INTDIV ? "integer division by zero"
                                     : "arithmetic fault");
    break;
  case SIGILL:
    s.add("illegal instruction at %#zx (a trap, or code for another CPU)",
          size_t(f.address));
    break;
  case SIGBUS:
    s.add("bus error at address %#zx", size_t(f.address));
    break;
  default:
    // Linux reports a non-canonical address as 0.
    s.add("invalid memory access at address %#zx", size_t(f.address));
  }
}

void Worker::describeOverflow(Sentence &s) const {
  if (active)
    s.add("stack overflow: each thread of this kernel has %zu bytes "
          "(XCC_CPU_STACK=<bytes>)",
          active->stackSize());
  else
    s.add("stack overflow: the host's thread that ran the block has a stack "
          "of %zu bytes (ulimit -s)",
          stackSize);
}

/// Allocates no memory, because the heap may be locked.
static void describeFreed(Sentence &s, const char *said, uint64_t address) {
  s.add("memory was freed that is not allocated (%s)", said);
  if (!address)
    return;
  s.add(" at address %#zx", size_t(address));
  writeNameOfCopy(s, device(), address);
}

static void describeAbort(Sentence &s, const Failure &f) {
  if (*f.text)
    describeFreed(s, f.text, f.address);
  else
    s.add("a function of the host called abort()");
}

/// Adds the block and thread, as far as the kernel's form records them.
void Worker::describePlace(Sentence &s, const Dispatch &d) const {
  const xcc_cpu_thread &t = *current_;
  if (!inKernel() && why.what == Failure::Trap && trap.known) {
    s.add("; block (%u, %u, %u), thread (%u, %u, %u) of ", trap.block[0],
          trap.block[1], trap.block[2], trap.thread[0], trap.thread[1],
          trap.thread[2]);
    s.addShape(d.group.grid_dim, d.group.block_dim);
    return;
  }
  if (t.block_index[0] != XCC_CPU_NOWHERE)
    s.add("; block (%u, %u, %u)", t.block_index[0], t.block_index[1],
          t.block_index[2]);
  else
    s.add("; in blocks %llu to %llu", static_cast<unsigned long long>(first),
          static_cast<unsigned long long>(last - 1));
  if (t.thread_index[0] != XCC_CPU_NOWHERE)
    s.add(", thread (%u, %u, %u)", t.thread_index[0], t.thread_index[1],
          t.thread_index[2]);
  s.add(" of ");
  s.addShape(d.group.grid_dim, d.group.block_dim);
}

static void describeLaunch(Sentence &s, const Dispatch &d) {
  s.addLaunch(d.function->info ? d.function->info->name : "copy", d.file,
              d.line);
}

/// Adds the place from the thread's record, if the exception has none.
void Worker::completePlace() {
  const xcc_cpu_thread &t = *current_;
  if (trap.known || t.block_index[0] == XCC_CPU_NOWHERE ||
      t.thread_index[0] == XCC_CPU_NOWHERE)
    return;
  trap.known = 1;
  std::copy_n(t.block_index, 3, trap.block);
  std::copy_n(t.thread_index, 3, trap.thread);
}

xcc_error *Worker::describe(const Dispatch &d,
                            std::shared_ptr<ThrownException> &exception) {
  const char *name = d.function->info ? d.function->info->name : "copy";
  ErrorSite site{name, d.file, d.line, ordinal()};
  site.signal = why.what == Failure::Fault ? int(why.code) : SIGABRT;
  SentenceOf<3072> s;
  describeLaunch(s, d);
  s.add(" failed on device %d (host): ", ordinal());
  if (why.what == Failure::OutOfMemory) {
    s.add("out of memory for %s", text);
    return makeError(XCC_ERROR_OUT_OF_MEMORY, site, "%s", s.text());
  }
  if (why.what == Failure::Trap) {
    char said[2000];
    describeTrap(trap, said, sizeof(said));
    s.add("%s", said);
    if (why.code == XCC_CPU_TRAP_THROWN) {
      completePlace();
      exception = ThrownException::make(trap, 0);
      site.thrown = exception;
    }
  } else if (why.what == Failure::Interrupted)
    s.add("%s", why.text);
  else if (why.stackOverflow)
    describeOverflow(s);
  else if (why.code == SIGABRT)
    describeAbort(s, why);
  else
    describeFault(s, why);
  if (!d.function->info)
    return makeError(XCC_ERROR_LAUNCH_FAILED, site, "%s", s.text());
  describePlace(s, d);
  return makeError(XCC_ERROR_LAUNCH_FAILED, site, "%s", s.text());
}

// The kernels continue meanwhile, so this reads only what they started with.
XCC_RT_UNINSTRUMENTED bool Worker::printRunning(const char *why) {
  bool any = false;
  for (Worker *w = made.load(std::memory_order_acquire); w; w = w->next) {
    if (!w->inKernel_.load(std::memory_order_acquire))
      continue;
    SentenceOf<3072> s;
    describeLaunch(s, *w->entered);
    s.add(" still runs on device %d (host)", ordinal());
    w->describePlace(s, *w->entered);
    complain("%s; %s", s.text(), why);
    any = true;
  }
  return any;
}

void Worker::printWaiting() const {
  SentenceOf<3072> s;
  describeLaunch(s, *entered);
  describePlace(s, *entered);
  complain(
      "%s waits on device %d (host), and no other thread of its block does "
      "what it waits for; blocks run in any order, so its own block or the "
      "host must do it; XCC_NOTICE_AFTER sets when this message appears",
      s.text(), ordinal());
}

XCC_RT_UNINSTRUMENTED void Worker::printAborted(const char *said,
                                                uint64_t freed) const {
  SentenceOf<3072> s;
  s.add("xcc: ");
  describeLaunch(s, *entered);
  s.add(" failed on device %d (host): ", ordinal());
  describeFreed(s, said, freed);
  describePlace(s, *entered);
  s.add("; the C library cannot go on, and the process ends\n");
  (void)!write(STDERR_FILENO, s.text(), strlen(s.text()));
}

uint64_t Worker::progress() {
  uint64_t sum = 0;
  for (Worker *w = made.load(std::memory_order_acquire); w; w = w->next)
    sum += w->left.load(std::memory_order_relaxed);
  return sum;
}

} // namespace xcc::rt::cpu
