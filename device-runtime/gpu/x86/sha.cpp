// x86's instructions for SHA-1 and SHA-256
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FIPS 180-4, with the words in the order of Intel's manual: SHA-1's first word
// is in the last element, and SHA-256's state is in two halves.

#include "vectors.h"

namespace {

U32 left(U32 x, int by) { return __builtin_rotateleft32(x, by); }
U32 right(U32 x, int by) { return __builtin_rotateright32(x, by); }

U32 choose(U32 x, U32 y, U32 z) { return (x & y) ^ (~x & z); }
U32 majority(U32 x, U32 y, U32 z) { return (x & y) ^ (x & z) ^ (y & z); }
U32 sigma0(U32 x) { return right(x, 7) ^ right(x, 18) ^ x >> 3; }
U32 sigma1(U32 x) { return right(x, 17) ^ right(x, 19) ^ x >> 10; }
U32 sum0(U32 x) { return right(x, 2) ^ right(x, 13) ^ right(x, 22); }
U32 sum1(U32 x) { return right(x, 6) ^ right(x, 11) ^ right(x, 25); }

/// The function of three words, plus the constant, for a quarter of SHA-1's
/// rounds.
U32 mix(int quarter, U32 b, U32 c, U32 d) {
  switch (quarter) {
  case 0:
    return choose(b, c, d) + 0x5a827999;
  case 1:
    return (b ^ c ^ d) + 0x6ed9eba1;
  case 2:
    return majority(b, c, d) + 0x8f1bbcdc;
  default:
    return (b ^ c ^ d) + 0xca62c1d6;
  }
}

} // namespace

X86 V4i __xcc_ia32_sha1msg1(V4i a, V4i b) {
  return V4i{b[2], b[3], a[0], a[1]} ^ a;
}
X86 V4i __xcc_ia32_sha1msg2(V4i a, V4i b) {
  U32 w16 = left(U32(a[3] ^ b[2]), 1), w17 = left(U32(a[2] ^ b[1]), 1),
      w18 = left(U32(a[1] ^ b[0]), 1), w19 = left(U32(a[0]) ^ w16, 1);
  return bits<V4i>(V4ui{w19, w18, w17, w16});
}
X86 V4i __xcc_ia32_sha1nexte(V4i a, V4i b) {
  b[3] = int(U32(b[3]) + left(U32(a[3]), 30));
  return b;
}
X86_CALL V4i __xcc_ia32_sha1rnds4(V4i state, V4i words, char quarter) {
  V4ui s = bits<V4ui>(state), w = bits<V4ui>(words);
  U32 a = s[3], b = s[2], c = s[1], d = s[0], e = 0; // w[3] contains e
  for (int i = 3; i >= 0; --i) {
    U32 next = left(a, 5) + mix(quarter & 3, b, c, d) + e + w[i];
    e = d;
    d = c;
    c = left(b, 30);
    b = a;
    a = next;
  }
  return bits<V4i>(V4ui{d, c, b, a});
}

X86 V4i __xcc_ia32_sha256msg1(V4i a, V4i b) {
  V4ui w = bits<V4ui>(a);
  return bits<V4i>(
      w + V4ui{sigma0(w[1]), sigma0(w[2]), sigma0(w[3]), sigma0(U32(b[0]))});
}
X86 V4i __xcc_ia32_sha256msg2(V4i a, V4i b) {
  V4ui w = bits<V4ui>(a);
  w[0] += sigma1(U32(b[2]));
  w[1] += sigma1(U32(b[3]));
  w[2] += sigma1(w[0]);
  w[3] += sigma1(w[1]);
  return bits<V4i>(w);
}
X86_CALL V4i __xcc_ia32_sha256rnds2(V4i cdgh, V4i abef, V4i words) {
  V4ui one = bits<V4ui>(cdgh), two = bits<V4ui>(abef);
  U32 a = two[3], b = two[2], c = one[3], d = one[2];
  U32 e = two[1], f = two[0], g = one[1], h = one[0];
  for (int i = 0; i < 2; ++i) {
    U32 added = choose(e, f, g) + sum1(e) + U32(words[i]) + h;
    U32 next = added + majority(a, b, c) + sum0(a);
    h = g;
    g = f;
    f = e;
    e = d + added;
    d = c;
    c = b;
    b = a;
    a = next;
  }
  return bits<V4i>(V4ui{f, e, b, a});
}
