// x86's string comparison instructions (PCMPESTRI, ...)
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vectors.h"

namespace {

enum Compare { Any, Ranges, Each, Ordered };

struct Compared {
  unsigned result; ///< a bit for each element of b
  int count;       ///< the number of elements in a vector
  int lengthA, lengthB;
};

template <class V> int length(V text) {
  for (int i = 0; i < Size<V>; ++i)
    if (!text[i])
      return i;
  return Size<V>;
}
int length(int given, int most) {
  unsigned size = given < 0 ? 0u - unsigned(given) : unsigned(given);
  return size < unsigned(most) ? int(size) : most;
}

/// The result of comparing two elements of which one or both are beyond the end
/// of their string.
bool beyond(Compare how, bool endsA, bool endsB) {
  switch (how) {
  case Any:
  case Ranges:
    return false;
  case Each:
    return endsA && endsB;
  case Ordered:
    return endsA;
  }
}

/// Compares strings; V has elements of the type that \p mode selects.
template <class V> Compared compare(V a, V b, int la, int lb, int mode) {
  constexpr int n = Size<V>;
  auto how = Compare(mode >> 2 & 3);
  auto agrees = [&](int i, int j) { // whether a[i] matches b[j]
    if (i >= la || j >= lb)
      return beyond(how, i >= la, j >= lb);
    if (how == Ranges)
      return i & 1 ? b[j] <= a[i] : b[j] >= a[i];
    return a[i] == b[j];
  };
  unsigned found = 0;
  for (int j = 0; j < n; ++j) {
    bool is = how == Each ? agrees(j, j) : how == Ordered;
    if (how == Any)
      for (int i = 0; i < n; ++i)
        is |= agrees(i, j);
    else if (how == Ranges)
      for (int i = 0; i < n; i += 2)
        is |= agrees(i, j) && agrees(i + 1, j);
    else if (how == Ordered)
      for (int i = 0; i < n - j; ++i)
        is &= agrees(i, i + j);
    found |= unsigned(is) << j;
  }
  if (mode & 0x10)
    for (int j = 0; j < n; ++j)
      if (!(mode & 0x20) || j < lb)
        found ^= 1u << j;
  return {found, n, la, lb};
}

/// Compares with the given lengths, or up to the first zero.
Compared compare(V16c a, V16c b, int mode, bool given, int la, int lb) {
  auto as = [&]<class V>(V x, V y) {
    return compare(x, y, given ? length(la, Size<V>) : length(x),
                   given ? length(lb, Size<V>) : length(y), mode);
  };
  switch (mode & 3) {
  case 0:
    return as(bits<V16uc>(a), bits<V16uc>(b));
  case 1:
    return as(bits<V8us>(a), bits<V8us>(b));
  case 2:
    return as(bits<Vector<signed char, 16>>(a),
              bits<Vector<signed char, 16>>(b));
  default:
    return as(bits<V8s>(a), bits<V8s>(b));
  }
}

int index(const Compared &c, int mode) {
  if (!c.result)
    return c.count;
  return mode & 0x40 ? 31 - __builtin_clz(c.result) : __builtin_ctz(c.result);
}
V16c mask(const Compared &c, int mode) {
  if (!(mode & 0x40))
    return bits<V16c>(V4ui{c.result});
  return each<V16c>([&](int i) {
    return char(c.result >> (c.count == 16 ? i : i / 2) & 1 ? -1 : 0);
  });
}

} // namespace

#define TEXT(suffix, Result, ...)                                              \
  X86_CALL Result __xcc_ia32_pcmpestr##suffix##128(V16c a, int la, V16c b,     \
                                                   int lb, char mode) {        \
    Compared c = compare(a, b, mode, true, la, lb);                            \
    return __VA_ARGS__;                                                        \
  }                                                                            \
  X86_CALL Result __xcc_ia32_pcmpistr##suffix##128(V16c a, V16c b,             \
                                                   char mode) {                \
    Compared c = compare(a, b, mode, false, 0, 0);                             \
    return __VA_ARGS__;                                                        \
  }
TEXT(i, int, index(c, mode))
TEXT(m, V16c, mask(c, mode))
TEXT(ia, int, !c.result && c.lengthB == c.count)
TEXT(ic, int, c.result != 0)
TEXT(io, int, int(c.result & 1))
TEXT(is, int, c.lengthA < c.count)
TEXT(iz, int, c.lengthB < c.count)
