// x86's shifts of vectors
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A count of at least the element's width gives zeros for left and unsigned
// right shifts, and copies of the sign for signed right shifts.

#include "vectors.h"

namespace {

template <class V>
[[gnu::always_inline]] inline V left(V a, unsigned long long count) {
  return count < Bits<Element<V>> ? a << Element<V>(count) : V{};
}
template <class V>
[[gnu::always_inline]] inline V right(V a, unsigned long long count) {
  using Unsigned = Vector<__make_unsigned(Element<V>), Size<V>>;
  return count < Bits<Element<V>>
             ? bits<V>(bits<Unsigned>(a) >> Element<V>(count))
             : V{};
}
template <class V>
[[gnu::always_inline]] inline V signedRight(V a, unsigned long long count) {
  unsigned most = Bits<Element<V>> - 1;
  return a >> Element<V>(count < most ? count : most);
}

} // namespace

// The count is the lower half of a vector, an immediate or an int.
#define SHIFT(name, letter, how, V128, V256)                                   \
  X86 V128 __xcc_ia32_##name##letter##128(V128 a, V128 count) {                \
    return how(a, bits<V2uq>(count)[0]);                                       \
  }                                                                            \
  X86 V256 __xcc_ia32_##name##letter##256(V256 a, V128 count) {                \
    return how(a, bits<V2uq>(count)[0]);                                       \
  }                                                                            \
  X86 V128 __xcc_ia32_##name##letter##i128(V128 a, int count) {                \
    return how(a, unsigned(count));                                            \
  }                                                                            \
  X86 V256 __xcc_ia32_##name##letter##i256(V256 a, int count) {                \
    return how(a, unsigned(count));                                            \
  }
SHIFT(psll, w, left, V8s, V16s)
SHIFT(psll, d, left, V4i, V8i)
SHIFT(psll, q, left, V2q, V4q)
SHIFT(psrl, w, right, V8s, V16s)
SHIFT(psrl, d, right, V4i, V8i)
SHIFT(psrl, q, right, V2q, V4q)
SHIFT(psra, w, signedRight, V8s, V16s)
SHIFT(psra, d, signedRight, V4i, V8i)

// Shift each element by its own count.
#define SHIFT_EACH(name, V, U, ...)                                            \
  X86 V __xcc_ia32_##name(V a, V count) {                                      \
    return each<V>([&](int i) {                                                \
      U n = U(count[i]);                                                       \
      return Element<V>(__VA_ARGS__);                                          \
    });                                                                        \
  }
#define SHIFT_EACH_OF(suffix32, suffix64, V32, V64)                            \
  SHIFT_EACH(psllv##suffix32, V32, unsigned, n < 32 ? U32(a[i]) << n : 0)      \
  SHIFT_EACH(psrlv##suffix32, V32, unsigned, n < 32 ? U32(a[i]) >> n : 0)      \
  SHIFT_EACH(psrav##suffix32, V32, unsigned, a[i] >> (n < 32 ? n : 31))        \
  SHIFT_EACH(psllv##suffix64, V64, U64, n < 64 ? U64(a[i]) << n : 0)           \
  SHIFT_EACH(psrlv##suffix64, V64, U64, n < 64 ? U64(a[i]) >> n : 0)
SHIFT_EACH_OF(4si, 2di, V4i, V2q)
SHIFT_EACH_OF(8si, 4di, V8i, V4q)
