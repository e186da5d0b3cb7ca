// CUDA's operations on the two or four integers in a word
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __vadd2(a, b) adds two pairs of 16-bit integers, __vadd4(a, b) four of 8 bits.
// What overflows is cut off; ss and us saturate, signed and unsigned. The part of
// <xcc/cuda.h> that ordinary C++ does not need: loops over arrays of short
// integers become such operations.

#ifndef XCC_CUDA_SIMD_H
#define XCC_CUDA_SIMD_H

#include <cstdint>
#include <limits>

namespace xcc::cuda::detail {
/// The results of a function of each Part of the words, in a word.
template <class Part, class Function>
inline unsigned by_parts(unsigned a, unsigned b, Function function) {
  constexpr unsigned width = sizeof(Part) * 8, parts = 32 / width;
  constexpr unsigned all = width == 8 ? 0xff : 0xffff;
  unsigned made = 0;
  for (unsigned i = 0; i < parts; ++i, a >>= width, b >>= width)
    made |= (static_cast<unsigned>(
                 function(int(Part(a & all)), int(Part(b & all)))) &
             all)
            << i * width;
  return made;
}
/// The sum of the results.
template <class Part, class Function>
inline unsigned sum_of_parts(unsigned a, unsigned b, Function function) {
  constexpr unsigned width = sizeof(Part) * 8, parts = 32 / width;
  int sum = 0;
  for (unsigned i = 0; i < parts; ++i)
    sum += function(int(Part(a >> i * width)), int(Part(b >> i * width)));
  return static_cast<unsigned>(sum);
}
template <class Part> inline int kept_within(int value) {
  constexpr int low = std::numeric_limits<Part>::min(),
                high = std::numeric_limits<Part>::max();
  return value < low ? low : value > high ? high : value;
}
} // namespace xcc::cuda::detail

// a and b are a part of each word, as signed or unsigned integers.
#define XCC_CUDA_SIMD(name, part, expression)                                  \
  inline unsigned name(unsigned x, unsigned y) {                               \
    return xcc::cuda::detail::by_parts<part>(                                  \
        x, y, [](int a, [[maybe_unused]] int b) { return expression; });       \
  }
#define XCC_CUDA_SIMD_UNARY(name, part, expression)                            \
  inline unsigned name(unsigned x) {                                           \
    return xcc::cuda::detail::by_parts<part>(                                  \
        x, x, [](int a, int) { return expression; });                          \
  }
#define XCC_CUDA_SIMD_SUM(name, part, expression)                              \
  inline unsigned name(unsigned x, unsigned y) {                               \
    return xcc::cuda::detail::sum_of_parts<part>(                              \
        x, y, [](int a, int b) { return expression; });                        \
  }
#define XCC_CUDA_SIMD_COMPARE(name, part, count, op)                           \
  XCC_CUDA_SIMD(__vcmp##name##count, part, a op b ? -1 : 0)                    \
  XCC_CUDA_SIMD(__vset##name##count, part, a op b ? 1 : 0)
#define XCC_CUDA_SIMD_OF(count, s, u)                                          \
  XCC_CUDA_SIMD(__vadd##count, u, a + b)                                       \
  XCC_CUDA_SIMD(__vsub##count, u, a - b)                                       \
  XCC_CUDA_SIMD(__vaddss##count, s, xcc::cuda::detail::kept_within<s>(a + b))  \
  XCC_CUDA_SIMD(__vaddus##count, u, xcc::cuda::detail::kept_within<u>(a + b))  \
  XCC_CUDA_SIMD(__vsubss##count, s, xcc::cuda::detail::kept_within<s>(a - b))  \
  XCC_CUDA_SIMD(__vsubus##count, u, xcc::cuda::detail::kept_within<u>(a - b))  \
  XCC_CUDA_SIMD(__vmaxs##count, s, a > b ? a : b)                              \
  XCC_CUDA_SIMD(__vmaxu##count, u, a > b ? a : b)                              \
  XCC_CUDA_SIMD(__vmins##count, s, a < b ? a : b)                              \
  XCC_CUDA_SIMD(__vminu##count, u, a < b ? a : b)                              \
  XCC_CUDA_SIMD(__vavgs##count, s, (a + b + (a + b >= 0)) >> 1)                \
  XCC_CUDA_SIMD(__vavgu##count, u, (a + b + 1) >> 1)                           \
  XCC_CUDA_SIMD(__vhaddu##count, u, (a + b) >> 1)                              \
  XCC_CUDA_SIMD(__vabsdiffs##count, s, a > b ? a - b : b - a)                  \
  XCC_CUDA_SIMD(__vabsdiffu##count, u, a > b ? a - b : b - a)                  \
  XCC_CUDA_SIMD_SUM(__vsads##count, s, a > b ? a - b : b - a)                  \
  XCC_CUDA_SIMD_SUM(__vsadu##count, u, a > b ? a - b : b - a)                  \
  XCC_CUDA_SIMD_UNARY(__vneg##count, s, -a)                                    \
  XCC_CUDA_SIMD_UNARY(__vnegss##count, s,                                      \
                      xcc::cuda::detail::kept_within<s>(-a))                   \
  XCC_CUDA_SIMD_UNARY(__vabs##count, s, a < 0 ? -a : a)                        \
  XCC_CUDA_SIMD_UNARY(__vabsss##count, s,                                      \
                      xcc::cuda::detail::kept_within<s>(a < 0 ? -a : a))       \
  XCC_CUDA_SIMD_COMPARE(eq, u, count, ==)                                      \
  XCC_CUDA_SIMD_COMPARE(ne, u, count, !=)                                      \
  XCC_CUDA_SIMD_COMPARE(ges, s, count, >=)                                     \
  XCC_CUDA_SIMD_COMPARE(geu, u, count, >=)                                     \
  XCC_CUDA_SIMD_COMPARE(gts, s, count, >)                                      \
  XCC_CUDA_SIMD_COMPARE(gtu, u, count, >)                                      \
  XCC_CUDA_SIMD_COMPARE(les, s, count, <=)                                     \
  XCC_CUDA_SIMD_COMPARE(leu, u, count, <=)                                     \
  XCC_CUDA_SIMD_COMPARE(lts, s, count, <)                                      \
  XCC_CUDA_SIMD_COMPARE(ltu, u, count, <)
XCC_CUDA_SIMD_OF(2, std::int16_t, std::uint16_t)
XCC_CUDA_SIMD_OF(4, std::int8_t, std::uint8_t)
#undef XCC_CUDA_SIMD_OF
#undef XCC_CUDA_SIMD_COMPARE
#undef XCC_CUDA_SIMD_SUM
#undef XCC_CUDA_SIMD_UNARY
#undef XCC_CUDA_SIMD

/// sum + a[0] * b[0] + ... + a[3] * b[3], of bytes.
inline int __dp4a(int a, int b, int sum) {
  return static_cast<int>(xcc::cuda::detail::sum_of_parts<std::int8_t>(
                              static_cast<unsigned>(a),
                              static_cast<unsigned>(b),
                              [](int x, int y) { return x * y; }) +
                          static_cast<unsigned>(sum));
}
inline unsigned __dp4a(unsigned a, unsigned b, unsigned sum) {
  return xcc::cuda::detail::sum_of_parts<std::uint8_t>(
             a, b, [](int x, int y) { return x * y; }) +
         sum;
}

#endif // XCC_CUDA_SIMD_H
