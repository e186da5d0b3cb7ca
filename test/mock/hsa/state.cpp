// Start, injection and the tests' interface
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "execution.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>

namespace mock {

State &state() {
  static State &s = *new State;
  return s;
}

namespace {
struct Injections {
  std::mutex mutex;
  std::map<std::string, size_t> calls;
  std::map<std::string, std::map<size_t, int>> fail; ///< by call number
};
} // namespace

static Injections &injections() {
  static Injections &i = *new Injections;
  return i;
}

Status injected(const char *function) {
  Injections &i = injections();
  std::lock_guard lock(i.mutex);
  size_t call = ++i.calls[function];
  auto found = i.fail.find(function);
  if (found == i.fail.end() || !found->second.count(call))
    return StatusSuccess;
  return static_cast<Status>(found->second[call]);
}

static void inject(const std::string &function, size_t n, int status) {
  Injections &i = injections();
  std::lock_guard lock(i.mutex);
  i.fail[function][i.calls[function] + n] = status;
}

void readInjections(const char *list) {
  std::string text = list ? list : "";
  size_t at = 0;
  while (at < text.size()) {
    size_t end = std::min(text.find(',', at), text.size());
    std::string rule = text.substr(at, end - at);
    size_t colon = rule.find(':'), equals = rule.find('=');
    if (colon != std::string::npos && equals != std::string::npos)
      inject(rule.substr(0, colon), strtoul(&rule[colon + 1], nullptr, 0),
             static_cast<int>(strtol(&rule[equals + 1], nullptr, 0)));
    at = end + 1;
  }
}

void violated(const char *format, ...) {
  char text[512];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof(text), format, args);
  va_end(args);
  std::lock_guard lock(state().mutex);
  if (state().violation.empty())
    state().violation = text;
}

} // namespace mock

using namespace mock;

Status hsa_init(void) {
  static std::once_flag once;
  std::call_once(once, [] { readInjections(getenv("MOCK_HSA_FAIL")); });
  MOCK_CALL(hsa_init);
  State &s = state();
  std::lock_guard lock(s.mutex);
  if (s.users++)
    return StatusSuccess;
  const char *agents = getenv("MOCK_HSA_AGENTS");
  std::string list = !s.agents.empty() ? s.agents
                     : agents          ? agents
                                       : "gfx90a:sramecc+:xnack-,gfx1100";
  s.gpus.clear();
  for (size_t at = 0; at < list.size();) {
    size_t end = std::min(list.find(',', at), list.size());
    std::string name = list.substr(at, end - at);
    s.gpus.push_back({execution() ? execution()->processor(name) : name});
    at = end + 1;
  }
  if (const char *size = getenv("MOCK_HSA_QUEUE_SIZE"))
    s.queueSize = static_cast<uint32_t>(strtoul(size, nullptr, 0));
  s.peers = !getenv("MOCK_HSA_NO_PEERS");
  if (const char *bodies = getenv("MOCK_HSA_KERNELS"))
    if (!(s.bodies = dlopen(bodies, RTLD_NOW | RTLD_LOCAL)))
      fprintf(stderr, "MOCK_HSA_KERNELS: %s\n", dlerror());
  return StatusSuccess;
}

Status hsa_shut_down(void) {
  MOCK_CALL(hsa_shut_down);
  std::lock_guard lock(state().mutex);
  if (!state().users)
    return StatusNotInitialized;
  --state().users;
  return StatusSuccess;
}

Status hsa_status_string(Status code, const char **text) {
  switch (static_cast<int>(code)) {
  case StatusSuccess:
    *text = "HSA_STATUS_SUCCESS: The function has been executed successfully.";
    return StatusSuccess;
  case StatusOutOfResources:
    *text = "HSA_STATUS_ERROR_OUT_OF_RESOURCES: The runtime failed to allocate "
            "the necessary resources.";
    return StatusSuccess;
  case StatusException:
    *text = "HSA_STATUS_ERROR_EXCEPTION: An HSAIL operation resulted in a "
            "hardware exception.";
    return StatusSuccess;
  case StatusInvalidCodeObject:
    *text = "HSA_STATUS_ERROR_INVALID_CODE_OBJECT: The code object is invalid.";
    return StatusSuccess;
  default:
    return StatusInvalidArgument;
  }
}

MOCK_EXPORT size_t mock_hsa_record_count() {
  std::lock_guard lock(state().mutex);
  return state().records.size();
}
MOCK_EXPORT int mock_hsa_record(size_t index, mock_record *out) {
  std::lock_guard lock(state().mutex);
  if (index >= state().records.size())
    return 0;
  *out = state().records[index];
  return 1;
}
MOCK_EXPORT const char *mock_hsa_violation() {
  std::lock_guard lock(state().mutex);
  return state().violation.c_str();
}
MOCK_EXPORT void mock_hsa_fail(const char *function, unsigned n, int status) {
  inject(function, n, status);
}
MOCK_EXPORT size_t mock_hsa_calls(const char *function) {
  Injections &i = injections();
  std::lock_guard lock(i.mutex);
  return i.calls[function];
}
MOCK_EXPORT void mock_hsa_fail_dispatch(unsigned n, int code) {
  std::lock_guard lock(state().mutex);
  state().failDispatch = n;
  state().dispatchStatus = static_cast<Status>(code);
}
MOCK_EXPORT void mock_hsa_fault(unsigned n, uint64_t address, uint32_t reason) {
  std::lock_guard lock(state().mutex);
  state().faultDispatch = n;
  state().fault = {EventMemoryFault, {}, address, reason};
}
MOCK_EXPORT void mock_hsa_fail_copy(unsigned n) {
  std::lock_guard lock(state().mutex);
  state().failCopy = n;
}
MOCK_EXPORT void mock_hsa_pause(int paused) {
  {
    std::lock_guard lock(state().mutex);
    state().paused = paused;
  }
  state().changed.notify_all();
}
MOCK_EXPORT void mock_hsa_read_late(int late) {
  std::lock_guard lock(state().mutex);
  state().readLate = late;
}
MOCK_EXPORT void mock_hsa_body(const char *symbol, mock_body body) {
  std::lock_guard lock(state().mutex);
  state().ownBodies[symbol] = body;
}
MOCK_EXPORT void *mock_hsa_variable(const char *name, int gpu) {
  std::lock_guard lock(state().mutex);
  auto found = state().variables.find({name, gpu});
  return found == state().variables.end() ? nullptr : found->second;
}
MOCK_EXPORT size_t mock_hsa_locked() {
  std::lock_guard lock(state().mutex);
  return state().locked.size();
}
MOCK_EXPORT size_t mock_hsa_additions() { return state().additions; }
MOCK_EXPORT size_t mock_hsa_rings() { return state().rings; }
MOCK_EXPORT size_t mock_hsa_allocated() {
  std::lock_guard lock(state().mutex);
  size_t sum = 0;
  for (auto &[base, b] : state().memory)
    sum += b.bytes;
  return sum;
}

/// An entry without a definition does not link.
#define XCC_MOCK_ADDRESS(kind, name, result, parameters)                       \
  reinterpret_cast<const void *>(&hsa_##name),
[[gnu::used]] static const void *const AllEntries[] = {
    XCC_HSA_FUNCTIONS(XCC_MOCK_ADDRESS)};
#undef XCC_MOCK_ADDRESS
