// x86's instructions on single numbers
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vectors.h"

namespace {

template <class T> T extract(T a, T how) {
  unsigned start = how & 255, length = how >> 8 & 255;
  if (start >= Bits<T>)
    return 0;
  a >>= start;
  return length < Bits<T> ? a & ((T(1) << length) - 1) : a;
}
template <class T> T below(T a, T where) {
  unsigned length = where & 255;
  return length < Bits<T> ? a & ((T(1) << length) - 1) : a;
}

/// Moves the lower bits of a, in order, to the positions of the mask's set
/// bits.
template <class T> T deposit(T a, T mask) {
  T result = 0;
  for (; mask; mask &= mask - 1, a >>= 1)
    if (a & 1)
      result |= mask & -mask;
  return result;
}
template <class T> T gatherBits(T a, T mask) {
  T result = 0;
  for (T bit = 1; mask; mask &= mask - 1, bit <<= 1)
    if (a & mask & -mask)
      result |= bit;
  return result;
}

/// CRC-32C, starting with the lowest byte.
template <class T> U32 crc(U32 sum, T data) {
  U64 value = data ^ sum;
  for (unsigned i = 0; i < Bits<T>; ++i)
    value = value >> 1 ^ (value & 1 ? 0x82f63b78 : 0);
  // If data is narrower than the sum, the rest of the sum remains.
  return U32(value);
}

} // namespace

X86 U32 __xcc_ia32_bextr_u32(U32 a, U32 how) { return extract(a, how); }
X86 U64 __xcc_ia32_bextr_u64(U64 a, U64 how) { return extract(a, how); }
X86 U32 __xcc_ia32_bzhi_si(U32 a, U32 where) { return below(a, where); }
X86 U64 __xcc_ia32_bzhi_di(U64 a, U64 where) { return below(a, where); }
X86_CALL U32 __xcc_ia32_pdep_si(U32 a, U32 mask) { return deposit(a, mask); }
X86_CALL U64 __xcc_ia32_pdep_di(U64 a, U64 mask) { return deposit(a, mask); }
X86_CALL U32 __xcc_ia32_pext_si(U32 a, U32 mask) { return gatherBits(a, mask); }
X86_CALL U64 __xcc_ia32_pext_di(U64 a, U64 mask) { return gatherBits(a, mask); }

X86_CALL U32 __xcc_ia32_crc32qi(U32 sum, unsigned char data) {
  return crc(sum, data);
}
X86_CALL U32 __xcc_ia32_crc32hi(U32 sum, unsigned short data) {
  return crc(sum, data);
}
X86_CALL U32 __xcc_ia32_crc32si(U32 sum, U32 data) { return crc(sum, data); }
X86_CALL U64 __xcc_ia32_crc32di(U64 sum, U64 data) {
  return crc(U32(sum), data);
}

#define CARRY(T, suffix)                                                       \
  X86 unsigned char __xcc_ia32_addcarryx_##suffix(unsigned char carry, T a,    \
                                                  T b, T *sum) {               \
    T first;                                                                   \
    bool over = __builtin_add_overflow(a, b, &first);                          \
    return over | __builtin_add_overflow(first, T(carry != 0), sum);           \
  }                                                                            \
  X86 unsigned char __xcc_ia32_subborrow_##suffix(unsigned char borrow, T a,   \
                                                  T b, T *difference) {        \
    T first;                                                                   \
    bool under = __builtin_sub_overflow(a, b, &first);                         \
    return under | __builtin_sub_overflow(first, T(borrow != 0), difference);  \
  }
CARRY(U32, u32)
CARRY(U64, u64)

/// Carry-less multiplication: of polynomials over GF(2).
template <class V> static V multiplyCarryless(V a, V b, char which) {
  V result;
  for (int lane = 0; lane < Size<V>; lane += 2) {
    U64 x = U64(a[lane + (which & 1)]), y = U64(b[lane + (which >> 4 & 1)]);
    U64 low = 0, high = 0;
    for (int i = 0; i < 64; ++i)
      if (y >> i & 1) {
        low ^= x << i;
        high ^= i ? x >> (64 - i) : 0;
      }
    result[lane] = I64(low);
    result[lane + 1] = I64(high);
  }
  return result;
}
X86_CALL V2q __xcc_ia32_pclmulqdq128(V2q a, V2q b, char which) {
  return multiplyCarryless(a, b, which);
}
X86_CALL V4q __xcc_ia32_pclmulqdq256(V4q a, V4q b, char which) {
  return multiplyCarryless(a, b, which);
}

// Count leading and trailing zeros; the operand may be 0.
#define ZEROS(suffix, T)                                                       \
  X86 T __xcc_ia32_lzcnt_##suffix(T a) {                                       \
    return a ? T(__builtin_clzg(a)) : T(Bits<T>);                              \
  }                                                                            \
  X86 T __xcc_ia32_tzcnt_##suffix(T a) {                                       \
    return a ? T(__builtin_ctzg(a)) : T(Bits<T>);                              \
  }
using U16 = unsigned short;
ZEROS(u16, U16)
ZEROS(u32, U32)
ZEROS(u64, U64)

/// Reports that no instructions beyond the program's target are available.
X86 int __xcc_ia32_supports(const char *) { return 0; }
X86 int __xcc_ia32_is(const char *) { return 0; }
X86 void __xcc_ia32_init() {}
