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
  static State &S = *new State;
  return S;
}

namespace {
struct Injections {
  std::mutex Mutex;
  std::map<std::string, size_t> Calls;
  std::map<std::string, std::map<size_t, int>> Fail; ///< by call number
};
} // namespace

static Injections &injections() {
  static Injections &I = *new Injections;
  return I;
}

Status injected(const char *Function) {
  Injections &I = injections();
  std::lock_guard Lock(I.Mutex);
  size_t Call = ++I.Calls[Function];
  auto Found = I.Fail.find(Function);
  if (Found == I.Fail.end() || !Found->second.count(Call))
    return StatusSuccess;
  return static_cast<Status>(Found->second[Call]);
}

static void inject(const std::string &Function, size_t N, int Status) {
  Injections &I = injections();
  std::lock_guard Lock(I.Mutex);
  I.Fail[Function][I.Calls[Function] + N] = Status;
}

void readInjections(const char *List) {
  std::string Text = List ? List : "";
  size_t At = 0;
  while (At < Text.size()) {
    size_t End = std::min(Text.find(',', At), Text.size());
    std::string Rule = Text.substr(At, End - At);
    size_t Colon = Rule.find(':'), Equals = Rule.find('=');
    if (Colon != std::string::npos && Equals != std::string::npos)
      inject(Rule.substr(0, Colon), strtoul(&Rule[Colon + 1], nullptr, 0),
             static_cast<int>(strtol(&Rule[Equals + 1], nullptr, 0)));
    At = End + 1;
  }
}

void violated(const char *Format, ...) {
  char Text[512];
  va_list Args;
  va_start(Args, Format);
  vsnprintf(Text, sizeof(Text), Format, Args);
  va_end(Args);
  std::lock_guard Lock(state().Mutex);
  if (state().Violation.empty())
    state().Violation = Text;
}

} // namespace mock

using namespace mock;

Status hsa_init(void) {
  static std::once_flag Once;
  std::call_once(Once, [] { readInjections(getenv("MOCK_HSA_FAIL")); });
  MOCK_CALL(hsa_init);
  State &S = state();
  std::lock_guard Lock(S.Mutex);
  if (S.Users++)
    return StatusSuccess;
  const char *Agents = getenv("MOCK_HSA_AGENTS");
  std::string List = Agents ? Agents : "gfx90a:sramecc+:xnack-,gfx1100";
  S.Gpus.clear();
  for (size_t At = 0; At < List.size();) {
    size_t End = std::min(List.find(',', At), List.size());
    std::string Name = List.substr(At, End - At);
    S.Gpus.push_back({execution() ? execution()->processor(Name) : Name});
    At = End + 1;
  }
  if (const char *Size = getenv("MOCK_HSA_QUEUE_SIZE"))
    S.QueueSize = static_cast<uint32_t>(strtoul(Size, nullptr, 0));
  S.Peers = !getenv("MOCK_HSA_NO_PEERS");
  if (const char *Bodies = getenv("MOCK_HSA_KERNELS"))
    if (!(S.Bodies = dlopen(Bodies, RTLD_NOW | RTLD_LOCAL)))
      fprintf(stderr, "MOCK_HSA_KERNELS: %s\n", dlerror());
  return StatusSuccess;
}

Status hsa_shut_down(void) {
  MOCK_CALL(hsa_shut_down);
  std::lock_guard Lock(state().Mutex);
  if (!state().Users)
    return StatusNotInitialized;
  --state().Users;
  return StatusSuccess;
}

Status hsa_status_string(Status Code, const char **Text) {
  switch (static_cast<int>(Code)) {
  case StatusSuccess:
    *Text = "HSA_STATUS_SUCCESS: The function has been executed successfully.";
    return StatusSuccess;
  case StatusOutOfResources:
    *Text = "HSA_STATUS_ERROR_OUT_OF_RESOURCES: The runtime failed to allocate "
            "the necessary resources.";
    return StatusSuccess;
  case StatusException:
    *Text = "HSA_STATUS_ERROR_EXCEPTION: An HSAIL operation resulted in a "
            "hardware exception.";
    return StatusSuccess;
  case StatusInvalidCodeObject:
    *Text = "HSA_STATUS_ERROR_INVALID_CODE_OBJECT: The code object is invalid.";
    return StatusSuccess;
  default:
    return StatusInvalidArgument;
  }
}

MOCK_EXPORT size_t mock_hsa_record_count() {
  std::lock_guard Lock(state().Mutex);
  return state().Records.size();
}
MOCK_EXPORT int mock_hsa_record(size_t Index, mock_record *Out) {
  std::lock_guard Lock(state().Mutex);
  if (Index >= state().Records.size())
    return 0;
  *Out = state().Records[Index];
  return 1;
}
MOCK_EXPORT const char *mock_hsa_violation() {
  std::lock_guard Lock(state().Mutex);
  return state().Violation.c_str();
}
MOCK_EXPORT void mock_hsa_fail(const char *Function, unsigned N, int Status) {
  inject(Function, N, Status);
}
MOCK_EXPORT size_t mock_hsa_calls(const char *Function) {
  Injections &I = injections();
  std::lock_guard Lock(I.Mutex);
  return I.Calls[Function];
}
MOCK_EXPORT void mock_hsa_fail_dispatch(unsigned N, int Code) {
  std::lock_guard Lock(state().Mutex);
  state().FailDispatch = N;
  state().DispatchStatus = static_cast<Status>(Code);
}
MOCK_EXPORT void mock_hsa_fault(unsigned N, uint64_t Address, uint32_t Reason) {
  std::lock_guard Lock(state().Mutex);
  state().FaultDispatch = N;
  state().Fault = {EventMemoryFault, {}, Address, Reason};
}
MOCK_EXPORT void mock_hsa_fail_copy(unsigned N) {
  std::lock_guard Lock(state().Mutex);
  state().FailCopy = N;
}
MOCK_EXPORT void mock_hsa_pause(int Paused) {
  {
    std::lock_guard Lock(state().Mutex);
    state().Paused = Paused;
  }
  state().Changed.notify_all();
}
MOCK_EXPORT void mock_hsa_read_late(int Late) {
  std::lock_guard Lock(state().Mutex);
  state().ReadLate = Late;
}
MOCK_EXPORT void mock_hsa_body(const char *Symbol, mock_body Body) {
  std::lock_guard Lock(state().Mutex);
  state().OwnBodies[Symbol] = Body;
}
MOCK_EXPORT void *mock_hsa_variable(const char *Name, int Gpu) {
  std::lock_guard Lock(state().Mutex);
  auto Found = state().Variables.find({Name, Gpu});
  return Found == state().Variables.end() ? nullptr : Found->second;
}
MOCK_EXPORT size_t mock_hsa_locked() {
  std::lock_guard Lock(state().Mutex);
  return state().Locked.size();
}
MOCK_EXPORT size_t mock_hsa_allocated() {
  std::lock_guard Lock(state().Mutex);
  size_t Sum = 0;
  for (auto &[Base, B] : state().Memory)
    Sum += B.Bytes;
  return Sum;
}

/// An entry without a definition does not link.
#define XCC_MOCK_ADDRESS(kind, name, result, parameters)                       \
  reinterpret_cast<const void *>(&hsa_##name),
[[gnu::used]] static const void *const AllEntries[] = {
    XCC_HSA_FUNCTIONS(XCC_MOCK_ADDRESS)};
#undef XCC_MOCK_ADDRESS
