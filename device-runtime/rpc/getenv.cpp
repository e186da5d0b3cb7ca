// The host's environment
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program may keep the result of getenv, so each value is copied to the
// device once and stays there. A variable keeps the value that it had when a
// thread first read it.

#include "call.h"
#include "malloc.h"

using namespace xcc::device;

namespace {
/// A variable, followed by the bytes of its name and of its value.
struct Variable {
  Variable *next;
  bool isSet;
  const char *name() const { return reinterpret_cast<const char *>(this + 1); }
  char *bytes() { return reinterpret_cast<char *>(this + 1); }
};
Variable *known;

#if XCC_RPC_GPU
Variable *first() {
  return __scoped_atomic_load_n(&known, __ATOMIC_ACQUIRE,
                                __MEMORY_SCOPE_DEVICE);
}
bool push(Variable *v) {
  return __scoped_atomic_compare_exchange_n(&known, &v->next, v, false,
                                            __ATOMIC_ACQ_REL, __ATOMIC_RELAXED,
                                            __MEMORY_SCOPE_DEVICE);
}
#else
Variable *first() { return __atomic_load_n(&known, __ATOMIC_ACQUIRE); }
bool push(Variable *v) {
  return __atomic_compare_exchange_n(&known, &v->next, v, false,
                                     __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}
#endif

bool same(const char *a, const char *b) {
  while (*a && *a == *b)
    ++a, ++b;
  return *a == *b;
}
} // namespace

XCC_SERVICE char *getenv(const char *name) {
  const size_t size = strlen(name);
  for (Variable *v = first(); v; v = v->next)
    if (same(v->name(), name))
      return v->isSet ? v->bytes() + size + 1 : nullptr;
  // Most values fit in the first buffer.
  for (size_t room = 240;;) {
    auto *v = static_cast<Variable *>(
        __xcc_allocate(sizeof(Variable) + size + 1 + room, 16));
    if (!v)
      return nullptr;
    char *value = v->bytes() + size + 1;
    Buffer got{value, room - 1};
    Message m(EnvironmentValue, 0, 0, name, size);
    Reply r = call(ServiceEnvironment, m, got);
    if (r.error || r.result >= int64_t(room)) {
      __xcc_free(v);
      if (r.error)
        return nullptr;
      room = size_t(r.result) + 1;
      continue;
    }
    memcpy(v->bytes(), name, size + 1);
    value[got.size] = 0;
    v->isSet = r.result >= 0;
    v->next = first();
    while (!push(v))
      ;
    return v->isSet ? value : nullptr;
  }
}

namespace {
/// Defines a variable for the device; it hides earlier definitions. A null \p
/// value removes the variable.
int define(const char *name, size_t size, const char *value) {
  const size_t room = value ? strlen(value) + 1 : 1;
  auto *v = static_cast<Variable *>(
      __xcc_allocate(sizeof(Variable) + size + 1 + room, 16));
  if (!v)
    return -1;
  memcpy(v->bytes(), name, size);
  v->bytes()[size] = 0;
  memcpy(v->bytes() + size + 1, value ? value : "", room);
  v->isSet = value != nullptr;
  v->next = first();
  while (!push(v))
    ;
  return 0;
}

size_t sizeOfName(const char *name) {
  size_t size = 0;
  while (name[size] && name[size] != '=')
    ++size;
  return size;
}

bool isName(const char *name) {
  if (name && *name && !name[sizeOfName(name)])
    return true;
  setErrno(ErrInvalid);
  return false;
}
} // namespace

// These do not change the host's environment.
XCC_SERVICE int setenv(const char *name, const char *value, int replace) {
  if (!isName(name))
    return -1;
  if (!replace && getenv(name))
    return 0;
  return define(name, strlen(name), value);
}
XCC_SERVICE int unsetenv(const char *name) {
  return isName(name) ? define(name, strlen(name), nullptr) : -1;
}
XCC_SERVICE int putenv(char *text) {
  const size_t size = sizeOfName(text);
  return define(text, size, text[size] ? text + size + 1 : nullptr);
}

/// Whether the process runs without rights beyond its user's (not setuid).
static bool isOrdinary() {
  Reply r = call(ServiceEnvironment, Message(EnvironmentSecure));
  return !r.error && r.result == 0;
}
XCC_SERVICE char *secure_getenv(const char *name) {
  return isOrdinary() ? getenv(name) : nullptr;
}
