// Fibers: threads of a block that can wait
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "fiber.h"
#include "cpu/device.h"
#include "cpu/faults/guard.h"
#include "worker.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <new>
#include <sys/mman.h>
#include <typeinfo>

namespace xcc::rt::cpu {

/// Frames of more than a page touch each of their pages, from the top
/// (targets/cpu.cpp in the compiler), so one page would be enough. Three pages
/// keep the distance of stacks from being 2^n + 1 pages. Translation caches
/// that hash the bits of an address would put all such stacks in one set (a
/// barrier took a third longer).
static constexpr size_t GuardSize = 3 * 4096;
/// Unused memory costs only addresses; docs/internals/cpu-device.md has figures
/// for 1024 threads. Frames of unoptimised code are large, and so are those of
/// the C library's printf and of regular expressions.
static constexpr size_t DefaultStack = 256 * 1024;
static constexpr unsigned NoFiber = ~0u;

size_t FiberGroup::chosenStackSize() {
  uint64_t size;
  (void)readSetting(stackSetting, DefaultStack, size);
  return (size + 4095) / 4096 * 4096;
}

FiberGroup *FiberGroup::make() {
  auto *g = new (std::nothrow) FiberGroup;
  if (!g)
    return nullptr;
  g->fibers = static_cast<Fiber *>(calloc(MaxThreads, sizeof(Fiber)));
  g->stacks = static_cast<Stack *>(calloc(MaxThreads, sizeof(Stack)));
  g->stackSize_ = chosenStackSize();
  if (g->fibers && g->stacks)
    return g;
  free(g->fibers);
  free(g->stacks);
  delete g;
  return nullptr;
}

/// Makes the guard trap. Linux 6.13 can do so within a mapping. Older ones
/// split the mapping, and a process has at most some 65,000 mappings.
static bool guard(void *low) {
#ifndef MADV_GUARD_INSTALL
  constexpr int MADV_GUARD_INSTALL = 102;
#endif
  return madvise(low, GuardSize, MADV_GUARD_INSTALL) == 0 ||
         mprotect(low, GuardSize, PROT_NONE) == 0;
}

/// Maps a fiber's memory: its positions, which grow upwards, a guard, and its
/// stack. Endless recursion runs into the guard from either side.
bool FiberGroup::addStack() {
  size_t size = stackSize_ + GuardSize + stackSize_;
  void *p =
      mmap(nullptr, size, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (p == MAP_FAILED)
    return false;
  char *bottom = static_cast<char *>(p) + stackSize_;
  if (!guard(bottom)) {
    munmap(p, size);
    return false;
  }
  Stack &s = stacks[made];
  s.low = bottom + GuardSize;
  sanitizer::created(s.marks, s.low, stackSize_);
  resetFiber(made++);
  return true;
}

/// Offsets stacks against each other, so that they use different cache sets.
static size_t colour(unsigned index) { return (index % 32) * 128; }

uint64_t *FiberGroup::positionStart(unsigned index) const {
  return reinterpret_cast<uint64_t *>(stacks[index].low - GuardSize -
                                      stackSize_ + colour(index));
}

/// Makes the fiber begin at fiberMain when it is next switched to.
void FiberGroup::resetFiber(unsigned index) {
  auto *top =
      reinterpret_cast<void **>(stacks[index].low + stackSize_ - colour(index));
  // xcc_rt_switch pops r15 r14 r13 r12 rbx rbp and the return address.
  // Nine words leave the stack aligned to 16 bytes in xcc_rt_fiber_start.
  top -= 9;
  top[0] = top[1] = top[2] = nullptr;
  top[3] = this;
  top[4] = reinterpret_cast<void *>(&fiberMain);
  top[5] = nullptr;
  top[6] = reinterpret_cast<void *>(&xcc_rt_fiber_start);
  top[7] = top[8] = nullptr;
  fibers[index].stackPointer = top;
  stacks[index].marks.saved = nullptr;
}

bool FiberGroup::enter(Worker &w, unsigned threads) {
  owner = &w;
  while (made < threads)
    if (!addStack())
      return false;
  const uint32_t *dim = w.group.block_dim;
  if (count != threads || memcmp(placedDim, dim, sizeof(placedDim)) != 0) {
    count = threads;
    memcpy(placedDim, dim, sizeof(placedDim));
    placeThreads();
  }
  return true;
}

void FiberGroup::placeThreads() {
  unsigned i = 0;
  for (uint32_t z = 0; z != placedDim[2]; ++z)
    for (uint32_t y = 0; y != placedDim[1]; ++y)
      for (uint32_t x = 0; x != placedDim[0]; ++x, ++i) {
        xcc_cpu_thread &t = fibers[i].thread;
        t.thread_index[0] = x;
        t.thread_index[1] = y;
        t.thread_index[2] = z;
        t.linear_thread = i;
        t.group = &owner->group;
      }
}

void FiberGroup::startBlock(uint64_t block) {
  const uint32_t *grid = owner->group.grid_dim;
  uint64_t plane = block / grid[0];
  uint32_t index[3] = {uint32_t(block % grid[0]), uint32_t(plane % grid[1]),
                       uint32_t(plane / grid[1])};
  for (unsigned w = 0, left = count; left; ++w) {
    unsigned lanes = left < XCC_CPU_WARP_SIZE ? left : XCC_CPU_WARP_SIZE;
    uint32_t mask = lanes == 32 ? ~0u : (1u << lanes) - 1;
    warps[w] = {mask, 0, 0, mask, mask, 0};
    left -= lanes;
  }
  for (unsigned i = 0; i != count; ++i) {
    xcc_cpu_thread &t = fibers[i].thread;
    memcpy(t.block_index, index, sizeof(index));
    t.active_mask = warps[i / XCC_CPU_WARP_SIZE].live;
    t.position = positionStart(i);
  }
  liveCount = count;
  blockCount = 0;
  if (sanitizer::thread()) [[unlikely]] {
    free(barrierMarks);
    barrierMarks = static_cast<char *>(malloc(2 * (MaxWarps + 1)));
    for (unsigned i = 0; i != count; ++i) {
      const xcc_cpu_thread &t = fibers[i].thread;
      char name[64];
      snprintf(name, sizeof(name), "block (%u,%u,%u) thread (%u,%u,%u)",
               index[0], index[1], index[2], t.thread_index[0],
               t.thread_index[1], t.thread_index[2]);
      freshStack(i);
      sanitizer::Within root(owner->root);
      sanitizer::begins(stacks[i].marks, name);
    }
  }
}

/// Maps the stack anew, so that ThreadSanitizer forgets the accesses of the
/// thread that used it before.
void FiberGroup::freshStack(unsigned index) {
  mmap(stacks[index].low, stackSize_, PROT_READ | PROT_WRITE,
       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK | MAP_FIXED, -1,
       0);
  resetFiber(index);
}

/// Ends the threads of the block for ThreadSanitizer.
void FiberGroup::endBlock() {
  for (unsigned i = 0; i != count; ++i)
    sanitizer::destroyed(stacks[i].marks);
}

// Not instrumented, because a failing kernel leaves it without returning.
XCC_RT_UNINSTRUMENTED void FiberGroup::run(xcc_cpu_thread_fn function,
                                           uint64_t first, uint64_t last) {
  entry = function;
  sanitizer::own(homeMarks);
  for (uint64_t block = first; block != last; ++block) {
    if (!owner->freshShared()) [[unlikely]]
      owner->leaveWithoutMemory();
    startBlock(block);
    running = 0;
    owner->current_ = &fibers[0].thread;
    fromHome = true;
    sanitizer::leaving(&homeMarks, stacks[0].marks);
    xcc_rt_switch(&homePointer, fibers[0].stackPointer);
    sanitizer::arrived(homeMarks, nullptr);
    if (sanitizer::thread()) [[unlikely]]
      endBlock();
  }
}

unsigned FiberGroup::nextReady(unsigned after) const {
  unsigned warpCount = (count + XCC_CPU_WARP_SIZE - 1) / XCC_CPU_WARP_SIZE;
  unsigned w = after / XCC_CPU_WARP_SIZE, lane = after % XCC_CPU_WARP_SIZE;
  // First the lanes after this one, then the other warps in a ring.
  uint32_t later = lane == 31 ? 0 : warps[w].ready & (~0u << (lane + 1));
  if (later)
    return w * XCC_CPU_WARP_SIZE + __builtin_ctz(later);
  for (unsigned i = 1; i <= warpCount; ++i) {
    unsigned next = w + i < warpCount ? w + i : w + i - warpCount;
    if (warps[next].ready)
      return next * XCC_CPU_WARP_SIZE + __builtin_ctz(warps[next].ready);
  }
  return NoFiber;
}

/// Returns the lanes at the least position of those that wait at a warp
/// barrier. No other lane can reach their position any more, but they may reach
/// another's.
uint32_t FiberGroup::firstGroup(unsigned warpIndex) const {
  unsigned first = warpIndex * XCC_CPU_WARP_SIZE;
  const uint64_t *begin = nullptr, *end = nullptr;
  uint32_t together = 0;
  for (uint32_t left = warps[warpIndex].atWarp; left; left &= left - 1) {
    unsigned lane = __builtin_ctz(left);
    const uint64_t *b = positionStart(first + lane);
    const uint64_t *e = fibers[first + lane].thread.position;
    if (!begin || !std::equal(b, e, begin, end)) {
      if (begin && !std::lexicographical_compare(b, e, begin, end))
        continue;
      begin = b;
      end = e;
      together = 0;
    }
    together |= 1u << lane;
  }
  return together;
}

/// Releases the barriers that are complete after a lane of this warp began to
/// wait or ended.
void FiberGroup::releaseIfComplete(unsigned warpIndex) {
  sanitizer::Ignored here; // kernels write the positions read here
  Warp &w = warps[warpIndex];
  if (w.atWarp && (w.atWarp | w.atBlock) == w.live) {
    w.ready = w.released = firstGroup(warpIndex);
    w.atWarp &= ~w.released;
    ++w.phase;
  }
  if (blockCount == 0 || blockCount != liveCount)
    return;
  for (unsigned i = 0; i * XCC_CPU_WARP_SIZE < count; ++i) {
    Warp &each = warps[i];
    each.ready = each.released = each.atBlock;
    each.atBlock = 0;
  }
  blockCount = 0;
  ++blockPhase;
}

/// Switches to the next fiber that can run, or to the worker's own stack when
/// all have ended.
void FiberGroup::switchAway() {
  unsigned from = running, to = nextReady(from);
  if (to == from)
    return;
  Fiber &here = fibers[from];
  sanitizer::Stack &marks = stacks[from].marks;
  if (to == NoFiber) {
    sanitizer::leaving(&marks, homeMarks);
    xcc_rt_switch(&here.stackPointer, homePointer);
  } else {
    running = to;
    owner->current_ = &fibers[to].thread;
    sanitizer::leaving(&marks, stacks[to].marks);
    xcc_rt_switch(&here.stackPointer, fibers[to].stackPointer);
  }
  arrive(from);
}

/// Every fiber calls this first after a switch to it.
void FiberGroup::arrive(unsigned index) {
  // Only now does the sanitizer know the worker's own stack.
  sanitizer::arrived(stacks[index].marks, fromHome ? &homeMarks : nullptr);
  fromHome = false;
}

uint32_t FiberGroup::barrier(uint32_t scope) {
  unsigned self = running, index = self / XCC_CPU_WARP_SIZE;
  uint32_t lane = 1u << (self % XCC_CPU_WARP_SIZE);
  Warp &w = warps[index];
  w.ready &= ~lane;
  void *mark = nullptr;
  if (sanitizer::thread()) [[unlikely]] {
    // Two marks alternate: a thread may come to the next barrier before others
    // have left this one, and must not order them.
    mark = scope == XCC_CPU_SCOPE_BLOCK ? markOf(MaxWarps, blockPhase)
                                        : markOf(index, w.phase);
    sanitizer::release(mark);
  }
  if (scope == XCC_CPU_SCOPE_BLOCK) {
    w.atBlock |= lane;
    ++blockCount;
  } else {
    w.atWarp |= lane;
  }
  releaseIfComplete(index);
  owner->backoff.moved();
  const int number = errno;
  switchAway();
  errno = number;
  if (mark) [[unlikely]]
    sanitizer::acquire(mark);
  return fibers[self].thread.active_mask = w.released;
}

void FiberGroup::yield(uint32_t tries) {
  if (!owner->backoff.tryAgain(*owner, tries, liveCount))
    return;
  const int number = errno;
  switchAway();
  errno = number;
}

ThreadLocals &FiberGroup::threadLocals() {
  ThreadLocals *&own = stacks[running].locals;
  if (!own)
    own = new ThreadLocals;
  return *own;
}

void FiberGroup::fiberMain(void *self) {
  auto &g = *static_cast<FiberGroup *>(self);
  unsigned index = g.running;
  g.arrive(index);
  // A fiber runs the same thread of one block after another.
  while (true) {
    sanitizer::acquire(g.owner->begun());
    Thrown exception(*g.owner);
    if (exception.by([&] {
          g.entry(&g.owner->group, &g.fibers[index].thread);
          if (ThreadLocals *own = g.stacks[index].locals) {
            own->runExits();
            own->forget();
          }
        }))
      g.owner->leave(exception.failure());
    sanitizer::release(g.owner->done());
    Warp &w = g.warps[index / XCC_CPU_WARP_SIZE];
    uint32_t lane = 1u << (index % XCC_CPU_WARP_SIZE);
    w.live &= ~lane;
    w.ready &= ~lane;
    --g.liveCount;
    g.owner->backoff.moved();
    g.releaseIfComplete(index / XCC_CPU_WARP_SIZE);
    g.switchAway();
  }
}

// Not instrumented: ThreadSanitizer would see the entry on the fiber and the
// return on the thread, and pop an entry of the wrong shadow stack.
XCC_RT_UNINSTRUMENTED void FiberGroup::cameHome() {
  // The abandoned stack stays as it is; its fiber will start anew.
  sanitizer::leaving(nullptr, homeMarks);
  sanitizer::arrived(homeMarks, nullptr);
}

void FiberGroup::abandon() {
  for (unsigned i = 0; i != made; ++i) {
    if (ThreadLocals *own = stacks[i].locals)
      own->forget();
    sanitizer::destroyed(stacks[i].marks);
    resetFiber(i);
  }
}

bool FiberGroup::inGuard(uintptr_t address) const {
  for (unsigned i = 0; i != made; ++i) {
    auto low = reinterpret_cast<uintptr_t>(stacks[i].low);
    if (address < low + 64 && address + GuardSize >= low)
      return true;
  }
  return false;
}

} // namespace xcc::rt::cpu
