//===-- cpu/queue.cpp - An AQL queue and its packet processor -------------===//
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "queue.h"
#include "../trace.h"
#include "futex.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <sched.h>
#include <sys/mman.h>

namespace xcc::rt::cpu {

/// A dispatch that should take no longer than this is run by the thread that
/// starts it: sharing it would take longer than running it.
static constexpr uint64_t AloneTicks = 5000; // about 2 us
/// Bytes that one block of a copy or fill handles.
static constexpr size_t TransferBlock = 256 * 1024;

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

[[gnu::cold]] static xcc_status noWorkers() {
  return fail(XCC_ERROR_SYSTEM,
              "cannot start a worker thread for the host device; raise the "
              "limit on threads (ulimit -u)");
}

xcc_status CpuQueue::launch(const LaunchRequest &R) {
  if (!Workers.start()) [[unlikely]]
    return noWorkers();
  uint64_t Begin = trace::enabled() ? trace::now() : 0;
  auto *K = static_cast<CpuKernel *>(const_cast<Kernel *>(R.Function));
  void *Large = nullptr;
  if (K->KernargSize > KernargBytes) [[unlikely]] {
    Large = aligned_alloc(64, (size_t(K->KernargSize) + 63) / 64 * 64);
    if (!Large)
      return fail(XCC_ERROR_OUT_OF_MEMORY, {K->Info->name, R.File, R.Line, 0},
                  "out of memory for the %u bytes of arguments of '%s'",
                  K->KernargSize, K->Info->name);
  }
  uint64_t Index = reserve();
  void *Kernarg = Large ? Large : kernargOf(Index);
  if (K->KernargSize)
    memcpy(Kernarg, R.Kernarg, K->KernargSize);
  uint64_t Flow = Begin ? trace::newFlow() : 0;
  Extras[Index % Size] = {K, R.File, R.Line, Large, Flow};
  aql::fillDispatch(packet(Index).Dispatch, R.Grid, R.Block, K->PrivateSize,
                    K->GroupSize + R.SharedBytes,
                    reinterpret_cast<uintptr_t>(K->Object), Kernarg, 0);
  hand(Index, aql::AQL_DISPATCH, aql::dimensions(R.Grid, R.Block));
  if (Flow)
    trace::add({K->TraceName, "launch", Begin, trace::now(), Flow, 0, 0, true});
  return XCC_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Copies and fills: kernels of our own
//===----------------------------------------------------------------------===//

namespace {
struct CopyArgs {
  char *To;
  const char *From;
  size_t Size;
};
struct FillArgs {
  char *To;
  size_t Size;
  int Byte;
};
} // namespace

static size_t partSize(size_t Size, uint64_t First, uint64_t Last) {
  return std::min<size_t>(Size, Last * TransferBlock) - First * TransferBlock;
}

static void copyBlocks(const xcc_cpu_group *G, uint64_t First, uint64_t Last) {
  auto &A = *static_cast<const CopyArgs *>(G->kernarg);
  size_t Offset = First * TransferBlock;
  // One block means the ranges may overlap.
  if (G->grid_dim[0] == 1)
    memmove(A.To, A.From, A.Size);
  else
    memcpy(A.To + Offset, A.From + Offset, partSize(A.Size, First, Last));
}

static void fillBlocks(const xcc_cpu_group *G, uint64_t First, uint64_t Last) {
  auto &A = *static_cast<const FillArgs *>(G->kernarg);
  memset(A.To + First * TransferBlock, A.Byte, partSize(A.Size, First, Last));
}

namespace {
/// A kernel that is part of the runtime.
struct BuiltIn {
  xcc_cpu_kernel Object;
  CpuKernel Function;
  BuiltIn(xcc_cpu_block_fn Entry, uint32_t Kernarg, const char *Name)
      : Object{XCC_ABI_VERSION,
               0,
               reinterpret_cast<void (*)()>(Entry),
               0,
               0,
               Kernarg,
               0,
               0} {
    Function.Object = &Object;
    Function.KernargSize = Kernarg;
    Function.MaxThreads = 1;
    Function.TraceName = Name;
  }
};
} // namespace

xcc_status CpuQueue::transfer(CpuKernel &Function, const void *Kernarg,
                              size_t Blocks) {
  if (!Workers.start()) [[unlikely]]
    return noWorkers();
  uint64_t Index = reserve();
  memcpy(kernargOf(Index), Kernarg, Function.KernargSize);
  Extras[Index % Size] = {&Function, nullptr, 0, nullptr, 0};
  uint32_t Grid[3] = {static_cast<uint32_t>(Blocks), 1, 1};
  uint32_t Block[3] = {1, 1, 1};
  aql::fillDispatch(packet(Index).Dispatch, Grid, Block, 0, 0,
                    reinterpret_cast<uintptr_t>(Function.Object),
                    kernargOf(Index), 0);
  hand(Index, aql::AQL_DISPATCH, 1);
  return XCC_SUCCESS;
}

xcc_status CpuQueue::copy(void *To, const void *From, size_t Bytes) {
  static BuiltIn Copy(copyBlocks, sizeof(CopyArgs), "copy");
  CopyArgs A{static_cast<char *>(To), static_cast<const char *>(From), Bytes};
  auto T = reinterpret_cast<uintptr_t>(To),
       F = reinterpret_cast<uintptr_t>(From);
  bool Overlap = T < F + Bytes && F < T + Bytes;
  size_t Blocks = Overlap ? 1 : (Bytes + TransferBlock - 1) / TransferBlock;
  return transfer(Copy.Function, &A, Blocks);
}

xcc_status CpuQueue::fill(void *To, int Byte, size_t Bytes) {
  static BuiltIn Fill(fillBlocks, sizeof(FillArgs), "fill");
  FillArgs A{static_cast<char *>(To), Bytes, Byte};
  return transfer(Fill.Function, &A,
                  (Bytes + TransferBlock - 1) / TransferBlock);
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

[[gnu::cold]] static xcc_status noSignal() {
  return fail(XCC_ERROR_OUT_OF_MEMORY, "out of memory for an event's signal");
}

xcc_status CpuQueue::record(Event &E) {
  if (!Workers.start()) [[unlikely]]
    return noWorkers();
  Signal *S = Signal::make();
  if (!S)
    return noSignal();
  S->retain(); // one count for the packet, one for the event
  uint64_t Index = reserve();
  S->Producer = this;
  S->Index = Index;
  S->Use = Use.load(std::memory_order_relaxed);
  aql::fillBarrier(packet(Index).Barrier, 0, S->handle());
  static_cast<CpuEvent &>(E).set(S);
  hand(Index, aql::AQL_BARRIER_AND, 0);
  return XCC_SUCCESS;
}

xcc_status CpuQueue::wait(Event &E) {
  Signal *S = static_cast<CpuEvent &>(E).hold();
  if (!S)
    return XCC_SUCCESS;
  if (S->reached() || S->Producer == this) {
    S->release(); // in order anyway
    return XCC_SUCCESS;
  }
  uint64_t Index = reserve();
  aql::fillBarrier(packet(Index).Barrier, S->handle(), 0);
  hand(Index, aql::AQL_BARRIER_AND, 0);
  return XCC_SUCCESS;
}

CpuEvent::~CpuEvent() {
  if (Point)
    Point->release();
}

Signal *CpuEvent::hold() {
  std::lock_guard Lock(Mutex);
  if (Point)
    Point->retain();
  return Point;
}

void CpuEvent::set(Signal *S) {
  std::lock_guard Lock(Mutex);
  if (Point)
    Point->release();
  Point = S;
}

bool CpuEvent::recorded() {
  std::lock_guard Lock(Mutex);
  return Point != nullptr;
}

bool CpuEvent::reached() {
  std::lock_guard Lock(Mutex);
  return !Point || Point->reached();
}

uint64_t CpuEvent::time() {
  std::lock_guard Lock(Mutex);
  return Point && Point->reached() ? Point->Time : 0;
}

xcc_status CpuEvent::synchronize() {
  Signal *S = hold();
  if (!S)
    return XCC_SUCCESS;
  CpuQueue &Q = *S->Producer;
  Q.waitFor(S->Index + 1);
  // The queue may serve another stream by now.
  bool Same = Q.Use.load(std::memory_order_relaxed) == S->Use;
  S->release();
  xcc_error *Pending = Same ? Q.takeError() : nullptr;
  return Pending ? failWith(Pending) : XCC_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Processing packets
//===----------------------------------------------------------------------===//

bool CpuQueue::acquire() {
  uint64_t Word = StateWord.load(std::memory_order_relaxed);
  return (Word & 3) == Idle && StateWord.compare_exchange_strong(
                                   Word, Word | Busy, std::memory_order_acquire,
                                   std::memory_order_relaxed);
}

/// Is there a packet at the head that can be processed?
bool CpuQueue::packetWaits() {
  Doorbell.Value.load(std::memory_order_seq_cst);
  aql::Packet &P = packet(ReadIndex.load(std::memory_order_acquire));
  if (aql::typeOf(aql::loadFirstWord(P, std::memory_order_acquire)) ==
      aql::AQL_INVALID)
    return false;
  // Stale at worst: signals are never freed.
  Signal *Blocker = BlockedOn.load(std::memory_order_acquire);
  return !Blocker || Blocker->reached();
}

bool CpuQueue::hasWork() {
  uint64_t Word = StateWord.load(std::memory_order_seq_cst);
  if ((Word & 3) == Open)
    return true;
  return (Word & 3) == Idle && packetWaits();
}

/// Ends being the processor. True when a packet came in between and the caller
/// is the processor again.
bool CpuQueue::giveUp() {
  StateWord.store(word(Generation, Idle), std::memory_order_seq_cst);
  return packetWaits() && acquire();
}

bool CpuQueue::barrierReady(aql::BarrierPacket &P) {
  for (aql::SignalHandle H : P.DepSignal)
    if (H && !Signal::of(H)->reached()) {
      BlockedOn.store(Signal::of(H), std::memory_order_release);
      return false;
    }
  BlockedOn.store(nullptr, std::memory_order_release);
  for (aql::SignalHandle H : P.DepSignal)
    if (H)
      Signal::of(H)->release();
  return true;
}

/// The processor's loop. On return the queue is idle or a dispatch is open.
void CpuQueue::process(Worker &W, uint64_t Until) {
  while (true) {
    uint64_t Index = ReadIndex.load(std::memory_order_relaxed);
    if (Index >= Until) {
      // More than we came for is somebody else's.
      StateWord.store(word(Generation, Idle), std::memory_order_seq_cst);
      if (packetWaits())
        Workers.ring();
      return;
    }
    aql::Packet &P = packet(Index);
    switch (aql::typeOf(aql::loadFirstWord(P, std::memory_order_acquire))) {
    case aql::AQL_BARRIER_AND:
      if (barrierReady(P.Barrier)) {
        complete(Index);
        continue;
      }
      break;
    case aql::AQL_DISPATCH:
      if (begin(W, Index))
        continue;
      return;
    default:
      break;
    }
    if (!giveUp())
      return;
  }
}

/// Reads a dispatch packet into Current.
void CpuQueue::setUp(uint64_t Index) {
  const aql::DispatchPacket &P = packet(Index).Dispatch;
  const Extra &X = Extras[Index % Size];
  Dispatch &D = Current;
  D.Code = reinterpret_cast<const xcc_cpu_kernel *>(P.KernelObject);
  D.Function = X.Function;
  D.File = X.File;
  D.Line = X.Line;
  D.Flow = X.Flow;
  D.PrivateSize = P.PrivateSegmentSize;
  D.Blocks = 1;
  D.Group = {};
  D.Group.kernarg = P.KernargAddress;
  for (int I = 0; I != 3; ++I) {
    D.Group.block_dim[I] = P.WorkgroupSize[I];
    D.Group.grid_dim[I] = P.GridSize[I] / P.WorkgroupSize[I];
    D.Blocks *= D.Group.grid_dim[I];
  }
  D.Group.dynamic_offset = X.Function->GroupSize;
  D.Group.dynamic_size = P.GroupSegmentSize - X.Function->GroupSize;
  D.Failed.store(false, std::memory_order_relaxed);
}

/// Runs a dispatch that is expected to be short. Returns how many blocks were
/// run: fewer than all when the expectation proves wrong.
uint64_t CpuQueue::runAlone(Worker &W) {
  if (!W.enter(Current)) {
    note(W);
    return Current.Blocks;
  }
  // A first part tells whether the kernel still is as fast as it was.
  uint64_t Part = Current.Blocks < 16 ? 1 : Current.Blocks / 8;
  uint64_t Start = ticks();
  runRange(W, 0, Part);
  if (Part != Current.Blocks &&
      !Current.Failed.load(std::memory_order_relaxed)) {
    uint64_t Taken = ticks() - Start;
    if (Taken > AloneTicks) {
      learn(Taken, Part);
      return Part;
    }
    runRange(W, Part, Current.Blocks);
  }
  learn(ticks() - Start, Current.Blocks);
  return Current.Blocks;
}

/// Updates the estimate of what a block of the current kernel takes.
void CpuQueue::learn(uint64_t Ticks, uint64_t Blocks) {
  CpuKernel &K = *Current.Function;
  uint64_t Each = Ticks / Blocks + 1;
  uint64_t Old = K.TicksPerBlock.load(std::memory_order_relaxed);
  uint64_t New = std::min<uint64_t>(Old ? (Old * 3 + Each) / 4 : Each, ~0u);
  if (New != Old)
    K.TicksPerBlock.store(static_cast<uint32_t>(New),
                          std::memory_order_relaxed);
}

/// Starts the dispatch at the head. True when it has already ended.
bool CpuQueue::begin(Worker &W, uint64_t Index) {
  setUp(Index);
  uint64_t Each =
      Current.Function->TicksPerBlock.load(std::memory_order_relaxed);
  uint64_t Done = 0;
  if (Current.Blocks == 1 || (Each && Current.Blocks <= AloneTicks &&
                              Current.Blocks * Each <= AloneTicks))
    Done = runAlone(W);
  if (Done == Current.Blocks) {
    complete(Index);
    return true;
  }
  Current.cut(Done);
  uint32_t Others = Current.grains() - 1;
  uint32_t Opened = ++Generation;
  Current.open(Opened);
  // Once open the dispatch may end, and another begin, at any moment.
  StateWord.store(word(Opened, Open), std::memory_order_seq_cst);
  if (Others) {
    Workers.invite(std::min<uint32_t>(Others, Workers.workers()));
    wakeWaiting();
  }
  return false;
}

/// Takes part in the open dispatch. True when it ran something.
bool CpuQueue::join(Worker &W, uint64_t Until) {
  uint64_t Word = StateWord.load(std::memory_order_acquire);
  if ((Word & 3) != Open)
    return false;
  auto Of = static_cast<uint32_t>(Word >> 32);
  GrainRange R = Current.take(W.Share, Of);
  uint32_t Done = 0;
  uint64_t Ran = 0, Start = ticks();
  // From the first success until our report below, Current stays as it is.
  if (!R.empty() && !W.enter(Current))
    note(W);
  for (; !R.empty(); R = Current.take(W.Share, Of)) {
    if (!Current.Failed.load(std::memory_order_relaxed)) {
      runRange(W, Current.firstBlock(R), Current.lastBlock(R));
      Ran += Current.lastBlock(R) - Current.firstBlock(R);
    }
    Done += R.size();
  }
  StateWord.compare_exchange_strong(Word, word(Of, Drained),
                                    std::memory_order_relaxed);
  if (Done == 0)
    return false;
  if (Ran)
    learn(ticks() - Start, Ran);
  if (Current.Remaining.fetch_sub(Done, std::memory_order_acq_rel) == Done) {
    StateWord.store(word(Of, Busy), std::memory_order_relaxed);
    complete(ReadIndex.load(std::memory_order_relaxed));
    process(W, Until);
  }
  return true;
}

bool CpuQueue::help(Worker &W, uint64_t Until) {
  bool Did = false;
  while (true) {
    if (join(W, Until)) {
      Did = true;
    } else {
      if (readIndex() >= Until || !hasWork() || !acquire())
        return Did;
      uint64_t Before = ReadIndex.load(std::memory_order_relaxed);
      uint32_t Opened = Generation;
      process(W, Until);
      // A blocked barrier is not progress.
      if (readIndex() == Before && (StateWord.load() >> 32) == Opened)
        return Did;
      Did = true;
    }
    if (readIndex() >= Until)
      return Did;
  }
}

void CpuQueue::runRange(Worker &W, uint64_t First, uint64_t Last) {
  CpuKernel &K = *Current.Function;
  uint64_t Traced = trace::enabled() ? trace::now() : 0;
  bool Good = W.run(Current, First, Last);
  if (Traced)
    trace::add({K.TraceName ? K.TraceName : "kernel",
                K.Info ? "kernel" : "copy", Traced, trace::now(), Current.Flow,
                First, Last, false});
  if (!Good) [[unlikely]]
    note(W);
}

/// Records a worker's failure; the launch's other blocks are skipped.
void CpuQueue::note(Worker &W) {
  Current.Failed.store(true, std::memory_order_relaxed);
  xcc_error *Error = W.describe(Current), *None = nullptr;
  if (!FirstError.compare_exchange_strong(None, Error,
                                          std::memory_order_acq_rel))
    xcc_error_release(Error);
}

/// Retires the packet at the head.
void CpuQueue::complete(uint64_t Index) {
  aql::Packet &P = packet(Index);
  Extra &X = Extras[Index % Size];
  if (aql::typeOf(aql::loadFirstWord(P, std::memory_order_relaxed)) ==
      aql::AQL_DISPATCH) {
    if (X.LargeKernarg) [[unlikely]]
      free(X.LargeKernarg);
    X.LargeKernarg = nullptr;
  }
  // At the same place in both kinds of packet.
  Signal *Done = Signal::of(P.Dispatch.CompletionSignal);
  aql::invalidate(P);
  if (Done) {
    Done->Time = trace::now();
    Done->Value.fetch_sub(1, std::memory_order_seq_cst);
  }
  ReadIndex.store(Index + 1, std::memory_order_seq_cst);
  wakeWaiting();
  if (Done) {
    Done->release();
    // Another queue may have waited for it.
    Workers.invite(1);
  }
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

void CpuQueue::waitFor(uint64_t Until) {
  if (readIndex() >= Until)
    return;
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
      futexWait(WaitEpoch, Epoch);
    Waiting.fetch_sub(1, std::memory_order_relaxed);
  }
}

void CpuQueue::drain() { waitFor(WriteIndex.load(std::memory_order_acquire)); }

bool CpuQueue::idle() {
  return readIndex() >= WriteIndex.load(std::memory_order_acquire);
}

xcc_error *CpuQueue::takeError() {
  if (!FirstError.load(std::memory_order_acquire)) [[likely]]
    return nullptr;
  return FirstError.exchange(nullptr, std::memory_order_acq_rel);
}

} // namespace xcc::rt::cpu
