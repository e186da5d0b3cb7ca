// The mock's signals and packet processors
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each queue has a thread that reads its packets as a GPU would, checks all
// that the HSA specification asks of them, and completes them in order.

#include "execution.h"
#include "test/mock/lateness.h"

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

static MockSignal &signalOf(uint64_t handle) {
  return *reinterpret_cast<MockSignal *>(handle);
}

/// A queue's doorbell has a new value. The state's mutex is held.
static void rang(const MockSignal &doorbell);

Status hsa_signal_create(int64_t value, uint32_t, const Agent *,
                         SignalRef *out) {
  MOCK_CALL(hsa_signal_create);
  auto *s = new MockSignal;
  s->value = value;
  out->handle = reinterpret_cast<uintptr_t>(s);
  return StatusSuccess;
}

Status hsa_signal_destroy(SignalRef s) {
  MOCK_CALL(hsa_signal_destroy);
  delete &signalOf(s.handle);
  return StatusSuccess;
}

int64_t hsa_signal_load_scacquire(SignalRef s) {
  MockSignal &of = signalOf(s.handle);
  const int64_t value = of.value.load();
  // Who asks again and again waits.
  if (value > 0 && workBegins() != Begins::AtOnce && ++of.looks % 16 == 2) {
    {
      std::lock_guard lock(state().mutex);
      want(s.handle);
    }
    state().changed.notify_all();
  }
  return value;
}

void hsa_signal_store_screlease(SignalRef s, int64_t value) {
  {
    std::lock_guard lock(state().mutex);
    MockSignal &to = signalOf(s.handle);
    to.value = to.doorbell ? std::max(to.value.load(), value) : value;
    to.wanted = false;
    if (to.doorbell) {
      ++state().rings;
      rang(to);
    }
  }
  state().changed.notify_all();
  watchQueues();
}

int64_t hsa_signal_wait_scacquire(SignalRef s, Condition how, int64_t value,
                                  uint64_t timeout, WaitState) {
  std::atomic<int64_t> &now = signalOf(s.handle).value;
  std::unique_lock lock(state().mutex);
  state().changed.wait_for(lock, std::chrono::nanoseconds(timeout), [&] {
    if (how == ConditionLt ? now < value : now == value)
      return true;
    want(s.handle);
    return false;
  });
  return now;
}

/// Tells those who listen, one after the other, as ROCm's runtime does.
static void tellListeners() {
  State &s = state();
  std::unique_lock lock(s.mutex);
  while (true) {
    auto due = s.listeners.end();
    s.changed.wait(lock, [&] {
      due = std::find_if(
          s.listeners.begin(), s.listeners.end(), [](const Listener &l) {
            int64_t now = signalOf(l.on.handle).value;
            return l.how == ConditionLt ? now < l.value : now == l.value;
          });
      return due != s.listeners.end();
    });
    Listener l = *due;
    s.listeners.erase(due);
    int64_t now = signalOf(l.on.handle).value;
    lock.unlock();
    bool again = l.handler(now, l.data);
    lock.lock();
    if (again)
      s.listeners.push_back(l);
  }
}

Status hsa_amd_signal_async_handler(SignalRef on, Condition how, int64_t value,
                                    SignalHandler handler, void *data) {
  MOCK_CALL(hsa_amd_signal_async_handler);
  if (!on.handle || !handler)
    return StatusInvalidArgument;
  {
    std::lock_guard lock(state().mutex);
    state().listeners.push_back({on, how, value, handler, data});
    // For the rest of the process, like the library's own.
    if (!std::exchange(state().listening, true))
      std::thread(tellListeners).detach();
  }
  state().changed.notify_all();
  return StatusSuccess;
}

Status hsa_amd_profiling_get_dispatch_time(Agent a, SignalRef s,
                                           DispatchTime *out) {
  MOCK_CALL(hsa_amd_profiling_get_dispatch_time);
  if (!isGpu(a))
    return StatusInvalidAgent;
  std::lock_guard lock(state().mutex);
  *out = {signalOf(s.handle).begin, signalOf(s.handle).end};
  return StatusSuccess;
}

Status hsa_amd_profiling_async_copy_enable(bool) {
  MOCK_CALL(hsa_amd_profiling_async_copy_enable);
  return StatusSuccess;
}

Status hsa_amd_profiling_get_async_copy_time(SignalRef s, CopyTime *out) {
  MOCK_CALL(hsa_amd_profiling_get_async_copy_time);
  std::lock_guard lock(state().mutex);
  *out = {signalOf(s.handle).begin, signalOf(s.handle).end};
  return StatusSuccess;
}

//===----------------------------------------------------------------------===//
// Queues
//===----------------------------------------------------------------------===//

static uint64_t now() { return mockNow(); }

namespace {
class MockQueue;
}

/// Under the state's mutex.
static std::vector<MockQueue *> &allQueues() {
  static auto &all = *new std::vector<MockQueue *>;
  return all;
}

namespace {
class MockQueue {
public:
  MockQueue(Agent on, uint32_t size, QueueErrorHandler onError, void *data)
      : on(on), onError(onError), data(data) {
    static std::atomic<uint64_t> nextId = 0;
    packets = static_cast<Packet *>(aligned_alloc(64, size * sizeof(Packet)));
    memset(static_cast<void *>(packets), 0, size * sizeof(Packet));
    for (uint32_t i = 0; i != size; ++i)
      xcc::rt::aql::invalidate(packets[i]);
    doorbell.value = -1;
    doorbell.doorbell = true;
    amd.queue = {QueueMulti, 1, packets, reinterpret_cast<uintptr_t>(&doorbell),
                 size,       0, nextId++};
    amd.groupApertureHigh = 0x00010000;
    amd.privateApertureHigh = 0x00020000;
    {
      std::lock_guard lock(state().mutex);
      allQueues().push_back(this);
    }
    worker = std::thread([this] { run(); });
  }
  ~MockQueue() {
    {
      std::lock_guard lock(state().mutex);
      stop = true;
      std::erase(allQueues(), this);
    }
    state().changed.notify_all();
    worker.join();
    free(packets);
  }
  static MockQueue &of(const QueueRef *q) {
    return *reinterpret_cast<MockQueue *>(const_cast<QueueRef *>(q));
  }

  AmdQueue amd{}; ///< first: its address is the queue's
  std::atomic<uint64_t> writeIndex{0}, readIndex{0};

  // Work that may begin later. With the state's mutex held:

  bool has(const MockSignal &bell) const { return &bell == &doorbell; }
  /// The end of what the processor is to see.
  uint64_t visible() const { return uint64_t(doorbell.value.load() + 1); }
  bool isWaiting() const { return wanted < visible(); }
  /// Packets below an index may begin.
  void wantUntil(uint64_t end) {
    if (end <= wanted)
      return;
    wanted = end;
    state().changed.notify_all();
  }
  /// What completes the signal may begin; false when nothing here does.
  bool wantSignal(uint64_t signal);
  /// Another queue is to have come to an index before the next packet begins.
  void goAfter(MockQueue &other, uint64_t index) {
    earlier.push_back({&other, index});
  }
  bool isPast(uint64_t index) const { return !executing && readIndex >= index; }
  bool tick() {
    wantUntil(atTick);
    atTick = visible();
    return isWaiting();
  }

private:
  struct Earlier {
    MockQueue *queue;
    uint64_t index;
  };
  void run();
  void waitForOthers(std::unique_lock<std::mutex> &lock);
  bool dispatch(Packet &p, uint64_t index);
  void checkHeader(uint32_t word);
  void checkDispatch(const xcc::rt::aql::DispatchPacket &d, uint16_t setup,
                     const MockKernel &k);
  bool failsNow(Status &code, SystemEvent &fault);
  void complete(uint64_t handle, uint64_t begin);

  Agent on;
  QueueErrorHandler onError;
  void *data;
  Packet *packets;
  MockSignal doorbell;
  std::atomic<bool> stop = false;
  uint64_t wanted = 0; ///< where packets begin that nobody has asked for
  uint64_t atTick = 0; ///< what was visible when a while ended
  bool executing = false;
  uint64_t completes = 0; ///< the signal of the packet that executes
  std::vector<Earlier> earlier;
  std::thread worker;
};
} // namespace

//===----------------------------------------------------------------------===//
// When packets begin
//===----------------------------------------------------------------------===//

bool MockQueue::wantSignal(uint64_t signal) {
  if (executing && completes == signal)
    return true;
  for (uint64_t i = readIndex; i < visible(); ++i) {
    Packet &p = packets[i % amd.queue.size];
    if (xcc::rt::aql::typeOf(xcc::rt::aql::loadFirstWord(
            p, std::memory_order_acquire)) == xcc::rt::aql::AQL_INVALID ||
        p.dispatch.completionSignal != signal)
      continue;
    if (i < wanted)
      return true;
    // By the seed, other queues begin as well, and some have to come first.
    if (workBegins() == Begins::Seeded)
      for (MockQueue *other : allQueues())
        if (other != this && other->isWaiting() && throwDice(2)) {
          if (throwDice(2))
            goAfter(*other, other->visible());
          other->wantUntil(other->visible());
        }
    wantUntil(i + 1);
    return true;
  }
  return false;
}

void mock::want(uint64_t signal) {
  if (workBegins() == Begins::AtOnce)
    return;
  MockSignal &s = signalOf(signal);
  auto has = [&](MockQueue *q) { return q->wantSignal(signal); };
  if (s.wanted || wantCopy(signal) ||
      std::any_of(allQueues().begin(), allQueues().end(), has)) {
    s.wanted = true;
    return;
  }
  // The host completes it, or a packet that is not there yet: what leads to that
  // is not known.
  for (MockQueue *q : allQueues())
    q->wantUntil(q->visible());
  wantAllCopies();
}

static void rang(const MockSignal &doorbell) {
  const Begins when = workBegins();
  if (when == Begins::AtOnce || (when == Begins::Seeded && throwDice(4) == 0))
    for (MockQueue *q : allQueues())
      if (q->has(doorbell))
        q->wantUntil(q->visible());
}

static bool tickQueues() {
  std::lock_guard lock(state().mutex);
  bool left = tickCopies();
  for (MockQueue *q : allQueues())
    left |= q->tick();
  state().changed.notify_all();
  return left;
}

void mock::watchQueues() {
  if (workBegins() != Begins::AtOnce)
    watchPending(tickQueues);
}

void MockQueue::waitForOthers(std::unique_lock<std::mutex> &lock) {
  constexpr std::chrono::milliseconds patience(20);
  std::vector<Earlier> first;
  first.swap(earlier);
  auto isPast = [](const Earlier &e) {
    const auto &all = allQueues(); // without those that are gone
    return std::find(all.begin(), all.end(), e.queue) == all.end() ||
           e.queue->isPast(e.index);
  };
  state().changed.wait_for(lock, patience, [&] {
    return stop || std::all_of(first.begin(), first.end(), isPast);
  });
}

//===----------------------------------------------------------------------===//
// Executing packets
//===----------------------------------------------------------------------===//

void MockQueue::run() {
  while (true) {
    uint64_t index = readIndex.load();
    Packet &p = packets[index % amd.queue.size];
    auto ready = [&] {
      return xcc::rt::aql::typeOf(xcc::rt::aql::loadFirstWord(
                 p, std::memory_order_acquire)) != xcc::rt::aql::AQL_INVALID;
    };
    {
      std::unique_lock lock(state().mutex);
      // A packet without its doorbell's ring is not to be seen.
      state().changed.wait(lock, [&] {
        return stop || (!state().paused && ready() && index < visible() &&
                        index < wanted);
      });
      if (!earlier.empty())
        waitForOthers(lock);
      if (stop)
        return;
      executing = true;
      completes = p.dispatch.completionSignal;
    }
    uint32_t word = xcc::rt::aql::loadFirstWord(p, std::memory_order_acquire);
    checkHeader(word);
    Packet copy = p;
    bool late;
    {
      std::lock_guard lock(state().mutex);
      late = state().readLate;
    }
    auto read = [&] {
      xcc::rt::aql::invalidate(p);
      readIndex = index + 1;
    };
    if (!late)
      read();
    uint64_t begin = now();
    if (xcc::rt::aql::typeOf(word) == xcc::rt::aql::AQL_BARRIER_AND) {
      const auto &b = copy.barrier;
      if (b.reserved0 || b.reserved1 || b.reserved2)
        violated("a barrier packet's reserved fields are not 0");
      std::unique_lock lock(state().mutex);
      state().changed.wait(lock, [&] {
        for (uint64_t s : b.depSignal)
          if (s && signalOf(s).value != 0) {
            want(s);
            return bool(stop);
          }
        return true;
      });
      if (stop)
        return;
    } else if (!dispatch(copy, index)) {
      // The queue is in error: it reads nothing more.
      std::unique_lock lock(state().mutex);
      state().changed.wait(lock, [&] { return bool(stop); });
      return;
    }
    // The signal first: the next user of the place must look at the index too.
    if (late)
      read();
    complete(copy.dispatch.completionSignal, begin);
  }
}

void MockQueue::complete(uint64_t handle, uint64_t begin) {
  {
    std::lock_guard lock(state().mutex);
    executing = false;
    if (handle) {
      MockSignal &s = signalOf(handle);
      s.begin = begin;
      s.end = now();
      --s.value;
      s.wanted = false;
    }
  }
  if (handle || workBegins() == Begins::Seeded)
    state().changed.notify_all();
}

void MockQueue::checkHeader(uint32_t word) {
  uint32_t type = word & 0xff, acquire = word >> 9 & 3,
           release = word >> 11 & 3;
  if (type != xcc::rt::aql::AQL_DISPATCH &&
      type != xcc::rt::aql::AQL_BARRIER_AND)
    violated("a packet of type %u", type);
  if (!(word >> 8 & 1))
    violated("a packet without the barrier bit");
  if (acquire > 2 || release > 2 || (word & 0xe000))
    violated("a packet header of %#x", word & 0xffff);
  if (type == xcc::rt::aql::AQL_BARRIER_AND && word >> 16)
    violated("a barrier packet with a setup field");
}

void MockQueue::checkDispatch(const xcc::rt::aql::DispatchPacket &d,
                              uint16_t setup, const MockKernel &k) {
  if (setup < 1 || setup > 3)
    violated("a dispatch of %u dimensions", setup);
  if (d.reserved0 || d.reserved2)
    violated("a dispatch packet's reserved fields are not 0");
  uint64_t threads = 1;
  for (int i = 0; i != 3; ++i) {
    threads *= d.workgroupSize[i];
    if (!d.workgroupSize[i] || d.gridSize[i] < d.workgroupSize[i])
      violated("a grid of %u work-items with groups of %u", d.gridSize[i],
               d.workgroupSize[i]);
    if (i >= setup && (d.workgroupSize[i] != 1 || d.gridSize[i] != 1))
      violated("a dispatch larger than its dimensions");
  }
  if (threads > 1024)
    violated("a work-group of %llu work-items",
             static_cast<unsigned long long>(threads));
  if (d.groupSegmentSize < k.group || d.groupSegmentSize > LdsBytes)
    violated("a group segment of %u bytes", d.groupSegmentSize);
  if (d.privateSegmentSize < k.privateSize ||
      (k.dynamicStack && d.privateSegmentSize <= k.privateSize))
    violated("a private segment of %u bytes", d.privateSegmentSize);
  if (reinterpret_cast<uintptr_t>(d.kernargAddress) % 64)
    violated("a kernarg segment that is not aligned to 64 bytes");
  std::lock_guard lock(state().mutex);
  const Block *b = find(d.kernargAddress, k.kernarg);
  bool seen = false;
  if (b && b->poolHandle == HostAgent * 10 + KernargNumber)
    for (uint64_t a : b->agents)
      seen |= a == on.handle;
  if (k.kernarg && !seen && state().violation.empty())
    state().violation = "a kernarg segment outside of the kernarg pool";
}

bool MockQueue::failsNow(Status &code, SystemEvent &fault) {
  std::lock_guard lock(state().mutex);
  State &s = state();
  code = StatusSuccess;
  fault = SystemEvent{~0u, on, 0, 0};
  if (s.failDispatch && --s.failDispatch == 0)
    code = s.dispatchStatus;
  if (s.faultDispatch && --s.faultDispatch == 0) {
    fault = s.fault;
    fault.on = on;
  }
  return code != StatusSuccess || fault.type == EventMemoryFault;
}

bool MockQueue::dispatch(Packet &p, uint64_t index) {
  const auto &d = p.dispatch;
  auto &k = *reinterpret_cast<MockKernel *>(d.kernelObject);
  checkDispatch(d, d.setup, k);
  mock_record r{};
  memcpy(r.packet, &p, sizeof(r.packet));
  r.symbol = k.symbol.c_str();
  r.kernarg_size = k.kernarg;
  auto *copy = new unsigned char[k.kernarg + 1];
  if (k.kernarg)
    memcpy(copy, d.kernargAddress, k.kernarg);
  r.kernarg = copy;
  r.queue = amd.queue.id;
  r.index = index;
  r.agent = static_cast<int>(on.handle - FirstGpu);
  mock_body body = nullptr;
  SystemEventHandler handler;
  void *handlerData;
  {
    std::lock_guard lock(state().mutex);
    state().records.push_back(r);
    auto own = state().ownBodies.find(k.symbol);
    if (own != state().ownBodies.end())
      body = own->second;
    else if (state().bodies)
      body =
          reinterpret_cast<mock_body>(dlsym(state().bodies, k.symbol.c_str()));
    handler = state().eventHandler;
    handlerData = state().eventData;
  }
  Status code;
  SystemEvent fault;
  bool failed = failsNow(code, fault);
  if (!failed && !body && k.code) {
    Outcome out = execution()->run(p, k, on, amd, stop);
    code = out.code;
    fault = out.fault;
    fault.type = out.faulted ? EventMemoryFault : ~0u;
    fault.on = on;
    failed = out.faulted || out.code != StatusSuccess;
  }
  if (failed) {
    if (fault.type == EventMemoryFault && handler)
      handler(&fault, handlerData);
    else
      onError(code, &amd.queue, data);
    return false;
  }
  if (body) {
    mock_dispatch l{};
    for (int i = 0; i != 3; ++i) {
      l.block[i] = d.workgroupSize[i];
      l.grid[i] = d.gridSize[i] / d.workgroupSize[i];
    }
    l.group_size = d.groupSegmentSize;
    l.private_size = d.privateSegmentSize;
    l.packet = &p;
    body(d.kernargAddress, &l);
    if (k.kernarg && memcmp(copy, d.kernargAddress, k.kernarg) != 0)
      violated("a kernarg segment was changed while its kernel ran");
  }
  return true;
}

Status hsa_queue_create(Agent a, uint32_t size, QueueType type,
                        QueueErrorHandler onError, void *data,
                        uint32_t privateSize, uint32_t group, QueueRef **out) {
  MOCK_CALL(hsa_queue_create);
  if (!isGpu(a))
    return StatusInvalidAgent;
  if (!size || (size & (size - 1)) || size > state().queueSize ||
      type != QueueMulti || privateSize != UINT32_MAX || group != UINT32_MAX)
    return StatusInvalidArgument;
  *out = &(new MockQueue(a, size, onError, data))->amd.queue;
  return StatusSuccess;
}

Status hsa_amd_queue_set_priority(QueueRef *, QueuePriority priority) {
  MOCK_CALL(hsa_amd_queue_set_priority);
  return priority <= PriorityHigh ? StatusSuccess : StatusInvalidArgument;
}

Status hsa_queue_destroy(QueueRef *q) {
  MOCK_CALL(hsa_queue_destroy);
  delete &MockQueue::of(q);
  return StatusSuccess;
}

uint64_t hsa_queue_add_write_index_relaxed(const QueueRef *q, uint64_t value) {
  ++state().additions;
  return MockQueue::of(q).writeIndex.fetch_add(value,
                                               std::memory_order_relaxed);
}
uint64_t hsa_queue_load_write_index_relaxed(const QueueRef *q) {
  return MockQueue::of(q).writeIndex.load(std::memory_order_relaxed);
}
uint64_t hsa_queue_load_read_index_scacquire(const QueueRef *q) {
  return MockQueue::of(q).readIndex.load();
}

Status hsa_amd_profiling_set_profiler_enabled(QueueRef *, int) {
  MOCK_CALL(hsa_amd_profiling_set_profiler_enabled);
  return StatusSuccess;
}

Status hsa_amd_register_system_event_handler(SystemEventHandler handler,
                                             void *data) {
  MOCK_CALL(hsa_amd_register_system_event_handler);
  std::lock_guard lock(state().mutex);
  if (state().eventHandler)
    return StatusError;
  state().eventHandler = handler;
  state().eventData = data;
  return StatusSuccess;
}
