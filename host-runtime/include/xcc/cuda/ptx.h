// What instructions of inline PTX do, on every device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler writes calls of these in the place of an asm statement
// (-foffload-cuda, xcc-cudaify; frontend/cuda/PtxTranslator.cpp). An instruction
// is a function of its name; its type is the argument of the template. After the
// PTX ISA: additions wrap, and shifts by more than a type's width are clamped.

#ifndef XCC_CUDA_PTX_H
#define XCC_CUDA_PTX_H

#include <xcc/cuda/atomics.h>
#include <xcc/cuda/numbers.h>
#include <xcc/cuda/simd.h>
#include <xcc/cuda/threads.h>
#include <xcc/fast.h>

#include <cmath>
#include <cstdint>
#include <type_traits>

#ifdef __XCC__
namespace xcc::cuda::ptx {

//===-- Registers: bits that have the size of a type ----------------------===//

template <class To, class From> inline To get(const From &from) {
  if constexpr (sizeof(To) == sizeof(From)) {
    To to;
    __builtin_memcpy(&to, &from, sizeof to);
    return to;
  } else if constexpr (std::is_pointer_v<From>) {
    return static_cast<To>(reinterpret_cast<std::uintptr_t>(from));
  } else {
    return static_cast<To>(from);
  }
}
template <class To, class From> inline void put(To &to, const From &from) {
  to = get<std::remove_cv_t<To>>(from);
}

/// Two registers as one, and the halves of one.
template <class Whole, class Half> inline Whole joined(Half low, Half high) {
  return Whole(Whole(high) << (sizeof(Half) * 8) | Whole(low));
}
template <class Half, class Whole> inline Half low_half(Whole of) {
  return static_cast<Half>(of);
}
template <class Half, class Whole> inline Half high_half(Whole of) {
  return static_cast<Half>(of >> (sizeof(Half) * 8));
}

/// The unsigned type of a type's size.
template <class Type, bool = std::is_integral_v<Type>> struct bits {
  using type = std::make_unsigned_t<Type>;
};
template <class Type> struct bits<Type, false> {
  using type =
      std::conditional_t<sizeof(Type) == 4, unsigned, unsigned long long>;
};
template <> struct bits<bool, true> {
  using type = bool;
};
template <class Type> using bits_t = typename bits<Type>::type;
template <class Type> inline constexpr unsigned width = sizeof(Type) * 8;

/// The type of a product that is wide.
template <class Type>
using wide_t = std::conditional_t<
    sizeof(Type) == 2,
    std::conditional_t<std::is_signed_v<Type>, int, unsigned>,
    std::conditional_t<std::is_signed_v<Type>, long long, unsigned long long>>;

//===-- Arithmetic --------------------------------------------------------===//

template <class Type> inline Type mov_(Type a) { return a; }
template <class Type> inline Type cvta_(Type a) { return a; }
// Of unsigned types, since additions wrap.
#define XCC_PTX_WRAPS(name, sign)                                              \
  template <class Type> inline Type name##_(Type a, Type b) {                  \
    if constexpr (std::is_integral_v<Type>)                                    \
      return Type(bits_t<Type>(a) sign bits_t<Type>(b));                       \
    else                                                                       \
      return a sign b;                                                         \
  }
XCC_PTX_WRAPS(add, +)
XCC_PTX_WRAPS(sub, -)
#undef XCC_PTX_WRAPS
template <class Type> inline Type mul_lo_(Type a, Type b) {
  using wide = std::conditional_t<sizeof(Type) < 4, unsigned, bits_t<Type>>;
  return Type(wide(a) * wide(b));
}
template <class Type> inline Type mul_(Type a, Type b) {
  if constexpr (std::is_integral_v<Type>)
    return mul_lo_(a, b);
  else
    return a * b;
}
template <class Type> inline Type mul_hi_(Type a, Type b) {
  if constexpr (sizeof(Type) < 8) {
    return Type((wide_t<Type>(a) * wide_t<Type>(b)) >> width<Type>);
  } else {
    using whole =
        std::conditional_t<std::is_signed_v<Type>, __int128, unsigned __int128>;
    return Type((whole(a) * whole(b)) >> 64);
  }
}
template <class Type> inline wide_t<Type> mul_wide_(Type a, Type b) {
  return wide_t<Type>(a) * wide_t<Type>(b);
}
template <class Type> inline Type mul24_lo_(Type a, Type b) {
  const auto part = [](Type of) { // of 24 bits
    return std::is_signed_v<Type> ? Type(int(unsigned(of) << 8) >> 8)
                                  : Type(unsigned(of) & 0xffffff);
  };
  return mul_lo_(part(a), part(b));
}
template <class Type> inline Type mad_lo_(Type a, Type b, Type c) {
  return add_(mul_lo_(a, b), c);
}
template <class Type> inline Type mad_hi_(Type a, Type b, Type c) {
  return add_(mul_hi_(a, b), c);
}
template <class Type>
inline wide_t<Type> mad_wide_(Type a, Type b, wide_t<Type> c) {
  return add_(mul_wide_(a, b), c);
}
template <class Type> inline Type fma_(Type a, Type b, Type c) {
  return std::fma(a, b, c);
}
template <class Type> inline Type mad_(Type a, Type b, Type c) {
  return std::fma(a, b, c);
}
template <class Type> inline Type div_(Type a, Type b) { return a / b; }
template <class Type> inline Type rem_(Type a, Type b) { return a % b; }
template <class Type> inline Type min_(Type a, Type b) {
  if constexpr (std::is_integral_v<Type>)
    return b < a ? b : a;
  else
    return std::fmin(a, b);
}
template <class Type> inline Type max_(Type a, Type b) {
  if constexpr (std::is_integral_v<Type>)
    return a < b ? b : a;
  else
    return std::fmax(a, b);
}
template <class Type> inline Type neg_(Type a) {
  if constexpr (std::is_integral_v<Type>)
    return Type(0 - bits_t<Type>(a));
  else
    return -a;
}
template <class Type> inline Type abs_(Type a) {
  if constexpr (std::is_integral_v<Type>)
    return a < 0 ? neg_(a) : a;
  else
    return std::fabs(a);
}
template <class Type> inline Type sad_(Type a, Type b, Type c) {
  return add_(c, a < b ? sub_(b, a) : sub_(a, b));
}
template <class Type> inline Type dp4a_(Type a, Type b, Type c) {
  return __dp4a(a, b, c);
}
template <class Type> inline Type selp_(Type a, Type b, bool which) {
  return which ? a : b;
}
template <class Type> inline Type copysign_(Type sign, Type of) {
  return std::copysign(of, sign);
}

// The compiler makes a variable of the carry, in each function that computes with
// it, and inlines functions that pass it on (backend/link/Carries.h).
/// The carry of the last instruction such as add.cc.
extern "C" unsigned __xcc_carry_read() noexcept;
extern "C" void __xcc_carry_write(unsigned carry) noexcept;

/// The last bit out of an addition is kept, and a borrow of a subtraction.
template <class Type>
inline Type add_carry(Type a, Type b, unsigned &carry, bool reads, bool sets) {
  using word = bits_t<Type>;
  const word in = reads ? word(carry) : word(0), first = word(a) + word(b);
  const word sum = first + in;
  if (sets)
    carry = (first < word(a)) | (sum < first);
  return Type(sum);
}
template <class Type>
inline Type sub_carry(Type a, Type b, unsigned &carry, bool reads, bool sets) {
  using word = bits_t<Type>;
  const word in = reads ? word(carry) : word(0), first = word(a) - word(b);
  if (sets)
    carry = (word(a) < word(b)) | (first < in);
  return Type(first - in);
}
template <class Type>
inline Type mad_lo_carry(Type a, Type b, Type c, unsigned &carry, bool reads,
                         bool sets) {
  return add_carry(mul_lo_(a, b), c, carry, reads, sets);
}
template <class Type>
inline Type mad_hi_carry(Type a, Type b, Type c, unsigned &carry, bool reads,
                         bool sets) {
  return add_carry(mul_hi_(a, b), c, carry, reads, sets);
}

// Approximate functions, which may be more exact here.
template <class Type> inline Type rcp_(Type a) { return Type(1) / a; }
template <class Type> inline Type sqrt_(Type a) { return std::sqrt(a); }
template <class Type> inline Type rsqrt_(Type a) {
  return Type(1) / std::sqrt(a);
}
template <class Type> inline Type ex2_(Type a) { return std::exp2(a); }
template <class Type> inline Type lg2_(Type a) { return std::log2(a); }
template <class Type> inline Type sin_(Type a) { return std::sin(a); }
template <class Type> inline Type cos_(Type a) { return std::cos(a); }
template <class Type> inline Type tanh_(Type a) { return std::tanh(a); }
} // namespace xcc::cuda::ptx
#endif // __XCC__
#include <xcc/cuda/ptx_half.h>
#ifdef __XCC__
namespace xcc::cuda::ptx {

//===-- Bits --------------------------------------------------------------===//

#define XCC_PTX_LOGIC(name, sign)                                              \
  template <class Type> inline Type name##_(Type a, Type b) {                  \
    return get<Type>(                                                          \
        bits_t<Type>(get<bits_t<Type>>(a) sign get<bits_t<Type>>(b)));         \
  }
XCC_PTX_LOGIC(and, &)
XCC_PTX_LOGIC(or, |)
XCC_PTX_LOGIC(xor, ^)
#undef XCC_PTX_LOGIC
template <class Type> inline Type not_(Type a) {
  if constexpr (std::is_same_v<Type, bool>)
    return !a;
  else
    return Type(~a);
}
template <class Type> inline Type shl_(Type a, unsigned by) {
  return by < width<Type> ? Type(bits_t<Type>(a) << by) : Type(0);
}
template <class Type> inline Type shr_(Type a, unsigned by) {
  return by < width<Type> ? Type(a >> by) : Type(a < 0 ? -1 : 0);
}
template <class Type> inline unsigned popc_(Type a) {
  return unsigned(__builtin_popcountll(bits_t<Type>(a)));
}
template <class Type> inline unsigned clz_(Type a) {
  const bits_t<Type> word = bits_t<Type>(a);
  return word ? unsigned(__builtin_clzll(word)) - (64 - width<Type>)
              : width<Type>;
}
template <class Type> inline Type brev_(Type a) {
  if constexpr (sizeof(Type) == 4)
    return Type(__builtin_bitreverse32(bits_t<Type>(a)));
  else
    return Type(__builtin_bitreverse64(bits_t<Type>(a)));
}
/// Where the highest bit is that differs from the sign; ~0u if none does.
template <class Type> inline unsigned bfind_(Type a) {
  const Type word = a < 0 ? Type(~a) : a;
  return word ? width<Type> - 1 - clz_(word) : ~0u;
}
template <class Type> inline Type bfe_(Type a, unsigned from, unsigned many) {
  from &= 0xff, many &= 0xff;
  if (!many)
    return 0;
  const unsigned last =
      from + many - 1 < width<Type> ? from + many - 1 : width<Type> - 1;
  const bool negative = std::is_signed_v<Type> && ((a >> last) & 1);
  const bits_t<Type> part =
      from < width<Type> ? bits_t<Type>(bits_t<Type>(a) >> from) : 0;
  const bits_t<Type> mask = many < width<Type>
                                ? bits_t<Type>((bits_t<Type>(1) << many) - 1)
                                : bits_t<Type>(~bits_t<Type>(0));
  // Bits behind the word are the sign's.
  const unsigned there = from < width<Type> ? width<Type> - from : 0;
  bits_t<Type> made = part & mask;
  if (negative && there < width<Type>)
    made |= bits_t<Type>(~bits_t<Type>(0)) << there;
  if (negative)
    made |= bits_t<Type>(~mask);
  return Type(made);
}
template <class Type>
inline Type bfi_(Type part, Type into, unsigned at, unsigned many) {
  at &= 0xff, many &= 0xff;
  if (at >= width<Type>)
    return into;
  const bits_t<Type> mask =
      (many < width<Type> ? bits_t<Type>((bits_t<Type>(1) << many) - 1)
                          : bits_t<Type>(~bits_t<Type>(0)))
      << at;
  return Type((bits_t<Type>(into) & bits_t<Type>(~mask)) |
              ((bits_t<Type>(part) << at) & mask));
}
template <class Type> inline Type prmt_(Type a, Type b, unsigned how) {
  // With the bit of 8, a byte is the sign of the one chosen.
  const auto all = std::uint64_t(unsigned(b)) << 32 | unsigned(a);
  unsigned made = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned which = how >> (4 * i) & 15;
    unsigned byte = unsigned(all >> (8 * (which & 7))) & 0xff;
    if (which & 8)
      byte = byte & 0x80 ? 0xff : 0;
    made |= byte << (8 * i);
  }
  return Type(made);
}
template <class Type> inline Type lop3_(Type a, Type b, Type c, unsigned how) {
  unsigned made = 0;
  const unsigned x = unsigned(a), y = unsigned(b), z = unsigned(c);
  for (unsigned i = 0; i < 8; ++i)
    if (how >> i & 1)
      made |= (i & 4 ? x : ~x) & (i & 2 ? y : ~y) & (i & 1 ? z : ~z);
  return Type(made);
}
inline std::uint64_t pair_of(unsigned low, unsigned high) {
  return std::uint64_t(high) << 32 | low;
}
template <class Type> inline Type shf_l_wrap_(Type low, Type high, unsigned n) {
  return Type((pair_of(low, high) << (n & 31)) >> 32);
}
template <class Type> inline Type shf_r_wrap_(Type low, Type high, unsigned n) {
  return Type(pair_of(low, high) >> (n & 31));
}
template <class Type>
inline Type shf_l_clamp_(Type low, Type high, unsigned n) {
  return n < 32 ? shf_l_wrap_(low, high, n) : low;
}
template <class Type>
inline Type shf_r_clamp_(Type low, Type high, unsigned n) {
  return n < 32 ? shf_r_wrap_(low, high, n) : high;
}

//===-- Conversions -------------------------------------------------------===//

/// To an integer, beyond its range the nearest, and 0 for what is no number.
template <class To, class From> inline To to_integer(From whole) {
  if constexpr (std::is_integral_v<From>) {
    return static_cast<To>(whole);
  } else {
    const From least = From(
        std::is_signed_v<To> ? To(bits_t<To>(1) << (width<To> - 1)) : To(0));
    const From above =
        std::ldexp(From(1), int(width<To>) - (std::is_signed_v<To> ? 1 : 0));
    return whole != whole  ? To(0)
           : whole < least ? To(least)
           : whole >= above
               ? To(std::is_signed_v<To> ? bits_t<To>(~bits_t<To>(0)) >> 1
                                         : bits_t<To>(~bits_t<To>(0)))
               : static_cast<To>(whole);
  }
}
#define XCC_PTX_CONVERSION(name, whole)                                        \
  template <class To, class From> inline To cvt_##name(From of) {              \
    if constexpr (std::is_floating_point_v<From>) {                            \
      const From made = whole;                                                 \
      if constexpr (std::is_integral_v<To>)                                    \
        return to_integer<To>(made);                                           \
      else                                                                     \
        return static_cast<To>(made);                                          \
    } else {                                                                   \
      return static_cast<To>(of);                                              \
    }                                                                          \
  }
XCC_PTX_CONVERSION(none, of)
XCC_PTX_CONVERSION(rn, of)
XCC_PTX_CONVERSION(rni, std::nearbyint(of))
XCC_PTX_CONVERSION(rzi, std::trunc(of))
XCC_PTX_CONVERSION(rmi, std::floor(of))
XCC_PTX_CONVERSION(rpi, std::ceil(of))
#undef XCC_PTX_CONVERSION

//===-- Memory ------------------------------------------------------------===//

template <class Type> inline Type *pointer(unsigned long long at) {
  return reinterpret_cast<Type *>(static_cast<std::uintptr_t>(at));
}
template <class Type> inline Type load_plain(unsigned long long at) {
  return *pointer<const Type>(at);
}
template <class Type>
inline void store_plain(unsigned long long at, Type value) {
  *pointer<Type>(at) = value;
}
#define XCC_PTX_ACCESS(name, load, store)                                      \
  template <class Type> inline Type load_##name(unsigned long long at) {       \
    Type value;                                                                \
    __atomic_load(pointer<Type>(at), &value, load);                            \
    return value;                                                              \
  }                                                                            \
  template <class Type>                                                        \
  inline void store_##name(unsigned long long at, Type value) {                \
    __atomic_store(pointer<Type>(at), &value, store);                          \
  }
XCC_PTX_ACCESS(relaxed, __ATOMIC_RELAXED, __ATOMIC_RELAXED)
XCC_PTX_ACCESS(ordered, __ATOMIC_ACQUIRE, __ATOMIC_RELEASE)
#undef XCC_PTX_ACCESS

template <class Type, class Change>
inline Type atom(unsigned long long at, Change change) {
  Type old = load_relaxed<Type>(at);
  for (;;) {
    Type made = change(old);
    if (__atomic_compare_exchange(pointer<Type>(at), &old, &made, true,
                                  __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
      return old;
  }
}
template <class Type> inline Type atom_add(unsigned long long at, Type by) {
  if constexpr (std::is_integral_v<Type>)
    return __atomic_fetch_add(pointer<Type>(at), by, __ATOMIC_SEQ_CST);
  else
    return atomicAdd(pointer<Type>(at), by);
}
template <class Type> inline Type atom_exch(unsigned long long at, Type value) {
  Type old;
  __atomic_exchange(pointer<Type>(at), &value, &old, __ATOMIC_SEQ_CST);
  return old;
}
template <class Type>
inline Type atom_cas(unsigned long long at, Type expected, Type value) {
  __atomic_compare_exchange(pointer<Type>(at), &expected, &value, false,
                            __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  return expected;
}
#define XCC_PTX_ATOMIC(name, made)                                             \
  template <class Type>                                                        \
  inline Type atom_##name(unsigned long long at, Type by) {                    \
    return atom<Type>(at, [by](Type old) { return Type(made); });              \
  }
XCC_PTX_ATOMIC(min, by < old ? by : old)
XCC_PTX_ATOMIC(max, old < by ? by : old)
XCC_PTX_ATOMIC(and, old &by)
XCC_PTX_ATOMIC(or, old | by)
XCC_PTX_ATOMIC(xor, old ^ by)
XCC_PTX_ATOMIC(inc, old >= by ? 0 : old + 1)
XCC_PTX_ATOMIC(dec, old == 0 || old > by ? by : old - 1)
#undef XCC_PTX_ATOMIC

//===-- Threads, warps and blocks -----------------------------------------===//

inline unsigned laneid() { return xcc::cuda::detail::rank() % 32; }
inline unsigned warpid() { return xcc::cuda::detail::rank() / 32; }
inline unsigned lanemask_eq() { return 1u << laneid(); }
inline unsigned lanemask_lt() { return lanemask_eq() - 1; }
inline unsigned lanemask_le() { return lanemask_lt() | lanemask_eq(); }
inline unsigned lanemask_gt() { return ~lanemask_le(); }
inline unsigned lanemask_ge() { return ~lanemask_lt(); }
inline std::uint64_t clock64() { return xcc::clock64(); }
inline unsigned clock() { return unsigned(xcc::clock64()); }
inline unsigned clock_hi() { return unsigned(xcc::clock64() >> 32); }
#define XCC_PTX_INDEX(name, function)                                          \
  inline unsigned name##_x() { return xcc::cuda::detail::function().x; }       \
  inline unsigned name##_y() { return xcc::cuda::detail::function().y; }       \
  inline unsigned name##_z() { return xcc::cuda::detail::function().z; }
XCC_PTX_INDEX(tid, thread_idx)
XCC_PTX_INDEX(ntid, block_dim)
XCC_PTX_INDEX(ctaid, block_idx)
XCC_PTX_INDEX(nctaid, grid_dim)
#undef XCC_PTX_INDEX

[[clang::convergent]] inline unsigned activemask() { return __activemask(); }
[[clang::convergent]] inline bool vote_any(bool value, unsigned mask) {
  return __any_sync(mask, value);
}
[[clang::convergent]] inline bool vote_all(bool value, unsigned mask) {
  return __all_sync(mask, value);
}
[[clang::convergent]] inline unsigned vote_ballot(bool value, unsigned mask) {
  return __ballot_sync(mask, value);
}
/// The upper byte of a shuffle's bounds has the segments' mask.
inline int segment(unsigned bounds) { return int(32 - (bounds >> 8 & 31)); }
[[clang::convergent]] inline unsigned shfl_up(XCC_MAYBE_UNSET unsigned value,
                                              unsigned by, unsigned bounds,
                                              unsigned mask) {
  return __shfl_up_sync(mask, value, by, segment(bounds));
}
[[clang::convergent]] inline unsigned shfl_down(XCC_MAYBE_UNSET unsigned value,
                                                unsigned by, unsigned bounds,
                                                unsigned mask) {
  return __shfl_down_sync(mask, value, by, segment(bounds));
}
[[clang::convergent]] inline unsigned shfl_bfly(XCC_MAYBE_UNSET unsigned value,
                                                unsigned by, unsigned bounds,
                                                unsigned mask) {
  return __shfl_xor_sync(mask, value, int(by), segment(bounds));
}
[[clang::convergent]] inline unsigned shfl_idx(XCC_MAYBE_UNSET unsigned value,
                                               unsigned lane, unsigned bounds,
                                               unsigned mask) {
  return __shfl_sync(mask, value, int(lane), segment(bounds));
}
[[clang::convergent]] inline void bar_sync() { xcc::sync_block(); }
[[clang::convergent]] inline void bar_warp_sync(unsigned mask) {
  __syncwarp(mask);
}
inline void fence_block() { __threadfence_block(); }
inline void fence_device() { __threadfence(); }
inline void fence_system() { __threadfence_system(); }

} // namespace xcc::cuda::ptx
#endif

#endif // XCC_CUDA_PTX_H
