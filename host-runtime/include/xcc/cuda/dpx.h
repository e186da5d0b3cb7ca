// CUDA's largest and smallest of sums and of three numbers (DPX)
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __viaddmax_s32(a, b, c) is max(a + b, c), __vimax3_s32(a, b, c) the largest of
// three. _s16x2 and _u16x2 take the two 16-bit integers in a word, and _relu is 0
// where the result is negative. Sums wrap around. Programs that align sequences use
// them. The part of <xcc/cuda.h> that ordinary C++ does not need: xcc makes the same
// instructions of std::max(a + b, c).

#ifndef XCC_CUDA_DPX_H
#define XCC_CUDA_DPX_H

#include <cstdint>
#include <type_traits>

namespace xcc::cuda::detail {
template <class Number> inline Number larger(Number a, Number b) {
  return a > b ? a : b;
}
template <class Number> inline Number smaller(Number a, Number b) {
  return a < b ? a : b;
}
template <class Number> inline Number wrapped_sum(Number a, Number b) {
  using Bits = std::make_unsigned_t<Number>;
  return static_cast<Number>(static_cast<Bits>(a) + static_cast<Bits>(b));
}
/// The results of a function of both halves of the words, in a word.
template <class Half, class Function, class... Words>
inline unsigned by_halves(Function function, Words... words) {
  using Bits = std::make_unsigned_t<Half>;
  const auto low = static_cast<Bits>(function(Half(words & 0xffff)...));
  const auto high = static_cast<Bits>(function(Half(words >> 16)...));
  return low | static_cast<unsigned>(high) << 16;
}
} // namespace xcc::cuda::detail

// a, b and c are signed or unsigned integers of 32 or 16 bits.
#define XCC_CUDA_DPX_OF_THREE(name, expression)                                \
  namespace xcc::cuda::detail {                                                \
  template <class Number> Number name(Number a, Number b, Number c) {          \
    return expression;                                                         \
  }                                                                            \
  }                                                                            \
  inline int name##_s32(int a, int b, int c) {                                 \
    return xcc::cuda::detail::name(a, b, c);                                   \
  }                                                                            \
  inline int name##_s32_relu(int a, int b, int c) {                            \
    return xcc::cuda::detail::larger(name##_s32(a, b, c), 0);                  \
  }                                                                            \
  inline unsigned name##_u32(unsigned a, unsigned b, unsigned c) {             \
    return xcc::cuda::detail::name(a, b, c);                                   \
  }                                                                            \
  inline unsigned name##_s16x2(unsigned a, unsigned b, unsigned c) {           \
    return xcc::cuda::detail::by_halves<std::int16_t>(                         \
        xcc::cuda::detail::name<std::int16_t>, a, b, c);                       \
  }                                                                            \
  inline unsigned name##_s16x2_relu(unsigned a, unsigned b, unsigned c) {      \
    return xcc::cuda::detail::by_halves<std::int16_t>(                         \
        [](std::int16_t x, std::int16_t y, std::int16_t z) {                   \
          return xcc::cuda::detail::larger(xcc::cuda::detail::name(x, y, z),   \
                                           std::int16_t(0));                   \
        },                                                                     \
        a, b, c);                                                              \
  }                                                                            \
  inline unsigned name##_u16x2(unsigned a, unsigned b, unsigned c) {           \
    return xcc::cuda::detail::by_halves<std::uint16_t>(                        \
        xcc::cuda::detail::name<std::uint16_t>, a, b, c);                      \
  }
XCC_CUDA_DPX_OF_THREE(__viaddmax, larger(wrapped_sum(a, b), c))
XCC_CUDA_DPX_OF_THREE(__viaddmin, smaller(wrapped_sum(a, b), c))
XCC_CUDA_DPX_OF_THREE(__vimax3, larger(larger(a, b), c))
XCC_CUDA_DPX_OF_THREE(__vimin3, smaller(smaller(a, b), c))
#undef XCC_CUDA_DPX_OF_THREE

inline int __vimax_s32_relu(int a, int b) { return __vimax3_s32(a, b, 0); }
inline int __vimin_s32_relu(int a, int b) { return __vimin3_s32_relu(a, b, b); }
inline unsigned __vimax_s16x2_relu(unsigned a, unsigned b) {
  return __vimax3_s16x2(a, b, 0);
}
inline unsigned __vimin_s16x2_relu(unsigned a, unsigned b) {
  return __vimin3_s16x2_relu(a, b, b);
}

// The larger or smaller of two, and whether that is the first.
#define XCC_CUDA_DPX_WITH_FLAG(name, pick, op)                                 \
  inline int name##_s32(int a, int b, bool *first) {                           \
    *first = a op b;                                                           \
    return xcc::cuda::detail::pick(a, b);                                      \
  }                                                                            \
  inline unsigned name##_u32(unsigned a, unsigned b, bool *first) {            \
    *first = a op b;                                                           \
    return xcc::cuda::detail::pick(a, b);                                      \
  }                                                                            \
  inline unsigned name##_s16x2(unsigned a, unsigned b, bool *high,             \
                               bool *low) {                                    \
    *high = std::int16_t(a >> 16) op std::int16_t(b >> 16);                    \
    *low = std::int16_t(a & 0xffff) op std::int16_t(b & 0xffff);               \
    return xcc::cuda::detail::by_halves<std::int16_t>(                         \
        xcc::cuda::detail::pick<std::int16_t>, a, b);                          \
  }                                                                            \
  inline unsigned name##_u16x2(unsigned a, unsigned b, bool *high,             \
                               bool *low) {                                    \
    *high = a >> 16 op b >> 16;                                                \
    *low = (a & 0xffff) op(b & 0xffff);                                        \
    return xcc::cuda::detail::by_halves<std::uint16_t>(                        \
        xcc::cuda::detail::pick<std::uint16_t>, a, b);                         \
  }
XCC_CUDA_DPX_WITH_FLAG(__vibmax, larger, >=)
XCC_CUDA_DPX_WITH_FLAG(__vibmin, smaller, <=)
#undef XCC_CUDA_DPX_WITH_FLAG

#endif // XCC_CUDA_DPX_H
