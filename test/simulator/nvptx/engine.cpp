// The driver's calls, carried out
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the mock driver (test/mock/cuda) leaves out: a thread for each stream,
// because kernels wait for services of the host, and modules of PTX that run.

#include "../../mock/cuda/engine.h"
#include "machine.h"

#include <cstring>
#include <deque>
#include <thread>

namespace mock {
namespace {

/// What a device's kernels may reach.
class DeviceMemory final : public ptx::Memory {
public:
  explicit DeviceMemory(ContextObject &C) : Of(C) {}

  bool find(uint64_t Address, ptx::Range &Out) override {
    std::lock_guard Lock(state().mutex);
    auto After = state().memory.upper_bound(Address);
    if (After == state().memory.begin())
      return false;
    auto &[Begin, R] = *std::prev(After);
    if (Address - Begin >= R.size || !isReachable(R))
      return false;
    Out = {Begin, R.size, R.constant};
    return true;
  }

  std::string describe(uint64_t Address) override {
    std::lock_guard Lock(state().mutex);
    if (Address < 4096)
      return "a null pointer";
    auto After = state().memory.upper_bound(Address);
    auto Says = [&](uint64_t Begin, const Range &R) {
      std::string Out = std::to_string(R.size) + " bytes of ";
      if (!R.of.empty())
        Out += "variable '" + R.of + "'";
      else if (R.device < 0)
        Out += "page-locked host memory";
      else
        Out += "memory of device " + std::to_string(R.device);
      char At[32];
      snprintf(At, sizeof(At), " at %#llx", (unsigned long long)Begin);
      return Out + At;
    };
    if (After != state().memory.begin()) {
      auto &[Begin, R] = *std::prev(After);
      if (Address - Begin < R.size)
        return (isReachable(R) ? (R.constant ? "constant: " : "it ends beyond ")
                               : "not this device's: ") +
               Says(Begin, R);
      if (Address - Begin < R.size + 65536)
        return std::to_string(Address - Begin - R.size) +
               " bytes behind the end of " + Says(Begin, R);
    }
    if (After != state().memory.end() && After->first - Address < 65536)
      return std::to_string(After->first - Address) + " bytes before " +
             Says(After->first, After->second);
    return "nothing is allocated there for the device; memory of the host?";
  }

  void update() {
    Version.store(state().memoryVersion.load(std::memory_order_acquire) * 64 +
                      Of.peers.size() + 1,
                  std::memory_order_release);
  }

private:
  bool isReachable(const Range &R) const {
    return R.device < 0 || R.device == Of.number || Of.peers.count(R.device);
  }
  ContextObject &Of;
};

/// The work of one stream, in order, on a thread of its own.
class Line {
public:
  void add(Engine::Work W, Engine::Order How) {
    std::lock_guard Lock(Mutex);
    Waiting.push_back({std::move(W), How});
    ++Added;
    if (!Begun) {
      Begun = true;
      std::thread([this] { run(); }).detach(); // lives as long as the process
    }
    Changed.notify_all();
  }
  void finish() {
    std::unique_lock Lock(Mutex);
    uint64_t Until = Added;
    Changed.wait(Lock, [&] { return Done >= Until; });
  }
  bool idle() {
    std::lock_guard Lock(Mutex);
    return Done == Added;
  }

private:
  void run() {
    std::unique_lock Lock(Mutex);
    for (;;) {
      Changed.wait(Lock, [&] { return !Waiting.empty(); });
      auto [Work, How] = std::move(Waiting.front());
      Waiting.pop_front();
      // Who sees the point reached must see the stream idle.
      Done += How == Engine::Point;
      Lock.unlock();
      bool Dead;
      {
        std::lock_guard Known(state().mutex);
        Dead = state().fault != Success;
      }
      if (How != Engine::Usual || !Dead)
        if (Result R = Work()) {
          std::lock_guard Known(state().mutex);
          if (!state().fault)
            state().fault = R;
        }
      Work = nullptr;
      Lock.lock();
      Done += How != Engine::Point;
      Changed.notify_all();
    }
  }
  std::mutex Mutex;
  std::condition_variable Changed;
  std::deque<std::pair<Engine::Work, Engine::Order>> Waiting;
  uint64_t Added = 0, Done = 0;
  bool Begun = false;
};

class Simulator final : public Engine {
public:
  const char *deviceName() const override { return "Simulated GPU"; }
  bool records() const override { return false; }

  Result submit(Stream S, Work W, Order How) override {
    lineOf(S).add(std::move(W), How);
    return Success;
  }
  void finish(Stream S) override { lineOf(S).finish(); }
  void finishAll() override {
    std::vector<Line *> All;
    {
      std::lock_guard Lock(Mutex);
      for (auto &[S, L] : Lines)
        All.push_back(L);
    }
    for (Line *L : All)
      L->finish();
  }
  bool idle(Stream S) override { return lineOf(S).idle(); }

  Result load(ModuleObject &M, std::string &Why) override {
    if (!M.text)
      return NoBinaryForGpu; // a cubin holds a GPU's own code
    try {
      auto P = std::make_shared<ptx::Program>(std::move(M.data),
                                              M.in->major * 10 + M.in->minor);
      M.code = P;
      for (const ptx::Placed &V : P->Variables)
        if (V.Address)
          state().memory[V.Address] = {V.Size, M.in->number, V.Name,
                                       V.Constant};
      ++state().memoryVersion;
      return Success;
    } catch (const ptx::Refusal &R) {
      Why = R.Text;
      fprintf(stderr, "simulator: PTX is refused: %s\n", Why.c_str());
      return InvalidPtx;
    }
  }
  void unload(ModuleObject &M) override {
    for (const ptx::Placed &V : programOf(M).Variables)
      state().memory.erase(V.Address);
    ++state().memoryVersion;
  }
  bool hasFunction(const ModuleObject &M, const std::string &Name) override {
    return programOf(M).kernel(Name) != nullptr;
  }
  Address variable(ModuleObject &M, const std::string &Name,
                   size_t &Size) override {
    const ptx::Placed *V = programOf(M).variable(Name);
    if (!V)
      return 0;
    Size = V->Size;
    return V->Address;
  }
  int attribute(const FunctionObject &F, FunctionAttribute Which) override {
    const ptx::Kernel &K = *programOf(*F.of).kernel(F.symbol);
    const ptx::Function &S = *K.Entry->Of;
    if (Which == FunctionMaxThreads)
      return S.MaxThreads ? int(S.MaxThreads) : 1024;
    if (Which == FunctionSharedSize)
      return int(K.SharedBytes - K.SharedBase);
    return int(K.Stack);
  }

  Result launch(Function F, Stream In, LaunchArguments Given) override {
    std::shared_ptr<void> Keep = F->of->code;
    const ptx::Program &P = programOf(*F->of);
    const ptx::Kernel &K = *P.kernel(F->symbol);
    uint64_t Threads =
        uint64_t(Given.block[0]) * Given.block[1] * Given.block[2];
    if (Given.kernarg.size() != K.ParameterBytes)
      return InvalidValue;
    if ((K.Entry->Of->RequiredThreads &&
         Threads != K.Entry->Of->RequiredThreads) ||
        (K.Entry->Of->MaxThreads && Threads > K.Entry->Of->MaxThreads))
      return InvalidValue;
    if (K.SharedBytes + Given.shared > 228 * 1024)
      return LaunchOutOfResources;
    DeviceMemory &M = memoryOf(F->of->in);
    return submit(
        In,
        [=, &P, &K, &M, Name = F->symbol, Stack = F->of->in->stackLimit] {
          (void)Keep;
          ptx::LaunchShape S{{Given.grid[0], Given.grid[1], Given.grid[2]},
                             {Given.block[0], Given.block[1], Given.block[2]},
                             Given.shared};
          M.update();
          ptx::Grid G(P, K, Name, S, Given.kernarg, M, Stack);
          return G.run();
        },
        Usual);
  }

  void allocated(void *At, size_t Size) override {
    // Nobody may count on what is there.
    memset(At, 0xA5, Size);
  }

private:
  static const ptx::Program &programOf(const ModuleObject &M) {
    return *static_cast<const ptx::Program *>(M.code.get());
  }
  Line &lineOf(Stream S) {
    std::lock_guard Lock(Mutex);
    Line *&L = Lines[S];
    if (!L)
      L = new Line;
    return *L;
  }
  DeviceMemory &memoryOf(ContextObject *C) {
    std::lock_guard Lock(Mutex);
    DeviceMemory *&M = Memories[C];
    if (!M)
      M = new DeviceMemory(*C);
    return *M;
  }
  std::mutex Mutex;
  std::map<Stream, Line *> Lines;
  std::map<ContextObject *, DeviceMemory *> Memories;
};

} // namespace

Engine &engine() {
  static Engine &E = *new Simulator; // streams run until the process ends
  return E;
}

} // namespace mock
