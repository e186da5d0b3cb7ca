// What programs of csmith call
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations on integers that are defined for all values, by the names that
// csmith writes, and a sum over the program's globals. An operation whose C++
// result would be undefined gives its first operand.

#ifndef CSMITH_RUNTIME_H
#define CSMITH_RUNTIME_H
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

template <class T> inline T safe_minus(T a) {
  T r;
  return __builtin_sub_overflow(T(0), a, &r) && std::is_signed_v<T> ? a : r;
}
template <class T> inline T safe_add(T a, T b) {
  T r;
  return __builtin_add_overflow(a, b, &r) && std::is_signed_v<T> ? a : r;
}
template <class T> inline T safe_sub(T a, T b) {
  T r;
  return __builtin_sub_overflow(a, b, &r) && std::is_signed_v<T> ? a : r;
}
template <class T> inline T safe_mul(T a, T b) {
  T r;
  return __builtin_mul_overflow(a, b, &r) && std::is_signed_v<T> ? a : r;
}
template <class T> inline bool cannot_divide(T a, T b) {
  return b == 0 || (std::is_signed_v<T> && b == T(-1) &&
                    a == std::numeric_limits<T>::min());
}
template <class T> inline T safe_div(T a, T b) {
  return cannot_divide(a, b) ? a : T(a / b);
}
template <class T> inline T safe_mod(T a, T b) {
  return cannot_divide(a, b) ? a : T(a % b);
}
template <class T, class S> inline bool cannot_shift(T a, S by) {
  // Narrow types are shifted as int.
  constexpr unsigned bits = sizeof(T) < 4 ? 32 : sizeof(T) * 8;
  return a < T(0) || by < S(0) || std::uint64_t(by) >= bits;
}
template <class T, class S> inline T safe_lshift(T a, S by) {
  return cannot_shift(a, by) || (std::is_signed_v<T> &&
                                 a > (std::numeric_limits<T>::max() >> by))
             ? a
             : T(a << by);
}
template <class T, class S> inline T safe_rshift(T a, S by) {
  return cannot_shift(a, by) ? a : T(a >> by);
}

#define CSMITH_UNARY(T, S)                                                     \
  inline T safe_unary_minus_func_##T##_##S(T a) { return safe_minus<T>(a); }
#define CSMITH_BINARY(OP, T, S)                                                \
  inline T safe_##OP##_func_##T##_##S##_##S(T a, T b) {                        \
    return safe_##OP<T>(a, b);                                                 \
  }
#define CSMITH_SHIFTS(T, S)                                                    \
  inline T safe_lshift_func_##T##_##S##_s(T a, int b) {                        \
    return safe_lshift<T>(a, b);                                               \
  }                                                                            \
  inline T safe_lshift_func_##T##_##S##_u(T a, unsigned b) {                   \
    return safe_lshift<T>(a, b);                                               \
  }                                                                            \
  inline T safe_rshift_func_##T##_##S##_s(T a, int b) {                        \
    return safe_rshift<T>(a, b);                                               \
  }                                                                            \
  inline T safe_rshift_func_##T##_##S##_u(T a, unsigned b) {                   \
    return safe_rshift<T>(a, b);                                               \
  }
#define CSMITH_TYPE(T, S)                                                      \
  CSMITH_UNARY(T, S)                                                           \
  CSMITH_BINARY(add, T, S)                                                     \
  CSMITH_BINARY(sub, T, S)                                                     \
  CSMITH_BINARY(mul, T, S)                                                     \
  CSMITH_BINARY(div, T, S)                                                     \
  CSMITH_BINARY(mod, T, S)                                                     \
  CSMITH_SHIFTS(T, S)
CSMITH_TYPE(int8_t, s)
CSMITH_TYPE(int16_t, s)
CSMITH_TYPE(int32_t, s)
CSMITH_TYPE(int64_t, s)
CSMITH_TYPE(uint8_t, u)
CSMITH_TYPE(uint16_t, u)
CSMITH_TYPE(uint32_t, u)
CSMITH_TYPE(uint64_t, u)

// The sum lives in the thread's own frame; csmith's code reaches it by name.
#define crc32_gentab() (void)0
#define crc32_context sum
#define platform_main_begin() std::uint64_t sum = 14695981039346656037ull
#define transparent_crc(VALUE, NAME, PRINT)                                    \
  (sum = (sum ^ std::uint64_t(VALUE)) * 1099511628211ull)
#define transparent_crc_bytes(P, N, NAME, PRINT)                               \
  for (unsigned i_ = 0; i_ != (N); ++i_)                                       \
  transparent_crc(((const char *)(P))[i_], 0, 0)
#define platform_main_end(CRC, PRINT) *csmith_sum = sum
#define printf(...) (void)0
#endif
