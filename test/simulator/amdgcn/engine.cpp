// The simulator behind the mock's queues
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nothing here is destroyed at the end of the process: `exit`, which device
// code can ask the host for, runs destructors while kernels still run.

#include "dispatch.h"
#include "test/mock/hsa/execution.h"
#include "test/simulator/common/checks.h"
#include "test/simulator/common/definedness.h"

#include <cinttypes>
#include <cstdio>

const char *const simulator::SimulatorName = "amd";

namespace amdgcn {

using namespace mock;

namespace {

/// Generic processors are no hardware; each is stood for by one of those that
/// it is made for, and that no test is likely to compile for.
constexpr std::pair<std::string_view, std::string_view> Generic[] = {
    {"gfx9-generic", "gfx906"},     {"gfx9-4-generic", "gfx950"},
    {"gfx10-1-generic", "gfx1012"}, {"gfx10-3-generic", "gfx1036"},
    {"gfx11-generic", "gfx1103"},   {"gfx12-generic", "gfx1201"},
};

class Engine final : public mock::Execution {
public:
  std::string processor(const std::string &name) override {
    for (auto &[from, to] : Generic)
      if (name == from)
        return std::string(to);
    if (name == "gfx90a" || name == "gfx942" || name == "gfx908")
      return name +
             (name == "gfx908" ? ":sramecc+:xnack-" : ":sramecc+:xnack-");
    return name;
  }

  void *place(const std::string &elf, Agent on) override {
    auto &arch = *new Architecture( // as long as its programs
        Architecture::of(state().gpus[on.handle - FirstGpu].target));
    return Program::load(elf, arch, on.handle);
  }
  void *addressOf(void *placed, uint64_t value) override {
    return reinterpret_cast<void *>(
        static_cast<Program *>(placed)->address(value));
  }
  void drop(void *placed) override { delete static_cast<Program *>(placed); }

  void allocated(void *at, size_t bytes) override {
    simulator::undefine(reinterpret_cast<uint64_t>(at), bytes);
  }
  void written(void *at, size_t bytes) override {
    simulator::define(reinterpret_cast<uint64_t>(at), bytes);
  }
  void copied(void *to, const void *from, size_t bytes) override {
    simulator::copyDefinedness(reinterpret_cast<uint64_t>(to),
                               reinterpret_cast<uint64_t>(from), bytes);
  }

  Outcome run(const xcc::rt::aql::Packet &p, const MockKernel &k, Agent on,
              const AmdQueue &queue,
              const std::atomic<bool> &abandon) override {
    auto &code = *static_cast<Program *>(k.code);
    Outcome out;
    Dispatch d(code, code.address(k.value), k.symbol, p.dispatch, on.handle,
               &queue, sizeof(queue));
    double begin = secondsNow();
    try {
      d.run(abandon);
    } catch (const Stop &why) {
      const char *kind = why.k == Stop::MemoryFault || why.k == Stop::Aperture
                             ? "memory"
                         : why.k == Stop::Hang ? "sync"
                                               : "other";
      simulator::countFinding(
          d.finding(d.failed ? d.failed->current : nullptr, kind,
                    std::string(kindOf(why.k)) + ": " + why.what));
      fputs(d.report(why).c_str(), stderr);
      fflush(stderr);
      switch (why.k) {
      case Stop::Trap:
        out.code = StatusException;
        break;
      case Stop::Aperture:
        out.code = StatusApertureViolation;
        break;
      case Stop::Illegal:
        out.code = StatusIllegalInstruction;
        break;
      case Stop::MemoryFault:
      case Stop::Hang:
        out.code = StatusMemoryFault;
        out.faulted = true;
        out.fault.address = why.address;
        out.fault.reason = why.reason;
        break;
      }
    }
    if (d.profile)
      d.profile->finish(code, k.symbol, d.lanes);
    if (d.set.profile)
      fprintf(stderr,
              "simulator: %s: %" PRIu64 " wave instructions in %.3f s\n",
              k.symbol.c_str(), d.instructions, secondsNow() - begin);
    return out;
  }
};

} // namespace
} // namespace amdgcn

mock::Execution *mock::execution() {
  static auto &the = *new amdgcn::Engine;
  return &the;
}

/// Processors whose instructions the simulator knows.
constexpr std::string_view Archs =
    "gfx906, gfx908, gfx90a, gfx942, gfx950, gfx1010, gfx1012, gfx1030, "
    "gfx1031, gfx1032, gfx1034, gfx1036, gfx1100, gfx1101, gfx1102, gfx1103, "
    "gfx1150, gfx1151, gfx1200, gfx1201";

extern "C" __attribute__((visibility("default"))) int
xcc_simulate(const char *archs, char *why, size_t size) {
  const std::string list = archs;
  for (size_t at = 0; at <= list.size();) {
    const size_t end = std::min(list.find(',', at), list.size());
    const std::string arch =
        mock::execution()->processor(list.substr(at, end - at));
    const std::string processor = arch.substr(0, arch.find(':'));
    if ((std::string(Archs) + ",").find(processor + ",") == std::string::npos) {
      snprintf(why, size, "it does not know %s; it simulates %s", arch.c_str(),
               Archs.data());
      return 1;
    }
    at = end + 1;
  }
  std::lock_guard lock(mock::state().mutex);
  mock::state().agents = list;
  return 0;
}

extern "C" __attribute__((visibility("default"))) const char *
xcc_simulated_archs() {
  return Archs.data();
}
