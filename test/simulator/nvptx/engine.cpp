// The driver's calls, carried out
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the mock driver (test/mock/cuda) leaves out: streams whose work is done
// later (stream.h), and modules of PTX that run.

#include "devices/simulator_interface.h"
#include "machine.h"
#include "stream.h"
#include "test/mock/device_memory.h"
#include "test/simulator/common/definedness.h"
#include "test/simulator/common/findings.h"

#include <cstring>
#include <sstream>
#include <string_view>

const char *const simulator::SimulatorName = "nvidia";

namespace mock {
namespace {

/// What a device's kernels may reach.
class DeviceMemory final : public ptx::Memory {
public:
  explicit DeviceMemory(ContextObject &c) : of(c) {}

  bool find(uint64_t address, ptx::Range &out) override {
    std::lock_guard lock(state().mutex);
    auto after = state().memory.upper_bound(address);
    if (after == state().memory.begin())
      return false;
    auto &[begin, r] = *std::prev(after);
    if (address - begin >= r.size || !isReachable(r))
      return false;
    out = {begin, r.size, deviceShift(begin), r.constant};
    return true;
  }

  std::string describe(uint64_t address) override {
    std::lock_guard lock(state().mutex);
    if (address < 4096)
      return "a null pointer";
    auto after = state().memory.upper_bound(address);
    auto says = [&](uint64_t begin, const Range &r) {
      std::string out = std::to_string(r.size) + " bytes of ";
      if (!r.of.empty())
        out += "variable '" + r.of + "'";
      else if (r.device < 0)
        out += "page-locked host memory";
      else
        out += "memory of device " + std::to_string(r.device);
      char at[32];
      snprintf(at, sizeof(at), " at %#llx", (unsigned long long)begin);
      return out + at;
    };
    if (after != state().memory.begin()) {
      auto &[begin, r] = *std::prev(after);
      if (address - begin < r.size)
        return (isReachable(r) ? (r.constant ? "constant: " : "it ends beyond ")
                               : "not this device's: ") +
               says(begin, r);
      if (address - begin < r.size + 65536)
        return std::to_string(address - begin - r.size) +
               " bytes behind the end of " + says(begin, r);
    }
    if (after != state().memory.end() && after->first - address < 65536)
      return std::to_string(after->first - address) + " bytes before " +
             says(after->first, after->second);
    return "nothing is allocated there for the device; memory of the host?";
  }

  std::string owner(uint64_t address) override {
    std::lock_guard lock(state().mutex);
    auto after = state().memory.upper_bound(address);
    if (after == state().memory.begin())
      return "device memory";
    auto &[begin, r] = *std::prev(after);
    return "byte " + std::to_string(address - begin) + " of " +
           (r.of.empty()
                ? "an allocation of " + std::to_string(r.size) + " bytes"
                : "variable '" + r.of + "'");
  }

  void update() {
    version.store(state().memoryVersion.load(std::memory_order_acquire) * 64 +
                      of.peers.size() + 1,
                  std::memory_order_release);
  }

private:
  bool isReachable(const Range &r) const {
    return r.device < 0 || r.device == of.number || of.peers.count(r.device);
  }
  ContextObject &of;
};

class Simulator final : public Engine {
public:
  std::string deviceName(const ContextObject &d) const override {
    return "Simulated sm_" + std::to_string(10 * d.major + d.minor);
  }
  bool records() const override { return false; }

  Result submit(Stream s, Work w, Order how) override {
    allLines().add(s, std::move(w), how);
    return Success;
  }
  uint64_t submitted(Stream s) override { return allLines().of(s).submitted(); }
  void want(Stream s, uint64_t count) override { allLines().want(s, count); }
  void asked(Stream s) override { allLines().of(s).asked(); }
  void finish(Stream s) override { allLines().finish(s); }
  void finishAll() override { allLines().finishAll(); }
  bool idle(Stream s) override { return allLines().of(s).idle(); }
  bool stages() const override { return true; }

  Result load(ModuleObject &m, std::string &why) override {
    if (!m.text)
      return NoBinaryForGpu; // a cubin holds a GPU's own code
    try {
      auto p = std::make_shared<ptx::Program>(std::move(m.data),
                                              m.in->major * 10 + m.in->minor);
      m.code = p;
      for (const ptx::Placed &v : p->variables)
        if (v.address)
          state().memory[v.address] = {.size = v.size,
                                       .device = m.in->number,
                                       .of = v.name,
                                       .constant = v.constant};
      ++state().memoryVersion;
      return Success;
    } catch (const ptx::Refusal &r) {
      why = r.text;
      fprintf(stderr, "simulator: PTX is refused: %s\n", why.c_str());
      return InvalidPtx;
    }
  }
  void unload(ModuleObject &m) override {
    for (const ptx::Placed &v : programOf(m).variables)
      state().memory.erase(v.address);
    ++state().memoryVersion;
  }
  bool hasFunction(const ModuleObject &m, const std::string &name) override {
    return programOf(m).kernel(name) != nullptr;
  }
  Address variable(ModuleObject &m, const std::string &name,
                   size_t &size) override {
    const ptx::Placed *v = programOf(m).variable(name);
    if (!v)
      return 0;
    size = v->size;
    return v->address;
  }
  int attribute(const FunctionObject &f, FunctionAttribute which) override {
    const ptx::Kernel &k = *programOf(*f.of).kernel(f.symbol);
    const ptx::Function &s = *k.entry->of;
    if (which == FunctionMaxThreads)
      return s.maxThreads ? int(s.maxThreads) : 1024;
    if (which == FunctionSharedSize)
      return int(k.sharedBytes - k.sharedBase);
    return int(k.stack);
  }

  Result parameter(const FunctionObject &f, size_t index, size_t &offset,
                   size_t &size) override {
    const ptx::Kernel &k = *programOf(*f.of).kernel(f.symbol);
    if (index >= k.parameters.size())
      return InvalidValue;
    offset = k.parameters[index].offset;
    size = k.parameters[index].size;
    return Success;
  }

  Result launch(Function f, Stream in, LaunchArguments given) override {
    std::shared_ptr<void> keep = f->of->code;
    const ptx::Program &p = programOf(*f->of);
    const ptx::Kernel &k = *p.kernel(f->symbol);
    uint64_t threads =
        uint64_t(given.block[0]) * given.block[1] * given.block[2];
    // As the driver has it for arguments of the wrong size.
    if (given.kernarg.size() != k.parameterBytes) {
      fprintf(stderr,
              "simulator: kernel %s takes %llu bytes of arguments, and %zu are "
              "given\n",
              f->symbol.c_str(), (unsigned long long)k.parameterBytes,
              given.kernarg.size());
      return LaunchOutOfResources;
    }
    if ((k.entry->of->requiredThreads &&
         threads != k.entry->of->requiredThreads) ||
        (k.entry->of->maxThreads && threads > k.entry->of->maxThreads))
      return InvalidValue;
    if (k.sharedBytes + given.shared > 228 * 1024)
      return LaunchOutOfResources;
    DeviceMemory &m = memoryOf(f->of->in);
    return submit(
        in,
        [=, &p, &k, &m, name = f->symbol, stack = f->of->in->stackLimit] {
          (void)keep;
          ptx::LaunchShape s{{given.grid[0], given.grid[1], given.grid[2]},
                             {given.block[0], given.block[1], given.block[2]},
                             given.shared};
          m.update();
          ptx::Grid g(p, k, name, s, given.kernarg, m, stack);
          return g.run();
        },
        Usual);
  }

  void allocated(Address at, size_t size) override {
    // Nobody may count on what is there.
    memset(reachable(at), 0xA5, size);
    simulator::undefine(at, size);
  }
  void written(Address at, size_t size) override {
    simulator::define(at, size);
  }
  void copied(Address to, Address from, size_t size) override {
    simulator::copyDefinedness(to, from, size);
  }

private:
  static const ptx::Program &programOf(const ModuleObject &m) {
    return *static_cast<const ptx::Program *>(m.code.get());
  }
  DeviceMemory &memoryOf(ContextObject *c) {
    std::lock_guard lock(mutex);
    DeviceMemory *&m = memories[c];
    if (!m)
      m = new DeviceMemory(*c);
    return *m;
  }
  std::mutex mutex;
  std::map<ContextObject *, DeviceMemory *> memories;
};

} // namespace

Engine &engine() {
  static Engine &e = *new Simulator; // streams run until the process ends
  return e;
}

constexpr std::string_view Archs =
    "sm_70, sm_72, sm_75, sm_80, sm_86, sm_87, sm_88, sm_89, sm_90, sm_100, "
    "sm_101, sm_103, sm_110, sm_120, sm_121";

/// The number of "sm_90"; of "sm_90a" too, which is sm_90 with instructions of
/// no other GPU. 0 if it is none of the list.
static int numberOf(std::string arch) {
  if (arch.ends_with('a') || arch.ends_with('f'))
    arch.pop_back();
  if ((std::string(Archs) + ",").find(arch + ",") == std::string::npos ||
      arch.size() < 5)
    return 0;
  return atoi(arch.c_str() + 3);
}

} // namespace mock

extern "C" __attribute__((visibility("default"))) int
xcc_simulate(const char *archs, char *why, size_t size) {
  using namespace mock;
  std::vector<ContextObject> devices;
  std::istringstream in(archs);
  for (std::string arch; std::getline(in, arch, ',');) {
    const int number = numberOf(arch);
    if (!number) {
      snprintf(why, size, "it does not know %s; it simulates %s", arch.c_str(),
               Archs.data());
      return 1;
    }
    devices.push_back(
        {int(devices.size()), number / 10, number % 10, false, {}});
  }
  state().devices = std::move(devices);
  return 0;
}

extern "C" __attribute__((visibility("default"))) const char *
xcc_simulated_archs() {
  return mock::Archs.data();
}
