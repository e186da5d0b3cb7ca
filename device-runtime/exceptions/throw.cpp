// Throwing and catching exceptions
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C++ ABI's functions (Itanium C++ ABI: Exception Handling, 2.4, 2.5),
// where a handler in device code can catch. Where none can, ../throws.cpp has
// the few that are called.

#include "state.h"

using namespace xcc::exceptions;

namespace {
/// Reserved memory for exceptions when malloc fails, above all for
/// std::bad_alloc.
constexpr size_t ReservedSize = 128;
struct Reserved {
  Header header;
  char object[ReservedSize];
};
Reserved reserved[64];
unsigned long reservedInUse; ///< a bit for each place

void *takeReserved(size_t size) {
  while (size <= ReservedSize) {
    const unsigned long free =
        ~__atomic_load_n(&reservedInUse, __ATOMIC_RELAXED);
    if (!free)
      break;
    const int place = __builtin_ctzl(free);
    const unsigned long bit = 1ul << place;
    if (!(__atomic_fetch_or(&reservedInUse, bit, __ATOMIC_ACQUIRE) & bit))
      return &reserved[place];
  }
  terminate("std::terminate: no memory for an exception");
}

/// Allocates a header with room for an object after it.
Header *allocate(size_t size) {
  void *memory = malloc(sizeof(Header) + size);
  return static_cast<Header *>(memory ? memory : takeReserved(size));
}
void giveBack(Header *header) {
  const auto offset = reinterpret_cast<unsigned long>(header) -
                      reinterpret_cast<unsigned long>(reserved);
  if (offset >= sizeof reserved)
    return free(header);
  const unsigned long bit = 1ul << offset / sizeof(Reserved);
  __atomic_fetch_and(&reservedInUse, ~bit, __ATOMIC_RELEASE);
}
void retain(Header *header) {
  __scoped_atomic_fetch_add(&header->references, 1u, __ATOMIC_RELAXED,
                            __MEMORY_SCOPE_DEVICE);
}
} // namespace

namespace xcc::exceptions {
[[noreturn]] void terminate(const char *why) noexcept {
  __xcc_call_terminate_handler();
  __xcc_trap(0, why, nullptr, 0);
}

void release(Header *header) noexcept {
  // The last owner is alone, and needs no read-modify-write operation.
  if (__scoped_atomic_load_n(&header->references, __ATOMIC_ACQUIRE,
                             __MEMORY_SCOPE_DEVICE) != 1 &&
      __scoped_atomic_fetch_sub(&header->references, 1u, __ATOMIC_ACQ_REL,
                                __MEMORY_SCOPE_DEVICE) != 1)
    return;
  if (Header *primary = header->primary)
    release(primary);
  else if (header->destroy)
    header->destroy(header->object);
  giveBack(header);
}
} // namespace xcc::exceptions

extern "C" {
void *__cxa_allocate_exception(size_t size) noexcept {
  return allocate(size) + 1;
}

void __cxa_free_exception(void *object) noexcept {
  giveBack(Header::ofObject(object));
}

void *__cxa_init_primary_exception(void *object, std::type_info *type,
                                   void (*destroy)(void *)) noexcept {
  Header *header = Header::ofObject(object);
  header->type = type;
  header->destroy = destroy;
  header->object = header->adjusted = object;
  header->next = header->primary = nullptr;
  header->handlers = 0;
  header->references = 0;
  header->place = nullptr;
  return header;
}

/// __cxa_throw with the place of the throw (backend/exceptions/Throws.cpp).
[[noreturn]] void __xcc_throw_at(void *object, std::type_info *type,
                                 void (*destroy)(void *),
                                 const xcc_throw_place *place) {
  auto *header = static_cast<Header *>(
      __cxa_init_primary_exception(object, type, destroy));
  header->references = 1;
  header->place = place;
  __xcc_unwind(&header->token);
}

[[noreturn]] void __cxa_throw(void *object, std::type_info *type,
                              void (*destroy)(void *)) {
  __xcc_throw_at(object, type, destroy, nullptr);
}

[[noreturn]] void __cxa_rethrow() {
  State *state = __xcc_exceptions();
  Header *header = state->caught;
  if (!header)
    terminate("std::terminate: nothing to throw again");
  header->handlers = -header->handlers;
  __xcc_unwind(&header->token);
}

void *__cxa_begin_catch(void *token) noexcept {
  State *state = __xcc_exceptions();
  Header *header = Header::of(token);
  if (header->handlers < 0)
    header->handlers = -header->handlers;
  ++header->handlers;
  --state->uncaught;
  if (state->caught != header) {
    header->next = state->caught;
    state->caught = header;
  }
  return header->adjusted;
}

void __cxa_end_catch() {
  State *state = __xcc_exceptions();
  Header *header = state->caught;
  if (!header)
    return;
  if (header->handlers < 0) { // rethrown, so it stays alive
    if (!++header->handlers)
      state->caught = header->next;
    return;
  }
  if (--header->handlers)
    return;
  state->caught = header->next;
  release(header);
}

void *__cxa_get_exception_ptr(void *token) noexcept {
  return Header::of(token)->adjusted;
}

const std::type_info *__cxa_current_exception_type() noexcept {
  Header *header = __xcc_exceptions()->caught;
  return header ? header->type : nullptr;
}
}

// NOLINTBEGIN(readability-identifier-naming)
namespace std {
bool uncaught_exception() noexcept;
int uncaught_exceptions() noexcept;
bool uncaught_exception() noexcept { return __xcc_exceptions()->uncaught; }
int uncaught_exceptions() noexcept { return int(__xcc_exceptions()->uncaught); }

namespace __exception_ptr {
class exception_ptr {
public:
  Header *get() const { return Header::ofObject(object); }
  explicit exception_ptr(void *object) noexcept;
  exception_ptr(const exception_ptr &other) noexcept;
  exception_ptr(exception_ptr &&other) noexcept;
  exception_ptr() noexcept;
  ~exception_ptr() noexcept;
  exception_ptr &operator=(const exception_ptr &other) noexcept;
  void swap(exception_ptr &other) noexcept;
  explicit operator bool() const noexcept;
  bool operator!() const noexcept;
  const class type_info *__cxa_exception_type() const noexcept
      __attribute__((__pure__));

private:
  void *object; ///< the address after the owner's header
  void _M_addref() noexcept;
  void _M_release() noexcept;
  void *_M_get() const noexcept __attribute__((__pure__));
};
exception_ptr::exception_ptr() noexcept : object(nullptr) {}
exception_ptr::exception_ptr(void *object) noexcept : object(object) {
  _M_addref();
}
exception_ptr::exception_ptr(const exception_ptr &other) noexcept
    : object(other.object) {
  _M_addref();
}
exception_ptr::exception_ptr(exception_ptr &&other) noexcept
    : object(other.object) {
  other.object = nullptr;
}
exception_ptr::~exception_ptr() noexcept { _M_release(); }
exception_ptr &exception_ptr::operator=(const exception_ptr &other) noexcept {
  exception_ptr copy(other);
  swap(copy);
  return *this;
}
void exception_ptr::swap(exception_ptr &other) noexcept {
  void *mine = object;
  object = other.object;
  other.object = mine;
}
void exception_ptr::_M_addref() noexcept {
  if (object)
    retain(get());
}
void exception_ptr::_M_release() noexcept {
  if (object)
    release(get());
  object = nullptr;
}
void *exception_ptr::_M_get() const noexcept { return object; }
exception_ptr::operator bool() const noexcept { return object; }
bool exception_ptr::operator!() const noexcept { return !object; }
const type_info *exception_ptr::__cxa_exception_type() const noexcept {
  return object ? get()->type : nullptr;
}
} // namespace __exception_ptr
using __exception_ptr::exception_ptr;

exception_ptr current_exception() noexcept;
exception_ptr current_exception() noexcept {
  Header *header = __xcc_exceptions()->caught;
  return exception_ptr(header ? header->owner() + 1 : nullptr);
}

/// std::rethrow_exception. Throws the same object with a header of its own,
/// because it may be thrown already. Takes its argument by address, as the
/// program passes it; Clang, compiling for a GPU only, would pass the bytes, or
/// an address on the stack.
[[noreturn]] void rethrow(const exception_ptr &pointer) __asm__(
    "_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE");
[[noreturn]] void rethrow(const exception_ptr &pointer) {
  if (!pointer)
    terminate("std::terminate: a null std::exception_ptr is thrown");
  Header *primary = pointer.get();
  Header *header = allocate(0);
  retain(primary);
  *header = {primary->type,
             nullptr,
             primary->object,
             primary->object,
             nullptr,
             primary,
             0,
             1,
             primary->place,
             {}};
  __xcc_unwind(&header->token);
}

class nested_exception {
  exception_ptr held;

public:
  nested_exception() noexcept : held(current_exception()) {}
  virtual ~nested_exception() noexcept;
};
nested_exception::~nested_exception() noexcept = default;
} // namespace std
// NOLINTEND(readability-identifier-naming)
