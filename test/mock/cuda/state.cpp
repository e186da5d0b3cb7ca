// The mock driver's settings and records
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/driver/error.h"
#include "engine.h"

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>

namespace mock {

thread_local ContextObject *current = nullptr;

static std::vector<std::string> split(const std::string &text, char at) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, at);)
    parts.push_back(part);
  return parts;
}

static void readSettings(State &s) {
  auto setting = [](const char *name, const char *fallback) -> std::string {
    const char *text = getenv(name);
    return text ? text : fallback;
  };
  for (const std::string &arch :
       split(setting("MOCK_CUDA_DEVICES", "sm_90"), ',')) {
    int number = atoi(arch.c_str() + 3); // after "sm_"
    s.devices.push_back(
        {int(s.devices.size()), number / 10, number % 10, false, {}});
  }
  s.version = atoi(setting("MOCK_CUDA_VERSION", "13000").c_str());
  s.pools = setting("MOCK_CUDA_POOLS", "1") != "0";
  s.pageable = setting("MOCK_CUDA_PAGEABLE", "0") != "0";
  s.managed = setting("MOCK_CUDA_MANAGED", "1") != "0";
  s.logFile = setting("MOCK_CUDA_LOG", "");
  s.quiet = setting("MOCK_CUDA_QUIET", "0") != "0";
  for (const std::string &one : split(setting("MOCK_CUDA_FAIL", ""), ',')) {
    std::vector<std::string> parts = split(one, ':');
    if (parts.size() == 3)
      s.failures.push_back(
          {parts[0], atoi(parts[1].c_str()), Result(atoi(parts[2].c_str()))});
  }
  s.recording = engine().records() || !s.logFile.empty() || !s.failures.empty();
  std::string library = setting("MOCK_CUDA_KERNELS", "");
  if (!library.empty() &&
      !(s.kernelLibrary = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL)))
    fprintf(stderr, "mock libcuda: %s\n", dlerror());
}

State &state() {
  static State &s = []() -> State & {
    auto *fresh = new State;
    readSettings(*fresh);
    return *fresh;
  }();
  return s;
}

bool isWithin(Address a, size_t size, Range *found) {
  auto after = state().memory.upper_bound(a);
  if (after == state().memory.begin())
    return false;
  auto &[begin, r] = *std::prev(after);
  if (a - begin > r.size || size > r.size - (a - begin))
    return false;
  if (found)
    *found = r;
  return true;
}

Result begin(const char *name, const std::string &line) {
  State &s = state();
  s.calls.push_back(line);
  ++s.counts[name];
  if (!s.logFile.empty())
    if (FILE *out = fopen(s.logFile.c_str(), "a")) {
      fprintf(out, "%s\n", line.c_str());
      fclose(out);
    }
  for (Failure &f : s.failures)
    if (f.function == name && f.countdown > 0 && --f.countdown == 0) {
      // Nor does a driver that was taken down come back.
      if (killsContext(f.code) || f.code == Deinitialized)
        s.fault = f.code;
      return f.code;
    }
  return Success;
}

} // namespace mock

using namespace mock;

#define EXPORT extern "C" __attribute__((visibility("default")))

EXPORT void mock_cuda_set_kernel(const char *symbol, mock_kernel body) {
  std::lock_guard lock(state().mutex);
  state().kernels[symbol] = body;
}

EXPORT void mock_cuda_add_parameter(const char *symbol, size_t offset,
                                    size_t size) {
  std::lock_guard lock(state().mutex);
  state().parameters[symbol].push_back({offset, size});
}

EXPORT void mock_cuda_set_attributes(int shared, int local, int maxThreads) {
  std::lock_guard lock(state().mutex);
  state().shared = shared;
  state().local = local;
  state().maxThreads = maxThreads;
}

EXPORT void mock_cuda_fault(int code) {
  std::lock_guard lock(state().mutex);
  state().fault = Result(code);
}

EXPORT const char *mock_cuda_calls(void) {
  static std::string text;
  std::lock_guard lock(state().mutex);
  text.clear();
  for (const std::string &call : state().calls)
    text += call + "\n";
  return text.c_str();
}

EXPORT void mock_cuda_clear(void) {
  std::lock_guard lock(state().mutex);
  state().calls.clear();
  state().counts.clear();
}

EXPORT size_t mock_cuda_count(const char *function) {
  std::lock_guard lock(state().mutex);
  if (!function)
    return state().calls.size();
  auto found = state().counts.find(function);
  return found == state().counts.end() ? 0 : found->second;
}

EXPORT void mock_cuda_fail(const char *function, int nth, int code) {
  std::lock_guard lock(state().mutex);
  state().failures.push_back({function, nth, Result(code)});
}

EXPORT void mock_cuda_quiet(int quiet) { state().quiet = quiet != 0; }

EXPORT void mock_cuda_switch_context(int device) {
  current = device < 0 ? nullptr : &state().devices[size_t(device)];
}
