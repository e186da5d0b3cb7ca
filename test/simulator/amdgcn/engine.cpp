// The simulator behind the mock's queues
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nothing here is destroyed at the end of the process: `exit`, which device
// code can ask the host for, runs destructors while kernels still run.

#include "dispatch.h"
#include "test/mock/hsa/execution.h"

#include <cinttypes>
#include <cstdio>

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
  std::string processor(const std::string &Name) override {
    for (auto &[From, To] : Generic)
      if (Name == From)
        return std::string(To);
    if (Name == "gfx90a" || Name == "gfx942" || Name == "gfx908")
      return Name +
             (Name == "gfx908" ? ":sramecc+:xnack-" : ":sramecc+:xnack-");
    return Name;
  }

  void *place(const std::string &Elf, Agent On) override {
    auto &Arch = *new Architecture( // as long as its programs
        Architecture::of(state().gpus[On.handle - FirstGpu].target));
    return Program::load(Elf, Arch, On.handle);
  }
  void *addressOf(void *Placed, uint64_t Value) override {
    return static_cast<Program *>(Placed)->address(Value);
  }
  void drop(void *Placed) override { delete static_cast<Program *>(Placed); }

  Outcome run(const xcc::rt::aql::Packet &P, const MockKernel &K, Agent On,
              const AmdQueue &Queue,
              const std::atomic<bool> &Abandon) override {
    auto &Code = *static_cast<Program *>(K.code);
    auto &Descriptor =
        *static_cast<const KernelDescriptor *>(Code.address(K.value));
    Outcome Out;
    Dispatch D(Code, Descriptor, K.symbol, P.dispatch, On.handle, &Queue,
               sizeof(Queue));
    double Begin = secondsNow();
    try {
      D.run(Abandon);
    } catch (const Stop &Why) {
      fputs(D.report(Why).c_str(), stderr);
      fflush(stderr);
      switch (Why.K) {
      case Stop::Trap:
        Out.code = StatusException;
        break;
      case Stop::Aperture:
        Out.code = StatusApertureViolation;
        break;
      case Stop::Illegal:
        Out.code = StatusIllegalInstruction;
        break;
      case Stop::MemoryFault:
      case Stop::Hang:
        Out.code = StatusMemoryFault;
        Out.faulted = true;
        Out.fault.address = Why.Address;
        Out.fault.reason = Why.Reason;
        break;
      }
    }
    if (D.Set.Profile)
      fprintf(stderr,
              "simulator: %s: %" PRIu64 " wave instructions in %.3f s\n",
              K.symbol.c_str(), D.Instructions, secondsNow() - Begin);
    return Out;
  }
};

} // namespace
} // namespace amdgcn

mock::Execution *mock::execution() {
  static auto &The = *new amdgcn::Engine;
  return &The;
}
