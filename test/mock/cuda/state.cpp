// The mock driver's settings and records
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "engine.h"
#include "src/cuda/cuda_error.h"

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>

namespace mock {

thread_local ContextObject *Current = nullptr;

static std::vector<std::string> split(const std::string &Text, char At) {
  std::vector<std::string> Parts;
  std::istringstream In(Text);
  for (std::string Part; std::getline(In, Part, At);)
    Parts.push_back(Part);
  return Parts;
}

static void readSettings(State &S) {
  auto Setting = [](const char *Name, const char *Default) -> std::string {
    const char *Text = getenv(Name);
    return Text ? Text : Default;
  };
  for (const std::string &Arch :
       split(Setting("MOCK_CUDA_DEVICES", "sm_90"), ',')) {
    int Number = atoi(Arch.c_str() + 3); // after "sm_"
    S.Devices.push_back(
        {int(S.Devices.size()), Number / 10, Number % 10, false, {}});
  }
  S.Version = atoi(Setting("MOCK_CUDA_VERSION", "13000").c_str());
  S.Pools = Setting("MOCK_CUDA_POOLS", "1") != "0";
  S.LogFile = Setting("MOCK_CUDA_LOG", "");
  S.Quiet = Setting("MOCK_CUDA_QUIET", "0") != "0";
  for (const std::string &One : split(Setting("MOCK_CUDA_FAIL", ""), ',')) {
    std::vector<std::string> Parts = split(One, ':');
    if (Parts.size() == 3)
      S.Failures.push_back(
          {Parts[0], atoi(Parts[1].c_str()), Result(atoi(Parts[2].c_str()))});
  }
  S.Recording = engine().records() || !S.LogFile.empty() || !S.Failures.empty();
  std::string Library = Setting("MOCK_CUDA_KERNELS", "");
  if (!Library.empty() &&
      !(S.KernelLibrary = dlopen(Library.c_str(), RTLD_NOW | RTLD_LOCAL)))
    fprintf(stderr, "mock libcuda: %s\n", dlerror());
}

State &state() {
  static State &S = []() -> State & {
    auto *New = new State;
    readSettings(*New);
    return *New;
  }();
  return S;
}

bool isWithin(Address A, size_t Size, Range *Found) {
  auto After = state().Memory.upper_bound(A);
  if (After == state().Memory.begin())
    return false;
  auto &[Begin, R] = *std::prev(After);
  if (A - Begin > R.Size || Size > R.Size - (A - Begin))
    return false;
  if (Found)
    *Found = R;
  return true;
}

Result begin(const char *Name, const std::string &Line) {
  State &S = state();
  S.Calls.push_back(Line);
  ++S.Counts[Name];
  if (!S.LogFile.empty())
    if (FILE *Out = fopen(S.LogFile.c_str(), "a")) {
      fprintf(Out, "%s\n", Line.c_str());
      fclose(Out);
    }
  for (Failure &F : S.Failures)
    if (F.Function == Name && F.Countdown > 0 && --F.Countdown == 0) {
      // Nor does a driver that was taken down come back.
      if (killsContext(F.Code) || F.Code == Deinitialized)
        S.Fault = F.Code;
      return F.Code;
    }
  return Success;
}

} // namespace mock

using namespace mock;

#define EXPORT extern "C" __attribute__((visibility("default")))

EXPORT void mock_cuda_set_kernel(const char *Symbol, mock_kernel Body) {
  std::lock_guard Lock(state().Mutex);
  state().Kernels[Symbol] = Body;
}

EXPORT void mock_cuda_set_attributes(int Shared, int Local, int MaxThreads) {
  std::lock_guard Lock(state().Mutex);
  state().Shared = Shared;
  state().Local = Local;
  state().MaxThreads = MaxThreads;
}

EXPORT void mock_cuda_fault(int Code) {
  std::lock_guard Lock(state().Mutex);
  state().Fault = Result(Code);
}

EXPORT const char *mock_cuda_calls(void) {
  static std::string Text;
  std::lock_guard Lock(state().Mutex);
  Text.clear();
  for (const std::string &Call : state().Calls)
    Text += Call + "\n";
  return Text.c_str();
}

EXPORT void mock_cuda_clear(void) {
  std::lock_guard Lock(state().Mutex);
  state().Calls.clear();
  state().Counts.clear();
}

EXPORT size_t mock_cuda_count(const char *Function) {
  std::lock_guard Lock(state().Mutex);
  if (!Function)
    return state().Calls.size();
  auto Found = state().Counts.find(Function);
  return Found == state().Counts.end() ? 0 : Found->second;
}

EXPORT void mock_cuda_fail(const char *Function, int Nth, int Code) {
  std::lock_guard Lock(state().Mutex);
  state().Failures.push_back({Function, Nth, Result(Code)});
}

EXPORT void mock_cuda_quiet(int Quiet) { state().Quiet = Quiet != 0; }

EXPORT void mock_cuda_switch_context(int Device) {
  Current = Device < 0 ? nullptr : &state().Devices[size_t(Device)];
}
