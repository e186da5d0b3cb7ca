// Threads of a block that can wait
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "fiber.h"
#include "cpu_device.h"
#include "guard.h"
#include "worker.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <new>
#include <sys/mman.h>
#include <typeinfo>

namespace xcc::rt::cpu {

/// Frames of more than a page touch each of their pages, from the top
/// (targets/cpu.cpp in the compiler), so one page would do. With three, stacks
/// are not 2^n + 1 pages apart: caches of translations that fold an address's
/// bits into each other would have all of them in one set (a barrier took a
/// third longer).
static constexpr size_t GuardSize = 3 * 4096;
/// Memory that is not used costs nothing but addresses: what 1024 threads cost
/// is measured in docs/runtime.md. Frames without optimisation are large, and
/// so are those of the C library's printf and of regular expressions.
static constexpr size_t DefaultStack = 256 * 1024;
static constexpr unsigned NoFiber = ~0u;

/// Bytes of each fiber's stack, whole pages.
static size_t chosenStackSize() {
  uint64_t Size;
  (void)readSetting(StackSetting, DefaultStack, Size);
  return (Size + 4095) / 4096 * 4096;
}

FiberGroup *FiberGroup::make() {
  auto *G = new (std::nothrow) FiberGroup;
  if (!G)
    return nullptr;
  G->Fibers = static_cast<Fiber *>(calloc(MaxThreads, sizeof(Fiber)));
  G->Stacks = static_cast<Stack *>(calloc(MaxThreads, sizeof(Stack)));
  G->StackSize = chosenStackSize();
  if (G->Fibers && G->Stacks)
    return G;
  free(G->Fibers);
  free(G->Stacks);
  delete G;
  return nullptr;
}

/// Makes a guard trap. Linux 6.13 can do so within a mapping; older ones divide
/// it, and a process has no more than some 65,000 mappings.
static bool guard(void *Low) {
#ifndef MADV_GUARD_INSTALL
  constexpr int MADV_GUARD_INSTALL = 102;
#endif
  return madvise(Low, GuardSize, MADV_GUARD_INSTALL) == 0 ||
         mprotect(Low, GuardSize, PROT_NONE) == 0;
}

/// One mapping holds a fiber's positions, which grow upwards, a guard that both
/// they and the stack run into when there is no end of calls, and its stack.
bool FiberGroup::addStack() {
  size_t Size = StackSize + GuardSize + StackSize;
  void *P =
      mmap(nullptr, Size, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (P == MAP_FAILED)
    return false;
  char *Guard = static_cast<char *>(P) + StackSize;
  if (!guard(Guard)) {
    munmap(P, Size);
    return false;
  }
  Stack &S = Stacks[Made];
  S.Low = Guard + GuardSize;
  sanitizer::created(S.Marks, S.Low, StackSize);
  resetFiber(Made++);
  return true;
}

/// Stacks of one size a page apart would fight for the same cache sets.
static size_t colour(unsigned Index) { return (Index % 32) * 128; }

uint64_t *FiberGroup::positionStart(unsigned Index) const {
  return reinterpret_cast<uint64_t *>(Stacks[Index].Low - GuardSize -
                                      StackSize + colour(Index));
}

/// Makes the fiber begin at fiberMain the next time it is switched to.
void FiberGroup::resetFiber(unsigned Index) {
  auto *Top =
      reinterpret_cast<void **>(Stacks[Index].Low + StackSize - colour(Index));
  // What xcc_rt_switch pops: r15 r14 r13 r12 rbx rbp and the return address.
  // Nine words leave the stack aligned to 16 bytes in xcc_rt_fiber_start.
  Top -= 9;
  Top[0] = Top[1] = Top[2] = nullptr;
  Top[3] = this;
  Top[4] = reinterpret_cast<void *>(&fiberMain);
  Top[5] = nullptr;
  Top[6] = reinterpret_cast<void *>(&xcc_rt_fiber_start);
  Top[7] = Top[8] = nullptr;
  Fibers[Index].StackPointer = Top;
  Stacks[Index].Marks.Saved = nullptr;
}

bool FiberGroup::enter(Worker &W, unsigned Threads) {
  Owner = &W;
  while (Made < Threads)
    if (!addStack())
      return false;
  const uint32_t *Dim = W.Group.block_dim;
  if (Count != Threads || memcmp(PlacedDim, Dim, sizeof(PlacedDim)) != 0) {
    Count = Threads;
    memcpy(PlacedDim, Dim, sizeof(PlacedDim));
    placeThreads();
  }
  return true;
}

void FiberGroup::placeThreads() {
  unsigned I = 0;
  for (uint32_t Z = 0; Z != PlacedDim[2]; ++Z)
    for (uint32_t Y = 0; Y != PlacedDim[1]; ++Y)
      for (uint32_t X = 0; X != PlacedDim[0]; ++X, ++I) {
        xcc_cpu_thread &T = Fibers[I].Thread;
        T.thread_idx[0] = X;
        T.thread_idx[1] = Y;
        T.thread_idx[2] = Z;
        T.linear_thread = I;
        T.group = &Owner->Group;
      }
}

void FiberGroup::startBlock(uint64_t Block) {
  const uint32_t *Grid = Owner->Group.grid_dim;
  uint64_t Plane = Block / Grid[0];
  uint32_t Index[3] = {uint32_t(Block % Grid[0]), uint32_t(Plane % Grid[1]),
                       uint32_t(Plane / Grid[1])};
  for (unsigned W = 0, Left = Count; Left; ++W) {
    unsigned Lanes = Left < XCC_CPU_WARP_SIZE ? Left : XCC_CPU_WARP_SIZE;
    uint32_t Mask = Lanes == 32 ? ~0u : (1u << Lanes) - 1;
    Warps[W] = {Mask, 0, 0, Mask, Mask};
    Left -= Lanes;
  }
  for (unsigned I = 0; I != Count; ++I) {
    xcc_cpu_thread &T = Fibers[I].Thread;
    memcpy(T.block_idx, Index, sizeof(Index));
    T.active_mask = Warps[I / XCC_CPU_WARP_SIZE].Live;
    T.position = positionStart(I);
  }
  LiveCount = Count;
  BlockCount = 0;
}

// Left without returning by a failing kernel, as its caller is.
XCC_RT_UNINSTRUMENTED void FiberGroup::run(xcc_cpu_thread_fn Function,
                                           uint64_t First, uint64_t Last) {
  Entry = Function;
  sanitizer::own(HomeMarks);
  for (uint64_t Block = First; Block != Last; ++Block) {
    startBlock(Block);
    Running = 0;
    Owner->Current = &Fibers[0].Thread;
    FromHome = true;
    sanitizer::leaving(&HomeMarks, Stacks[0].Marks);
    xcc_rt_switch(&HomePointer, Fibers[0].StackPointer);
    sanitizer::arrived(HomeMarks, nullptr);
  }
}

unsigned FiberGroup::nextReady(unsigned After) const {
  unsigned WarpCount = (Count + XCC_CPU_WARP_SIZE - 1) / XCC_CPU_WARP_SIZE;
  unsigned W = After / XCC_CPU_WARP_SIZE, Lane = After % XCC_CPU_WARP_SIZE;
  // The lanes after this one, then the warps in a ring.
  uint32_t Later = Lane == 31 ? 0 : Warps[W].Ready & (~0u << (Lane + 1));
  if (Later)
    return W * XCC_CPU_WARP_SIZE + __builtin_ctz(Later);
  for (unsigned I = 1; I <= WarpCount; ++I) {
    unsigned Next = W + I < WarpCount ? W + I : W + I - WarpCount;
    if (Warps[Next].Ready)
      return Next * XCC_CPU_WARP_SIZE + __builtin_ctz(Warps[Next].Ready);
  }
  return NoFiber;
}

/// Of the lanes that wait at a warp barrier, those at the least position: no
/// other lane can come to where they are, and they may come to others.
uint32_t FiberGroup::firstGroup(unsigned WarpIndex) const {
  unsigned First = WarpIndex * XCC_CPU_WARP_SIZE;
  const uint64_t *Begin = nullptr, *End = nullptr;
  uint32_t Together = 0;
  for (uint32_t Left = Warps[WarpIndex].AtWarp; Left; Left &= Left - 1) {
    unsigned Lane = __builtin_ctz(Left);
    const uint64_t *B = positionStart(First + Lane);
    const uint64_t *E = Fibers[First + Lane].Thread.position;
    if (!Begin || !std::equal(B, E, Begin, End)) {
      if (Begin && !std::lexicographical_compare(B, E, Begin, End))
        continue;
      Begin = B;
      End = E;
      Together = 0;
    }
    Together |= 1u << Lane;
  }
  return Together;
}

/// A lane of this warp began to wait or ended: opens what that completes.
void FiberGroup::releaseIfComplete(unsigned WarpIndex) {
  Warp &W = Warps[WarpIndex];
  if (W.AtWarp && (W.AtWarp | W.AtBlock) == W.Live) {
    W.Ready = W.Released = firstGroup(WarpIndex);
    W.AtWarp &= ~W.Released;
  }
  if (BlockCount == 0 || BlockCount != LiveCount)
    return;
  for (unsigned I = 0; I * XCC_CPU_WARP_SIZE < Count; ++I) {
    Warp &Each = Warps[I];
    Each.Ready = Each.Released = Each.AtBlock;
    Each.AtBlock = 0;
  }
  BlockCount = 0;
}

/// Continues the next fiber that can run, or the worker when all have ended.
void FiberGroup::switchAway() {
  unsigned From = Running, To = nextReady(From);
  if (To == From)
    return;
  Fiber &Here = Fibers[From];
  sanitizer::Stack &Marks = Stacks[From].Marks;
  if (To == NoFiber) {
    sanitizer::leaving(&Marks, HomeMarks);
    xcc_rt_switch(&Here.StackPointer, HomePointer);
  } else {
    Running = To;
    Owner->Current = &Fibers[To].Thread;
    sanitizer::leaving(&Marks, Stacks[To].Marks);
    xcc_rt_switch(&Here.StackPointer, Fibers[To].StackPointer);
  }
  arrive(From);
}

/// The first thing a fiber does after a switch to it.
void FiberGroup::arrive(unsigned Index) {
  // Only now can the sanitizer say where the worker's own stack is.
  sanitizer::arrived(Stacks[Index].Marks, FromHome ? &HomeMarks : nullptr);
  FromHome = false;
}

uint32_t FiberGroup::barrier(uint32_t Scope) {
  unsigned Self = Running, Index = Self / XCC_CPU_WARP_SIZE;
  uint32_t Lane = 1u << (Self % XCC_CPU_WARP_SIZE);
  Warp &W = Warps[Index];
  W.Ready &= ~Lane;
  if (Scope == XCC_CPU_SCOPE_BLOCK) {
    W.AtBlock |= Lane;
    ++BlockCount;
  } else {
    W.AtWarp |= Lane;
  }
  releaseIfComplete(Index);
  switchAway();
  return Fibers[Self].Thread.active_mask = W.Released;
}

void FiberGroup::fiberMain(void *Self) {
  auto &G = *static_cast<FiberGroup *>(Self);
  unsigned Index = G.Running;
  G.arrive(Index);
  // A fiber serves the same thread of one block after another.
  while (true) {
    Thrown Exception(*G.Owner);
    if (Exception.by(
            [&] { G.Entry(&G.Owner->Group, &G.Fibers[Index].Thread); }))
      G.Owner->leave(Exception.failure());
    Warp &W = G.Warps[Index / XCC_CPU_WARP_SIZE];
    uint32_t Lane = 1u << (Index % XCC_CPU_WARP_SIZE);
    W.Live &= ~Lane;
    W.Ready &= ~Lane;
    --G.LiveCount;
    G.releaseIfComplete(Index / XCC_CPU_WARP_SIZE);
    G.switchAway();
  }
}

// Not instrumented: a function that ThreadSanitizer sees entered on the fiber
// and left on the thread would take an entry off the wrong shadow stack.
XCC_RT_UNINSTRUMENTED void FiberGroup::cameHome() {
  // The stack left behind stays as it is; its fiber starts afresh.
  sanitizer::leaving(nullptr, HomeMarks);
  sanitizer::arrived(HomeMarks, nullptr);
}

void FiberGroup::abandon() {
  for (unsigned I = 0; I != Made; ++I) {
    sanitizer::destroyed(Stacks[I].Marks);
    sanitizer::created(Stacks[I].Marks, Stacks[I].Low, StackSize);
    resetFiber(I);
  }
}

bool FiberGroup::inGuard(uintptr_t Address) const {
  for (unsigned I = 0; I != Made; ++I) {
    auto Low = reinterpret_cast<uintptr_t>(Stacks[I].Low);
    if (Address < Low + 64 && Address + GuardSize >= Low)
      return true;
  }
  return false;
}

} // namespace xcc::rt::cpu
