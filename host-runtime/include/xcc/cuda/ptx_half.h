// 16-bit floating-point numbers of inline PTX
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// f16 and f16x2 are computed with; bf16 and bf16x2 are converted from and to. Each
// operation is rounded once, to nearest.

#ifndef XCC_CUDA_PTX_HALF_H
#define XCC_CUDA_PTX_HALF_H

#ifdef __XCC__
namespace xcc::cuda::ptx {

struct f16x2 {
  _Float16 low, high;
};
inline f16x2 operator-(f16x2 a) {
  return {_Float16(-a.low), _Float16(-a.high)};
}
#define XCC_PTX_PAIR(sign)                                                     \
  inline f16x2 operator sign(f16x2 a, f16x2 b) {                               \
    return {_Float16(a.low sign b.low), _Float16(a.high sign b.high)};         \
  }
XCC_PTX_PAIR(+)
XCC_PTX_PAIR(-)
XCC_PTX_PAIR(*)
#undef XCC_PTX_PAIR

/// The upper half of a float.
class bf16 {
  unsigned short bits = 0;

public:
  bf16() = default;
  explicit bf16(float value) {
    unsigned of;
    __builtin_memcpy(&of, &value, sizeof of);
    bits =
        value != value
            ? static_cast<unsigned short>(0x7fff)
            : static_cast<unsigned short>((of + 0x7fff + (of >> 16 & 1)) >> 16);
  }
  operator float() const {
    const unsigned of = static_cast<unsigned>(bits) << 16;
    float value;
    __builtin_memcpy(&value, &of, sizeof value);
    return value;
  }
};

template <> inline _Float16 fma_(_Float16 a, _Float16 b, _Float16 c) {
  return __builtin_fmaf16(a, b, c);
}
template <> inline f16x2 fma_(f16x2 a, f16x2 b, f16x2 c) {
  return {fma_(a.low, b.low, c.low), fma_(a.high, b.high, c.high)};
}
#define XCC_PTX_HALF(name, function)                                           \
  template <> inline _Float16 name(_Float16 a, _Float16 b) {                   \
    return _Float16(function(float(a), float(b)));                             \
  }                                                                            \
  template <> inline f16x2 name(f16x2 a, f16x2 b) {                            \
    return {name(a.low, b.low), name(a.high, b.high)};                         \
  }
XCC_PTX_HALF(min_, std::fmin)
XCC_PTX_HALF(max_, std::fmax)
#undef XCC_PTX_HALF
#define XCC_PTX_HALF(name, function)                                           \
  template <> inline _Float16 name(_Float16 a) {                               \
    return _Float16(function(float(a)));                                       \
  }                                                                            \
  template <> inline f16x2 name(f16x2 a) { return {name(a.low), name(a.high)}; }
XCC_PTX_HALF(abs_, std::fabs)
XCC_PTX_HALF(ex2_, std::exp2)
XCC_PTX_HALF(tanh_, std::tanh)
#undef XCC_PTX_HALF

} // namespace xcc::cuda::ptx
#endif // __XCC__

#endif // XCC_CUDA_PTX_HALF_H
