// atomicAdd and its like
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Relaxed, as CUDA's are, and templates: a program's own function for one type
// goes before. Those that end in _system are not there, since what the host
// updates too is another matter on GPUs (docs/language.md).

#ifndef XCC_CUDA_ATOMICS_H
#define XCC_CUDA_ATOMICS_H

#include <type_traits>

namespace xcc::cuda::detail {
template <class Type> struct same {
  using type = Type;
};
/// Not deduced: atomicAdd(&an_unsigned, 1).
template <class Type> using same_t = typename same<Type>::type;

/// The old value; `change` computes the new one of it.
template <class Type, class Change>
inline Type update_any(Type *at, const Change &change) {
  Type old, next;
  __atomic_load(at, &old, __ATOMIC_RELAXED);
  do
    next = change(old);
  while (!__atomic_compare_exchange(at, &old, &next, true, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED));
  return old;
}
template <class Type, class Change>
inline Type update(Type *at, const Change &change) {
  static_assert(sizeof(Type) == 4 || sizeof(Type) == 8,
                "atomic operations are on 4 or 8 bytes");
  return update_any(at, change);
}
} // namespace xcc::cuda::detail

template <class Type>
inline Type atomicAdd(Type *at, xcc::cuda::detail::same_t<Type> value) {
  static_assert(std::is_arithmetic_v<Type>, "atomicAdd adds numbers");
#ifdef __clang__
  return __atomic_fetch_add(at, value, __ATOMIC_RELAXED);
#else
  return xcc::cuda::detail::update(at,
                                   [=](Type old) { return Type(old + value); });
#endif
}
template <class Type>
inline Type atomicSub(Type *at, xcc::cuda::detail::same_t<Type> value) {
  static_assert(std::is_arithmetic_v<Type>, "atomicSub subtracts numbers");
#ifdef __clang__
  return __atomic_fetch_sub(at, value, __ATOMIC_RELAXED);
#else
  return xcc::cuda::detail::update(at,
                                   [=](Type old) { return Type(old - value); });
#endif
}
template <class Type>
inline Type atomicExch(Type *at, xcc::cuda::detail::same_t<Type> value) {
  Type old;
  __atomic_exchange(at, &value, &old, __ATOMIC_RELAXED);
  return old;
}
/// The old value, which is `expected` if that was exchanged.
template <class Type>
inline Type atomicCAS(Type *at, xcc::cuda::detail::same_t<Type> expected,
                      xcc::cuda::detail::same_t<Type> value) {
  __atomic_compare_exchange(at, &expected, &value, false, __ATOMIC_RELAXED,
                            __ATOMIC_RELAXED);
  return expected;
}
template <class Type>
inline Type atomicMin(Type *at, xcc::cuda::detail::same_t<Type> value) {
#ifdef __clang__
  if constexpr (std::is_integral_v<Type>)
    return __atomic_fetch_min(at, value, __ATOMIC_RELAXED);
  else
#endif
    return xcc::cuda::detail::update(
        at, [=](Type old) { return value < old ? value : old; });
}
template <class Type>
inline Type atomicMax(Type *at, xcc::cuda::detail::same_t<Type> value) {
#ifdef __clang__
  if constexpr (std::is_integral_v<Type>)
    return __atomic_fetch_max(at, value, __ATOMIC_RELAXED);
  else
#endif
    return xcc::cuda::detail::update(
        at, [=](Type old) { return old < value ? value : old; });
}
template <class Type>
inline Type atomicAnd(Type *at, xcc::cuda::detail::same_t<Type> value) {
  return __atomic_fetch_and(at, value, __ATOMIC_RELAXED);
}
template <class Type>
inline Type atomicOr(Type *at, xcc::cuda::detail::same_t<Type> value) {
  return __atomic_fetch_or(at, value, __ATOMIC_RELAXED);
}
template <class Type>
inline Type atomicXor(Type *at, xcc::cuda::detail::same_t<Type> value) {
  return __atomic_fetch_xor(at, value, __ATOMIC_RELAXED);
}
/// Counts up to `last`, and begins again at 0.
inline unsigned atomicInc(unsigned *at, unsigned last) {
  return xcc::cuda::detail::update(
      at, [=](unsigned old) { return old >= last ? 0 : old + 1; });
}
/// Counts down to 0, and begins again at `last`.
inline unsigned atomicDec(unsigned *at, unsigned last) {
  return xcc::cuda::detail::update(at, [=](unsigned old) {
    return old == 0 || old > last ? last : old - 1;
  });
}

// Of a block, and of the whole system: the same operations.
#define XCC_CUDA_BLOCK(name)                                                   \
  template <class Type>                                                        \
  inline Type name##_block(Type *at, xcc::cuda::detail::same_t<Type> value) {  \
    return name(at, value);                                                    \
  }                                                                            \
  template <class Type>                                                        \
  inline Type name##_system(Type *at, xcc::cuda::detail::same_t<Type> value) { \
    return name(at, value);                                                    \
  }
XCC_CUDA_BLOCK(atomicAdd)
XCC_CUDA_BLOCK(atomicSub)
XCC_CUDA_BLOCK(atomicExch)
XCC_CUDA_BLOCK(atomicMin)
XCC_CUDA_BLOCK(atomicMax)
XCC_CUDA_BLOCK(atomicAnd)
XCC_CUDA_BLOCK(atomicOr)
XCC_CUDA_BLOCK(atomicXor)
#undef XCC_CUDA_BLOCK

template <class Type>
inline Type atomicCAS_block(Type *at, xcc::cuda::detail::same_t<Type> expected,
                            xcc::cuda::detail::same_t<Type> value) {
  return atomicCAS(at, expected, value);
}
template <class Type>
inline Type atomicCAS_system(Type *at, xcc::cuda::detail::same_t<Type> expected,
                             xcc::cuda::detail::same_t<Type> value) {
  return atomicCAS(at, expected, value);
}

#endif // XCC_CUDA_ATOMICS_H
