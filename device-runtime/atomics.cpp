// Atomic operations on objects of any size
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that Clang calls in libatomic, with libatomic's names. Objects
// of 1, 2, 4 and 8 bytes with that alignment are handled as integers. Others
// are protected by a lock, which their address selects. The lock is the
// device's, so they are atomic among threads of one device.
//
// For every device, so compiled without any library's header.

#include "lock.h"

using u8 = unsigned char;
using u16 = unsigned short;
using u32 = unsigned;
using u64 = unsigned long;
using u128 = unsigned __int128;

namespace {

constexpr u64 Count = 128;
xcc::Lock locks[Count];

/// Does work on an object while no other thread does.
template <class Work>
[[clang::noinline]] void locked(const void *object, Work work) {
  const u64 address = (u64)object;
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  locks[(address >> 3 ^ address >> 11) % Count].hold(work);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

void copy(void *to, const void *from, u64 size) {
  if (((u64)to | (u64)from | size) % 4 == 0)
    for (u64 i = 0; i != size / 4; ++i)
      ((u32 *)to)[i] = ((const u32 *)from)[i];
  else
    for (u64 i = 0; i != size; ++i)
      ((u8 *)to)[i] = ((const u8 *)from)[i];
}

bool equal(const void *a, const void *b, u64 size) {
  for (u64 i = 0; i != size; ++i)
    if (((const u8 *)a)[i] != ((const u8 *)b)[i])
      return false;
  return true;
}

template <class Word> bool isWord(u64 size, const void *object) {
  return size == sizeof(Word) && (u64)object % sizeof(Word) == 0;
}

/// Calls asWord() with the largest word that fits, or otherwise().
template <class AsWord, class Otherwise>
void forSize(u64 size, const void *object, AsWord asWord, Otherwise otherwise) {
  if (isWord<u64>(size, object))
    asWord(u64());
  else if (isWord<u32>(size, object))
    asWord(u32());
  else if (isWord<u16>(size, object))
    asWord(u16());
  else if (isWord<u8>(size, object))
    asWord(u8());
  else
    otherwise();
}

/// Reads a value from a caller's memory, which may have any alignment.
template <class Word> Word valueAt(const void *at) {
  Word value;
  __builtin_memcpy(&value, at, sizeof value);
  return value;
}

} // namespace

// Clang knows the names as builtins, which must not be redeclared.
#define NAMED(name) __asm__(#name)

extern "C" {

bool xcc_is_lock_free(u64 size, const void *object)
    NAMED(__atomic_is_lock_free);
bool xcc_is_lock_free(u64 size, const void *object) {
  return isWord<u64>(size, object) || isWord<u32>(size, object) ||
         isWord<u16>(size, object) || isWord<u8>(size, object);
}

void xcc_load(u64 size, void *object, void *to, int) NAMED(__atomic_load);
void xcc_load(u64 size, void *object, void *to, int) {
  forSize(
      size, object,
      [&](auto word) {
        word = __atomic_load_n((decltype(word) *)object, __ATOMIC_SEQ_CST);
        __builtin_memcpy(to, &word, sizeof word);
      },
      [&] { locked(object, [=] { copy(to, object, size); }); });
}

void xcc_store(u64 size, void *object, void *from, int) NAMED(__atomic_store);
void xcc_store(u64 size, void *object, void *from, int) {
  forSize(
      size, object,
      [&](auto word) {
        __atomic_store_n((decltype(word) *)object,
                         valueAt<decltype(word)>(from), __ATOMIC_SEQ_CST);
      },
      [&] { locked(object, [=] { copy(object, from, size); }); });
}

void xcc_exchange(u64 size, void *object, void *from, void *to, int)
    NAMED(__atomic_exchange);
void xcc_exchange(u64 size, void *object, void *from, void *to, int) {
  forSize(
      size, object,
      [&](auto word) {
        word = __atomic_exchange_n((decltype(word) *)object,
                                   valueAt<decltype(word)>(from),
                                   __ATOMIC_SEQ_CST);
        __builtin_memcpy(to, &word, sizeof word);
      },
      [&] {
        locked(object, [=] {
          // The places of the new and the old value may be the same.
          for (u64 i = 0; i != size; ++i) {
            u8 was = ((u8 *)object)[i];
            ((u8 *)object)[i] = ((u8 *)from)[i];
            ((u8 *)to)[i] = was;
          }
        });
      });
}

bool xcc_compare_exchange(u64 size, void *object, void *expected, void *desired,
                          int, int) NAMED(__atomic_compare_exchange);
bool xcc_compare_exchange(u64 size, void *object, void *expected, void *desired,
                          int, int) {
  bool same = false;
  forSize(
      size, object,
      [&](auto word) {
        word = valueAt<decltype(word)>(expected);
        same = __atomic_compare_exchange_n(
            (decltype(word) *)object, &word, valueAt<decltype(word)>(desired),
            false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
        if (!same)
          __builtin_memcpy(expected, &word, sizeof word);
      },
      [&] {
        bool *found = &same;
        locked(object, [=] {
          *found = equal(object, expected, size);
          if (*found)
            copy(object, desired, size);
          else
            copy(expected, object, size);
        });
      });
  return same;
}

u128 xcc_load_16(u128 *object, int) NAMED(__atomic_load_16);
u128 xcc_load_16(u128 *object, int order) {
  u128 value;
  xcc_load(16, object, &value, order);
  return value;
}
void xcc_store_16(u128 *object, u128 value, int) NAMED(__atomic_store_16);
void xcc_store_16(u128 *object, u128 value, int order) {
  xcc_store(16, object, &value, order);
}
u128 xcc_exchange_16(u128 *object, u128 value, int) NAMED(__atomic_exchange_16);
u128 xcc_exchange_16(u128 *object, u128 value, int order) {
  xcc_exchange(16, object, &value, &value, order);
  return value;
}
bool xcc_compare_exchange_16(u128 *object, u128 *expected, u128 desired, int,
                             int) NAMED(__atomic_compare_exchange_16);
bool xcc_compare_exchange_16(u128 *object, u128 *expected, u128 desired,
                             int success, int failure) {
  return xcc_compare_exchange(16, object, expected, &desired, success, failure);
}

#define FETCH(name, change)                                                    \
  u128 xcc_fetch_##name##_16(u128 *object, u128 value, int)                    \
      NAMED(__atomic_fetch_##name##_16);                                       \
  u128 xcc_fetch_##name##_16(u128 *object, u128 value, int) {                  \
    u128 old, *was = &old;                                                     \
    locked(object, [=] {                                                       \
      copy(was, object, 16);                                                   \
      u128 now = change;                                                       \
      copy(object, &now, 16);                                                  \
    });                                                                        \
    return old;                                                                \
  }
FETCH(add, *was + value)
FETCH(sub, *was - value)
FETCH(and, *was &value)
FETCH(or, *was | value)
FETCH(xor, *was ^ value)
FETCH(nand, ~(*was &value))
}
