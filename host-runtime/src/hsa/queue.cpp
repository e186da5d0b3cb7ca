// A stream on an AMD GPU
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "queue.h"
#include "../process/trace.h"
#include "faults.h"
#include "image.h"
#include "kernarg.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <new>
#include <sched.h>

namespace xcc::rt::hsa {

//===----------------------------------------------------------------------===//
// Making and ending
//===----------------------------------------------------------------------===//

xcc_status HsaQueue::make(Gpu &On, HsaQueue *&Out) {
  auto *Q = new (std::nothrow) HsaQueue(On);
  if (!Q)
    return fail(XCC_ERROR_OUT_OF_MEMORY, "out of memory for a queue");
  if (xcc_status S = Q->open(); S != XCC_SUCCESS) {
    delete Q;
    return S;
  }
  push(On.Queues, *Q);
  Out = Q;
  return XCC_SUCCESS;
}

xcc_status HsaQueue::open() {
  Size =
      std::bit_floor(std::clamp(MaxSize, On.Facts.MinQueue, On.Facts.MaxQueue));
  if (Size < 4)
    return fail(XCC_ERROR_SYSTEM, On.site(),
                "device %d (%s) has queues of %u packets; at least 4 are "
                "needed",
                On.ordinal(), On.id(), On.Facts.MaxQueue);
  Chunk = Size >= 8 ? Size / 4 : 2;
  Sides = new (std::nothrow) Beside[Size];
  if (!Sides)
    return fail(XCC_ERROR_OUT_OF_MEMORY, "out of memory for a queue");
  XCC_TRY(On.allocateHost(On.World.Kernarg, Size * size_t(KernargBytes),
                          reinterpret_cast<void **>(&Kernargs)));
  for (uint32_t I = 0; I != chunks(); ++I)
    if (Status S =
            Hsa.signal_create(int64_t(1) << 62, 0, nullptr, &ChunkEnds[I]);
        S != StatusSuccess)
      return On.failed("hsa_signal_create", S);
  // How much scratch and LDS kernels will want is not known.
  Status S = Hsa.queue_create(On.Facts.Handle, Size, QueueMulti, onError, this,
                              UINT32_MAX, UINT32_MAX, &Ring);
  if (S != StatusSuccess)
    return On.failed("hsa_queue_create", S);
  // Without time stamps events have none; all else works.
  if (Hsa.amd_profiling_set_profiler_enabled)
    (void)Hsa.amd_profiling_set_profiler_enabled(Ring, 1);
  Usable.store(Size, std::memory_order_release);
  return XCC_SUCCESS;
}

HsaQueue::~HsaQueue() {
  if (Ring)
    Hsa.queue_destroy(Ring);
  if (Kernargs)
    Hsa.amd_memory_pool_free(Kernargs);
  for (SignalRef S : ChunkEnds)
    if (S.handle)
      Hsa.signal_destroy(S);
  delete[] Sides;
}

//===----------------------------------------------------------------------===//
// Producing packets
//===----------------------------------------------------------------------===//

void HsaQueue::raise(std::atomic<uint64_t> &To, uint64_t Value) {
  uint64_t Was = To.load(std::memory_order_relaxed);
  while (Was < Value &&
         !To.compare_exchange_weak(Was, Value, std::memory_order_acq_rel))
    ;
}

/// Takes the next place that is not a chunk's last, waiting while the queue is
/// full.
xcc_status HsaQueue::reserve(uint64_t &Index) {
  while (true) {
    if (On.dead()) [[unlikely]]
      return On.unusable();
    Index = Hsa.queue_add_write_index_relaxed(Ring, 1);
    if (Index >= Usable.load(std::memory_order_acquire)) [[unlikely]]
      if (!waitForPlace(Index))
        return On.unusable();
    if (beside(Index).Holds.load(std::memory_order_relaxed)) [[unlikely]]
      discard(Index);
    if ((Index & (Chunk - 1)) != Chunk - 1) [[likely]]
      return XCC_SUCCESS;
    endChunk(Index);
  }
}

bool HsaQueue::waitForPlace(uint64_t Index) {
  uint64_t Needed = Index / Chunk - chunks(); // its place's chunk, last time
  if (!On.waitBelow(ChunkEnds[Needed % chunks()],
                    chunkValue(Needed / chunks()) + 1))
    return false;
  uint64_t Free = (Needed + 1) * Chunk;
  // The processor may count the packet as read a moment after it ended.
  while (Hsa.queue_load_read_index_scacquire(Ring) < Free) {
    if (On.dead())
      return false;
    sched_yield();
  }
  raise(Ended, Free);
  raise(Usable, Free + Size);
  return true;
}

void HsaQueue::endChunk(uint64_t Index) {
  beside(Index).Info.store(nullptr, std::memory_order_relaxed);
  aql::fillBarrier(packet(Index).Barrier, 0,
                   ChunkEnds[Index / Chunk % chunks()].handle);
  hand(Index, aql::AQL_BARRIER_AND, 0);
}

void HsaQueue::hand(uint64_t Index, aql::PacketType Type, uint16_t Setup) {
  aql::publish(packet(Index), Type, Setup);
  // Producers may ring in any order: the queue is of the kind for several.
  Hsa.signal_store_screlease({Ring->DoorbellSignal},
                             static_cast<int64_t>(Index));
}

xcc_status HsaQueue::launch(const LaunchRequest &R) {
  uint64_t Begin = trace::enabled() ? trace::now() : 0;
  auto &K = static_cast<const HsaKernel &>(*R.Function);
  Kept *More = nullptr;
  if (K.Segment > KernargBytes || K.CallsHost) [[unlikely]]
    XCC_TRY(prepare(K, More));
  uint64_t Index;
  if (xcc_status S = reserve(Index); S != XCC_SUCCESS) [[unlikely]] {
    delete More;
    return S;
  }
  void *Kernarg = More && More->Kernarg ? More->Kernarg : kernargOf(Index);
  uint16_t Dimensions = aql::dimensions(R.Grid, R.Block);
  fillKernarg(Kernarg, K.Segment, R.Kernarg, K.KernargSize, K.Data.Hidden,
              K.Data.HiddenCount,
              {R.Grid, R.Block, R.SharedBytes, Dimensions,
               reinterpret_cast<const AmdQueue *>(Ring), K.Heap, nullptr});
  Beside &B = beside(Index);
  B.Info.store(K.Info, std::memory_order_relaxed);
  B.File.store(R.File, std::memory_order_relaxed);
  B.Line.store(R.Line, std::memory_order_relaxed);
  SignalRef Completes{};
  if (More) [[unlikely]] {
    if (K.CallsHost)
      Completes = listen(Index, *More);
    keep(Index, More);
  }
  aql::fillDispatch(packet(Index).Dispatch, R.Grid, R.Block, K.LaunchPrivate,
                    K.GroupSize + R.SharedBytes, K.Object, Kernarg,
                    Completes.handle);
  hand(Index, aql::AQL_DISPATCH, Dimensions);
  if (Begin)
    trace::add({K.TraceName ? K.TraceName : "launch", "launch", Begin,
                trace::now(), 0, 0, 0, false});
  return XCC_SUCCESS;
}

/// A packet that waits for \p Before and then counts \p Completes down; either
/// may be null. It owns \p Keeps, also when it fails.
xcc_status HsaQueue::barrier(Signal *Before, Signal *Completes, Kept *Keeps,
                             uint64_t *Where) {
  uint64_t Index;
  if (xcc_status S = reserve(Index); S != XCC_SUCCESS) {
    delete Keeps;
    return S;
  }
  if (Completes) {
    Completes->Producer = this;
    Completes->Index = Index;
    Completes->Use = use();
  }
  beside(Index).Info.store(nullptr, std::memory_order_relaxed);
  aql::fillBarrier(packet(Index).Barrier, Before ? Before->Handle.handle : 0,
                   Completes ? Completes->Handle.handle : 0);
  keep(Index, Keeps);
  if (Where)
    *Where = Index;
  hand(Index, aql::AQL_BARRIER_AND, 0);
  return XCC_SUCCESS;
}

/// A signal for everything enqueued so far, with a count for the caller.
xcc_status HsaQueue::mark(Signal *&Out) {
  auto *K = new (std::nothrow) Kept;
  if (!K)
    return fail(XCC_ERROR_OUT_OF_MEMORY, "out of memory for a marker");
  Signal *S;
  if (xcc_status Bad = Signal::make(S); Bad != XCC_SUCCESS) {
    delete K;
    return Bad;
  }
  S->retain();
  K->Signals[0] = S;
  if (xcc_status Bad = barrier(nullptr, S, K); Bad != XCC_SUCCESS) {
    S->release();
    return Bad;
  }
  Out = S;
  return XCC_SUCCESS;
}

//===----------------------------------------------------------------------===//
// What packets keep
//===----------------------------------------------------------------------===//

void HsaQueue::keep(uint64_t Index, Kept *K) {
  K->Index = Index;
  std::lock_guard Lock(KeepMutex);
  beside(Index).Holds.store(K, std::memory_order_relaxed);
}

/// For a place that was used before: that packet has ended.
void HsaQueue::discard(uint64_t Index) {
  std::lock_guard Lock(KeepMutex);
  delete beside(Index).Holds.exchange(nullptr, std::memory_order_relaxed);
}

void HsaQueue::collect() {
  uint64_t Until = Ended.load(std::memory_order_acquire);
  std::lock_guard Lock(KeepMutex);
  for (uint64_t I =
           std::max(Collected, Until - std::min<uint64_t>(Until, Size));
       I < Until; ++I) {
    std::atomic<Kept *> &Holds = beside(I).Holds;
    Kept *K = Holds.load(std::memory_order_relaxed);
    if (!K || K->Index >= Until)
      continue; // the place has a new packet
    Holds.store(nullptr, std::memory_order_relaxed);
    delete K;
  }
  Collected = std::max(Collected, Until);
}

void HsaQueue::abandon() {
  std::lock_guard Lock(KeepMutex);
  for (uint32_t I = 0; I != Size; ++I)
    if (Kept *K = Sides[I].Holds.load(std::memory_order_relaxed))
      for (Signal *S : K->Signals)
        if (S)
          Hsa.signal_store_screlease(S->Handle, 0);
  for (SignalRef S : ChunkEnds)
    if (S.handle)
      Hsa.signal_store_screlease(S, 0);
}

void HsaQueue::releaseFailedCopies() {
  std::lock_guard Lock(KeepMutex);
  for (uint32_t I = 0; I != Size; ++I) {
    Kept *K = Sides[I].Holds.load(std::memory_order_relaxed);
    if (!K || !K->Signals[0] || !K->Signals[0]->Copy ||
        !K->Signals[0]->failed())
      continue;
    setError(makeError(XCC_ERROR_LAUNCH_FAILED, On.site(),
                       "a copy failed on device %d (%s) while it ran",
                       On.ordinal(), On.id()));
    Hsa.signal_store_screlease(K->Signals[0]->Handle, 0);
  }
}

//===----------------------------------------------------------------------===//
// Waiting and reporting
//===----------------------------------------------------------------------===//

bool HsaQueue::waitFor(Signal &S) {
  if (!On.waitBelow(S.Handle, 1))
    return false;
  if (S.Producer == this)
    raise(Ended, S.Index + 1);
  if (S.Copy && S.failed()) [[unlikely]]
    releaseFailedCopies();
  return true;
}

void HsaQueue::drain() {
  if (On.dead())
    return;
  if (Ended.load(std::memory_order_acquire) < written()) {
    Signal *S;
    if (mark(S) != XCC_SUCCESS) {
      if (!On.dead())
        setError(xcc_error_capture());
      return;
    }
    SignalHold Hold(S);
    waitFor(*S);
  }
  collect();
}

bool HsaQueue::idle() {
  if (On.dead())
    return true;
  std::lock_guard Lock(PollMutex);
  uint64_t End = written();
  if (Ended.load(std::memory_order_acquire) >= End)
    return true;
  if (!Poll || Poll->Index + 1 < End) {
    // A full queue is not idle, and a marker would have to wait.
    if (End + 2 >= Usable.load(std::memory_order_acquire)) {
      uint64_t Place = End + 2;
      uint64_t Needed = Place / Chunk - chunks();
      if (Hsa.signal_load_scacquire(ChunkEnds[Needed % chunks()]) >
          chunkValue(Needed / chunks()))
        return false;
    }
    Signal *S;
    if (mark(S) != XCC_SUCCESS)
      return false;
    Poll.reset(S);
  }
  if (!Poll->reached()) {
    if (++Polls % 256 == 0)
      hsa::releaseFailedCopies();
    return false;
  }
  raise(Ended, Poll->Index + 1);
  collect();
  return Ended.load(std::memory_order_acquire) >= written();
}

void HsaQueue::setError(xcc_error *Why) {
  xcc_error *None = nullptr;
  if (!FirstError.compare_exchange_strong(None, Why, std::memory_order_acq_rel))
    xcc_error_release(Why);
}

xcc_error *HsaQueue::takeError() {
  if (FirstError.load(std::memory_order_acquire)) [[unlikely]]
    return FirstError.exchange(nullptr, std::memory_order_acq_rel);
  return On.dead() ? On.takeFault() : nullptr;
}

unsigned HsaQueue::suspects(Suspect Out[2]) const {
  uint64_t Read = Hsa.queue_load_read_index_scacquire(Ring);
  uint64_t First = Ended.load(std::memory_order_acquire);
  First = std::max(First, Read - std::min<uint64_t>(Read, Size / 2));
  unsigned Count = 0;
  auto Add = [&](uint64_t Index) {
    const Beside &B = beside(Index);
    const xcc_kernel_info *Info = B.Info.load(std::memory_order_relaxed);
    if (!Info)
      return false; // a barrier
    Suspect &S = Out[Count++];
    S = {Info,
         B.File.load(std::memory_order_relaxed),
         B.Line.load(std::memory_order_relaxed),
         {},
         {}};
    const aql::DispatchPacket &P =
        static_cast<aql::Packet *>(Ring->BaseAddress)[Index & (Size - 1)]
            .Dispatch;
    for (int I = 0; I != 3; ++I) {
      S.Block[I] = P.WorkgroupSize[I];
      S.Grid[I] = S.Block[I] ? P.GridSize[I] / S.Block[I] : 0;
    }
    return true;
  };
  // A packet may count as read when it begins or when it ends.
  auto *Packets = static_cast<aql::Packet *>(Ring->BaseAddress);
  if (aql::typeOf(aql::loadFirstWord(Packets[Read & (Size - 1)],
                                     std::memory_order_acquire)) ==
      aql::AQL_DISPATCH)
    Add(Read);
  // Barriers may have been read ahead of the kernel they wait for.
  for (uint64_t I = Read; I > First; --I)
    if (Add(I - 1))
      break;
  return Count;
}

void HsaQueue::onError(Status S, QueueRef *, void *Data) {
  auto &Q = *static_cast<HsaQueue *>(Data);
  if (S == StatusSuccess || !Q.Ring)
    return;
  Suspect Found[2];
  unsigned Count = Q.suspects(Found);
  Q.On.setFault(describeFault(Q.On, Found, Count, statusText(S)));
}

} // namespace xcc::rt::hsa
