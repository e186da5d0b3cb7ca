// The host's environment
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program may keep what getenv returns, so values are copied to the device
// once and remembered: a variable has the value it had when a thread first
// asked for it.

#include "call.h"
#include "malloc.h"

using namespace xcc::device;

namespace {
/// A variable; the name's bytes follow it, then the value's.
struct Variable {
  Variable *Next;
  bool IsSet;
  const char *name() const { return reinterpret_cast<const char *>(this + 1); }
  char *bytes() { return reinterpret_cast<char *>(this + 1); }
};
Variable *Known;

#if XCC_RPC_GPU
Variable *first() {
  return __scoped_atomic_load_n(&Known, __ATOMIC_ACQUIRE,
                                __MEMORY_SCOPE_DEVICE);
}
bool push(Variable *V) {
  return __scoped_atomic_compare_exchange_n(&Known, &V->Next, V, false,
                                            __ATOMIC_ACQ_REL, __ATOMIC_RELAXED,
                                            __MEMORY_SCOPE_DEVICE);
}
#else
Variable *first() { return __atomic_load_n(&Known, __ATOMIC_ACQUIRE); }
bool push(Variable *V) {
  return __atomic_compare_exchange_n(&Known, &V->Next, V, false,
                                     __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}
#endif

bool same(const char *A, const char *B) {
  while (*A && *A == *B)
    ++A, ++B;
  return *A == *B;
}
} // namespace

XCC_SERVICE char *getenv(const char *Name) {
  const size_t Size = strlen(Name);
  for (Variable *V = first(); V; V = V->Next)
    if (same(V->name(), Name))
      return V->IsSet ? V->bytes() + Size + 1 : nullptr;
  // Most values fit at the first try.
  for (size_t Room = 240;;) {
    auto *V = static_cast<Variable *>(
        __xcc_allocate(sizeof(Variable) + Size + 1 + Room, 16));
    if (!V)
      return nullptr;
    char *Value = V->bytes() + Size + 1;
    Buffer Got{Value, Room - 1};
    Message M(0, 0, 0, Name, Size);
    Reply R = call(ServiceEnvironment, M, Got);
    if (R.Error || R.Result >= int64_t(Room)) {
      __xcc_free(V);
      if (R.Error)
        return nullptr;
      Room = size_t(R.Result) + 1;
      continue;
    }
    memcpy(V->bytes(), Name, Size + 1);
    Value[Got.Size] = 0;
    V->IsSet = R.Result >= 0;
    V->Next = first();
    while (!push(V))
      ;
    return V->IsSet ? Value : nullptr;
  }
}
