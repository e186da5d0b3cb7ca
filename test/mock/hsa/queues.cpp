// The mock's signals and packet processors
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each queue has a thread that reads its packets as a GPU would, checks all
// that the HSA specification asks of them, and completes them in order.

#include "execution.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <dlfcn.h>
#include <thread>
#include <utility>

using namespace mock;
using xcc::rt::aql::Packet;

//===----------------------------------------------------------------------===//
// Signals
//===----------------------------------------------------------------------===//

static MockSignal &signalOf(uint64_t Handle) {
  return *reinterpret_cast<MockSignal *>(Handle);
}

Status hsa_signal_create(int64_t Value, uint32_t, const Agent *,
                         SignalRef *Out) {
  MOCK_CALL(hsa_signal_create);
  auto *S = new MockSignal;
  S->Value = Value;
  Out->handle = reinterpret_cast<uintptr_t>(S);
  return StatusSuccess;
}

Status hsa_signal_destroy(SignalRef S) {
  MOCK_CALL(hsa_signal_destroy);
  delete &signalOf(S.handle);
  return StatusSuccess;
}

int64_t hsa_signal_load_scacquire(SignalRef S) {
  return signalOf(S.handle).Value.load();
}

void hsa_signal_store_screlease(SignalRef S, int64_t Value) {
  {
    std::lock_guard Lock(state().Mutex);
    MockSignal &To = signalOf(S.handle);
    To.Value = To.Doorbell ? std::max(To.Value.load(), Value) : Value;
  }
  state().Changed.notify_all();
}

int64_t hsa_signal_wait_scacquire(SignalRef S, Condition How, int64_t Value,
                                  uint64_t Timeout, WaitState) {
  std::atomic<int64_t> &Now = signalOf(S.handle).Value;
  std::unique_lock Lock(state().Mutex);
  state().Changed.wait_for(Lock, std::chrono::nanoseconds(Timeout), [&] {
    return How == ConditionLt ? Now < Value : Now == Value;
  });
  return Now;
}

/// Tells those who listen, one after the other, as ROCm's runtime does.
static void tellListeners() {
  State &S = state();
  std::unique_lock Lock(S.Mutex);
  while (true) {
    auto Due = S.Listeners.end();
    S.Changed.wait(Lock, [&] {
      Due = std::find_if(
          S.Listeners.begin(), S.Listeners.end(), [](const Listener &L) {
            int64_t Now = signalOf(L.On.handle).Value;
            return L.How == ConditionLt ? Now < L.Value : Now == L.Value;
          });
      return Due != S.Listeners.end();
    });
    Listener L = *Due;
    S.Listeners.erase(Due);
    int64_t Now = signalOf(L.On.handle).Value;
    Lock.unlock();
    bool Again = L.Handler(Now, L.Data);
    Lock.lock();
    if (Again)
      S.Listeners.push_back(L);
  }
}

Status hsa_amd_signal_async_handler(SignalRef On, Condition How, int64_t Value,
                                    SignalHandler Handler, void *Data) {
  MOCK_CALL(hsa_amd_signal_async_handler);
  if (!On.handle || !Handler)
    return StatusInvalidArgument;
  {
    std::lock_guard Lock(state().Mutex);
    state().Listeners.push_back({On, How, Value, Handler, Data});
    // For the rest of the process, like the library's own.
    if (!std::exchange(state().Listening, true))
      std::thread(tellListeners).detach();
  }
  state().Changed.notify_all();
  return StatusSuccess;
}

Status hsa_amd_profiling_get_dispatch_time(Agent A, SignalRef S,
                                           DispatchTime *Out) {
  MOCK_CALL(hsa_amd_profiling_get_dispatch_time);
  if (!isGpu(A))
    return StatusInvalidAgent;
  std::lock_guard Lock(state().Mutex);
  *Out = {signalOf(S.handle).Begin, signalOf(S.handle).End};
  return StatusSuccess;
}

//===----------------------------------------------------------------------===//
// Queues
//===----------------------------------------------------------------------===//

static uint64_t now() {
  return uint64_t(std::chrono::steady_clock::now().time_since_epoch() /
                  std::chrono::nanoseconds(1));
}

namespace {
class MockQueue {
public:
  MockQueue(Agent On, uint32_t Size, QueueErrorHandler OnError, void *Data)
      : On(On), OnError(OnError), Data(Data) {
    static uint64_t NextId = 0;
    Packets = static_cast<Packet *>(aligned_alloc(64, Size * sizeof(Packet)));
    memset(static_cast<void *>(Packets), 0, Size * sizeof(Packet));
    for (uint32_t I = 0; I != Size; ++I)
      xcc::rt::aql::invalidate(Packets[I]);
    Doorbell.Value = -1;
    Doorbell.Doorbell = true;
    Amd.Queue = {QueueMulti, 1, Packets, reinterpret_cast<uintptr_t>(&Doorbell),
                 Size,       0, NextId++};
    Amd.GroupApertureHigh = 0x00010000;
    Amd.PrivateApertureHigh = 0x00020000;
    Worker = std::thread([this] { run(); });
  }
  ~MockQueue() {
    {
      std::lock_guard Lock(state().Mutex);
      Stop = true;
    }
    state().Changed.notify_all();
    Worker.join();
    free(Packets);
  }
  static MockQueue &of(const QueueRef *Q) {
    return *reinterpret_cast<MockQueue *>(const_cast<QueueRef *>(Q));
  }

  AmdQueue Amd{}; ///< first: its address is the queue's
  std::atomic<uint64_t> WriteIndex{0}, ReadIndex{0};

private:
  void run();
  bool dispatch(Packet &P, uint64_t Index);
  void checkHeader(uint32_t Word);
  void checkDispatch(const xcc::rt::aql::DispatchPacket &D, uint16_t Setup,
                     const MockKernel &K);
  bool failsNow(Status &Code, SystemEvent &Fault);
  void complete(uint64_t Handle, uint64_t Begin);

  Agent On;
  QueueErrorHandler OnError;
  void *Data;
  Packet *Packets;
  MockSignal Doorbell;
  std::atomic<bool> Stop = false;
  std::thread Worker;
};
} // namespace

void MockQueue::run() {
  while (true) {
    uint64_t Index = ReadIndex.load();
    Packet &P = Packets[Index % Amd.Queue.Size];
    auto Ready = [&] {
      return xcc::rt::aql::typeOf(xcc::rt::aql::loadFirstWord(
                 P, std::memory_order_acquire)) != xcc::rt::aql::AQL_INVALID;
    };
    {
      std::unique_lock Lock(state().Mutex);
      // A packet without its doorbell's ring is not to be seen.
      state().Changed.wait(Lock, [&] {
        return Stop ||
               (!state().Paused && Ready() && Doorbell.Value >= int64_t(Index));
      });
      if (Stop)
        return;
    }
    uint32_t Word = xcc::rt::aql::loadFirstWord(P, std::memory_order_acquire);
    checkHeader(Word);
    Packet Copy = P;
    bool Late;
    {
      std::lock_guard Lock(state().Mutex);
      Late = state().ReadLate;
    }
    auto Read = [&] {
      xcc::rt::aql::invalidate(P);
      ReadIndex = Index + 1;
    };
    if (!Late)
      Read();
    uint64_t Begin = now();
    if (xcc::rt::aql::typeOf(Word) == xcc::rt::aql::AQL_BARRIER_AND) {
      const auto &B = Copy.Barrier;
      if (B.Reserved0 || B.Reserved1 || B.Reserved2)
        violated("a barrier packet's reserved fields are not 0");
      std::unique_lock Lock(state().Mutex);
      state().Changed.wait(Lock, [&] {
        for (uint64_t S : B.DepSignal)
          if (S && signalOf(S).Value != 0)
            return bool(Stop);
        return true;
      });
      if (Stop)
        return;
    } else if (!dispatch(Copy, Index)) {
      // The queue is in error: it reads nothing more.
      std::unique_lock Lock(state().Mutex);
      state().Changed.wait(Lock, [&] { return bool(Stop); });
      return;
    }
    // The signal first: the next user of the place must look at the index too.
    if (Late)
      Read();
    complete(Copy.Dispatch.CompletionSignal, Begin);
  }
}

void MockQueue::complete(uint64_t Handle, uint64_t Begin) {
  if (!Handle)
    return;
  {
    std::lock_guard Lock(state().Mutex);
    MockSignal &S = signalOf(Handle);
    S.Begin = Begin;
    S.End = now();
    --S.Value;
  }
  state().Changed.notify_all();
}

void MockQueue::checkHeader(uint32_t Word) {
  uint32_t Type = Word & 0xff, Acquire = Word >> 9 & 3,
           Release = Word >> 11 & 3;
  if (Type != xcc::rt::aql::AQL_DISPATCH &&
      Type != xcc::rt::aql::AQL_BARRIER_AND)
    violated("a packet of type %u", Type);
  if (!(Word >> 8 & 1))
    violated("a packet without the barrier bit");
  if (Acquire > 2 || Release > 2 || (Word & 0xe000))
    violated("a packet header of %#x", Word & 0xffff);
  if (Type == xcc::rt::aql::AQL_BARRIER_AND && Word >> 16)
    violated("a barrier packet with a setup field");
}

void MockQueue::checkDispatch(const xcc::rt::aql::DispatchPacket &D,
                              uint16_t Setup, const MockKernel &K) {
  if (Setup < 1 || Setup > 3)
    violated("a dispatch of %u dimensions", Setup);
  if (D.Reserved0 || D.Reserved2)
    violated("a dispatch packet's reserved fields are not 0");
  uint64_t Threads = 1;
  for (int I = 0; I != 3; ++I) {
    Threads *= D.WorkgroupSize[I];
    if (!D.WorkgroupSize[I] || D.GridSize[I] < D.WorkgroupSize[I])
      violated("a grid of %u work-items with groups of %u", D.GridSize[I],
               D.WorkgroupSize[I]);
    if (I >= Setup && (D.WorkgroupSize[I] != 1 || D.GridSize[I] != 1))
      violated("a dispatch larger than its dimensions");
  }
  if (Threads > 1024)
    violated("a work-group of %llu work-items",
             static_cast<unsigned long long>(Threads));
  if (D.GroupSegmentSize < K.Group || D.GroupSegmentSize > LdsBytes)
    violated("a group segment of %u bytes", D.GroupSegmentSize);
  if (D.PrivateSegmentSize < K.Private ||
      (K.DynamicStack && D.PrivateSegmentSize <= K.Private))
    violated("a private segment of %u bytes", D.PrivateSegmentSize);
  if (reinterpret_cast<uintptr_t>(D.KernargAddress) % 64)
    violated("a kernarg segment that is not aligned to 64 bytes");
  std::lock_guard Lock(state().Mutex);
  const Block *B = find(D.KernargAddress, K.Kernarg);
  bool Seen = false;
  if (B && B->PoolHandle == HostAgent * 10 + KernargNumber)
    for (uint64_t A : B->Agents)
      Seen |= A == On.handle;
  if (K.Kernarg && !Seen && state().Violation.empty())
    state().Violation = "a kernarg segment outside of the kernarg pool";
}

bool MockQueue::failsNow(Status &Code, SystemEvent &Fault) {
  std::lock_guard Lock(state().Mutex);
  State &S = state();
  Code = StatusSuccess;
  Fault = SystemEvent{~0u, On, 0, 0};
  if (S.FailDispatch && --S.FailDispatch == 0)
    Code = S.DispatchStatus;
  if (S.FaultDispatch && --S.FaultDispatch == 0) {
    Fault = S.Fault;
    Fault.On = On;
  }
  return Code != StatusSuccess || Fault.Type == EventMemoryFault;
}

bool MockQueue::dispatch(Packet &P, uint64_t Index) {
  const auto &D = P.Dispatch;
  auto &K = *reinterpret_cast<MockKernel *>(D.KernelObject);
  checkDispatch(D, D.Setup, K);
  mock_record R{};
  memcpy(R.packet, &P, sizeof(R.packet));
  R.symbol = K.Symbol.c_str();
  R.kernarg_size = K.Kernarg;
  auto *Copy = new unsigned char[K.Kernarg + 1];
  if (K.Kernarg)
    memcpy(Copy, D.KernargAddress, K.Kernarg);
  R.kernarg = Copy;
  R.queue = Amd.Queue.Id;
  R.index = Index;
  R.agent = static_cast<int>(On.handle - FirstGpu);
  mock_body Body = nullptr;
  SystemEventHandler Handler;
  void *HandlerData;
  {
    std::lock_guard Lock(state().Mutex);
    state().Records.push_back(R);
    auto Own = state().OwnBodies.find(K.Symbol);
    if (Own != state().OwnBodies.end())
      Body = Own->second;
    else if (state().Bodies)
      Body =
          reinterpret_cast<mock_body>(dlsym(state().Bodies, K.Symbol.c_str()));
    Handler = state().EventHandler;
    HandlerData = state().EventData;
  }
  Status Code;
  SystemEvent Fault;
  bool Failed = failsNow(Code, Fault);
  if (!Failed && !Body && K.Code) {
    Outcome Out = execution()->run(P, K, On, Amd, Stop);
    Code = Out.Code;
    Fault = Out.Fault;
    Fault.Type = Out.Faulted ? EventMemoryFault : ~0u;
    Fault.On = On;
    Failed = Out.Faulted || Out.Code != StatusSuccess;
  }
  if (Failed) {
    if (Fault.Type == EventMemoryFault && Handler)
      Handler(&Fault, HandlerData);
    else
      OnError(Code, &Amd.Queue, Data);
    return false;
  }
  if (Body) {
    mock_dispatch L{};
    for (int I = 0; I != 3; ++I) {
      L.block[I] = D.WorkgroupSize[I];
      L.grid[I] = D.GridSize[I] / D.WorkgroupSize[I];
    }
    L.group_size = D.GroupSegmentSize;
    L.private_size = D.PrivateSegmentSize;
    L.packet = &P;
    Body(D.KernargAddress, &L);
    if (K.Kernarg && memcmp(Copy, D.KernargAddress, K.Kernarg) != 0)
      violated("a kernarg segment was changed while its kernel ran");
  }
  return true;
}

Status hsa_queue_create(Agent A, uint32_t Size, QueueType Type,
                        QueueErrorHandler OnError, void *Data, uint32_t Private,
                        uint32_t Group, QueueRef **Out) {
  MOCK_CALL(hsa_queue_create);
  if (!isGpu(A))
    return StatusInvalidAgent;
  if (!Size || (Size & (Size - 1)) || Size > state().QueueSize ||
      Type != QueueMulti || Private != UINT32_MAX || Group != UINT32_MAX)
    return StatusInvalidArgument;
  *Out = &(new MockQueue(A, Size, OnError, Data))->Amd.Queue;
  return StatusSuccess;
}

Status hsa_queue_destroy(QueueRef *Q) {
  MOCK_CALL(hsa_queue_destroy);
  delete &MockQueue::of(Q);
  return StatusSuccess;
}

uint64_t hsa_queue_add_write_index_relaxed(const QueueRef *Q, uint64_t Value) {
  return MockQueue::of(Q).WriteIndex.fetch_add(Value,
                                               std::memory_order_relaxed);
}
uint64_t hsa_queue_load_write_index_relaxed(const QueueRef *Q) {
  return MockQueue::of(Q).WriteIndex.load(std::memory_order_relaxed);
}
uint64_t hsa_queue_load_read_index_scacquire(const QueueRef *Q) {
  return MockQueue::of(Q).ReadIndex.load();
}

Status hsa_amd_profiling_set_profiler_enabled(QueueRef *, int) {
  MOCK_CALL(hsa_amd_profiling_set_profiler_enabled);
  return StatusSuccess;
}

Status hsa_amd_register_system_event_handler(SystemEventHandler Handler,
                                             void *Data) {
  MOCK_CALL(hsa_amd_register_system_event_handler);
  std::lock_guard Lock(state().Mutex);
  if (state().EventHandler)
    return StatusError;
  state().EventHandler = Handler;
  state().EventData = Data;
  return StatusSuccess;
}
