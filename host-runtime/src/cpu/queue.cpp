// An AQL queue and its packet processor
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "queue.h"
#include "../process/trace.h"
#include "cpu_device.h"
#include "faults.h"
#include "futex.h"

#include <cstdlib>
#include <cstring>
#include <new>
#include <sched.h>
#include <sys/mman.h>

namespace xcc::rt::cpu {

CpuQueue *CpuQueue::make(Pool &P) {
  constexpr size_t PacketBytes = Size * sizeof(aql::Packet);
  constexpr size_t KernargTotal = size_t(Size) * KernargBytes;
  auto *Q = new (std::nothrow) CpuQueue(P);
  if (!Q)
    return nullptr;
  // Pages of a queue that never fills are never touched.
  void *Memory =
      mmap(nullptr, PacketBytes + KernargTotal, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  Q->Extras = static_cast<Extra *>(calloc(Size, sizeof(Extra)));
  if (Memory == MAP_FAILED || !Q->Extras ||
      !Q->Current.setShares(P.threads())) {
    if (Memory != MAP_FAILED)
      munmap(Memory, PacketBytes + KernargTotal);
    free(Q->Extras);
    delete Q;
    return nullptr;
  }
  Q->Packets = static_cast<aql::Packet *>(Memory);
  Q->Kernargs = static_cast<char *>(Memory) + PacketBytes;
  for (uint64_t I = 0; I != Size; ++I)
    aql::invalidate(Q->Packets[I]);
  static std::atomic<uint64_t> NextId{0};
  Q->Header = {0, 1, Q->Packets, Q->Doorbell.handle(), Size, 0, NextId++};
  P.add(*Q);
  return Q;
}

//===----------------------------------------------------------------------===//
// Producing packets
//===----------------------------------------------------------------------===//

/// Takes the next slot, waiting while the queue is full.
uint64_t CpuQueue::reserve() {
  uint64_t Index = WriteIndex.fetch_add(1, std::memory_order_relaxed);
  if (Index - ReadIndex.load(std::memory_order_acquire) >= Size) [[unlikely]]
    waitFor(Index - Size + 1);
  return Index;
}

void CpuQueue::hand(uint64_t Index, aql::PacketType Type, uint16_t Setup) {
  aql::publish(packet(Index), Type, Setup);
  // An exchange, not a store: whoever reads a later producer's value also sees
  // our packet.
  Doorbell.Value.exchange(int64_t(Index), std::memory_order_seq_cst);
  Workers.ring();
  if (Workers.stopped()) [[unlikely]]
    waitFor(Index + 1);
}

xcc_status CpuQueue::failToStart() {
  return fail(XCC_ERROR_SYSTEM,
              "cannot start a worker thread for the host device; raise the "
              "limit on threads (ulimit -u)");
}

xcc_status CpuQueue::launch(const LaunchRequest &R) {
  if (!Workers.start()) [[unlikely]]
    return failToStart();
  uint64_t Begin = trace::enabled() ? trace::now() : 0;
  auto *K = static_cast<CpuKernel *>(const_cast<Kernel *>(R.Function));
  void *Large = nullptr;
  if (K->KernargSize > KernargBytes) [[unlikely]] {
    Large = aligned_alloc(64, (size_t(K->KernargSize) + 63) / 64 * 64);
    if (!Large)
      return fail(XCC_ERROR_OUT_OF_MEMORY,
                  {K->Info->name, R.File, R.Line, ordinal()},
                  "out of memory for the %u bytes of arguments of '%s'",
                  K->KernargSize, K->Info->name);
  }
  uint64_t Index = reserve();
  void *Kernarg = Large ? Large : kernargOf(Index);
  if (K->KernargSize)
    memcpy(Kernarg, R.Kernarg, K->KernargSize);
  uint64_t Flow = Begin ? trace::newFlow() : 0;
  Extras[Index % Size] = {K, R.File, R.Line, Large, Flow, threadNumber()};
  aql::fillDispatch(packet(Index).Dispatch, R.Grid, R.Block, K->PrivateSize,
                    K->GroupSize + R.SharedBytes,
                    reinterpret_cast<uintptr_t>(K->Object), Kernarg, 0);
  hand(Index, aql::AQL_DISPATCH, aql::dimensions(R.Grid, R.Block));
  if (Flow)
    trace::add({K->TraceName, "launch", Begin, trace::now(), Flow, 0, 0, true});
  return XCC_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Waiting
//===----------------------------------------------------------------------===//

void CpuQueue::wakeWaiting() {
  if (Waiting.load(std::memory_order_seq_cst) == 0) [[likely]]
    return;
  WaitEpoch.fetch_add(1, std::memory_order_release);
  futexWake(WaitEpoch);
}

namespace {
/// Keeps pthread_cancel from ending the thread in the middle of a kernel: it
/// takes effect when the thread that waits has done so.
class NotCancelled {
public:
  NotCancelled() { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &Old); }
  ~NotCancelled() { pthread_setcancelstate(Old, nullptr); }
  NotCancelled(const NotCancelled &) = delete;
  NotCancelled &operator=(const NotCancelled &) = delete;

private:
  int Old;
};
} // namespace

void CpuQueue::waitFor(uint64_t Until) {
  if (readIndex() >= Until)
    return;
  NotCancelled Here;
  // Without memory for a worker the others have to do it.
  Worker *W = Worker::current();
  uint64_t Deadline = 0;
  while (readIndex() < Until) {
    if (W && help(*W, Until)) {
      Deadline = 0;
      continue;
    }
    if (W && BlockedOn.load(std::memory_order_acquire)) {
      bool Did = false;
      for (CpuQueue *Q = Workers.queues(); Q; Q = Q->Next)
        if (Q != this && Q->hasWork())
          Did |= Q->help(*W, Q->readIndex() + 1);
      if (Did)
        continue;
    }
    uint64_t Now = ticks();
    if (!Deadline)
      Deadline = Now + Workers.spinTicks();
    if (Now < Deadline) {
      relax();
      continue;
    }
    if (Workers.stopped()) {
      sched_yield(); // nobody may be there to wake us
      continue;
    }
    uint32_t Epoch = WaitEpoch.load(std::memory_order_acquire);
    Waiting.fetch_add(1, std::memory_order_seq_cst);
    if (ReadIndex.load(std::memory_order_seq_cst) < Until && !hasWork())
      futexWaitFor(WaitEpoch, Epoch, LookWhileWaiting);
    Waiting.fetch_sub(1, std::memory_order_relaxed);
    keepFaultHandlers(ticks());
  }
}

void CpuQueue::drain() { waitFor(WriteIndex.load(std::memory_order_acquire)); }

bool CpuQueue::watch(uint64_t Patience) {
  uint64_t Until = WriteIndex.load(std::memory_order_acquire);
  uint64_t Seen = Worker::progress(), Since = trace::now();
  while (readIndex() < Until) {
    uint32_t Epoch = WaitEpoch.load(std::memory_order_acquire);
    Waiting.fetch_add(1, std::memory_order_seq_cst);
    if (ReadIndex.load(std::memory_order_seq_cst) < Until)
      futexWaitFor(WaitEpoch, Epoch, 1'000'000);
    Waiting.fetch_sub(1, std::memory_order_relaxed);
    if (uint64_t Now = Worker::progress(); Now != Seen) {
      Seen = Now;
      Since = trace::now();
    } else if (trace::now() - Since >= Patience) {
      return readIndex() >= Until;
    }
  }
  return true;
}

bool CpuQueue::idle() {
  return readIndex() >= WriteIndex.load(std::memory_order_acquire);
}

} // namespace xcc::rt::cpu
