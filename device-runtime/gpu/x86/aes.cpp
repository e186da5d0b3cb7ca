// x86's AES and GFNI instructions, which compute in the field GF(2^8)
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rounds of AES follow FIPS 197: byte i of a state is in row i % 4 of
// column i / 4. The time of an S-box lookup depends on the byte, so this is no
// protection against timing attacks.

#include "vectors.h"

namespace {

using Byte = unsigned char;

/// The product in the field: polynomials modulo x^8 + x^4 + x^3 + x + 1.
constexpr Byte multiply(unsigned a, unsigned b) {
  unsigned product = 0;
  for (; b; b >>= 1, a = a << 1 ^ (a & 0x80 ? 0x11b : 0))
    product ^= b & 1 ? a : 0;
  return Byte(product);
}
/// The inverse, a^254; 0 for 0.
constexpr Byte inverse(Byte a) {
  Byte result = 1;
  for (int bit = 7; bit >= 0; --bit) {
    result = multiply(result, result);
    if (254 >> bit & 1)
      result = multiply(result, a);
  }
  return result;
}
constexpr Byte rotateLeft(unsigned a, int by) {
  return Byte(a << by | a >> (8 - by));
}

struct Bytes {
  Byte at[256];
};
struct Boxes {
  Bytes substituted, back, inverted;
};
constexpr Boxes makeBoxes() {
  Boxes boxes = {};
  for (int i = 0; i < 256; ++i) {
    Byte b = inverse(Byte(i));
    Byte s = b ^ rotateLeft(b, 1) ^ rotateLeft(b, 2) ^ rotateLeft(b, 3) ^
             rotateLeft(b, 4) ^ 0x63;
    boxes.inverted.at[i] = b;
    boxes.substituted.at[i] = s;
    boxes.back.at[s] = Byte(i);
  }
  return boxes;
}
constexpr Boxes Known = makeBoxes();

/// Moves row r of each 16 bytes by r columns; \p direction 1 is to the left.
template <class V> V shiftRows(V state, int direction) {
  V result;
  for (int i = 0; i < Size<V>; ++i) {
    int row = i % 4, column = i / 4 % 4;
    result[i] =
        state[i / 16 * 16 + (column + direction * row + 4) % 4 * 4 + row];
  }
  return result;
}
template <class V> V substitute(V state, const Bytes &box) {
  for (int i = 0; i < Size<V>; ++i)
    state[i] = box.at[state[i]];
  return state;
}
/// Multiplies each column by the polynomial with the coefficients a, b, c, d.
template <class V> V mixColumns(V state, Byte a, Byte b, Byte c, Byte d) {
  V result;
  for (int i = 0; i < Size<V>; ++i) {
    int column = i / 4 * 4;
    auto of = [&](int row) { return state[column + (i + row) % 4]; };
    result[i] = multiply(of(0), a) ^ multiply(of(1), b) ^ multiply(of(2), c) ^
                multiply(of(3), d);
  }
  return result;
}
template <class V> V mix(V state) { return mixColumns(state, 2, 3, 1, 1); }
template <class V> V mixBack(V state) {
  return mixColumns(state, 14, 11, 13, 9);
}

template <class B, class V> V encrypt(V from, V key, bool isLast) {
  B state = substitute(shiftRows(bits<B>(from), 1), Known.substituted);
  return bits<V>(isLast ? state : mix(state)) ^ key;
}
template <class B, class V> V decrypt(V from, V key, bool isLast) {
  B state = substitute(shiftRows(bits<B>(from), -1), Known.back);
  return bits<V>(isLast ? state : mixBack(state)) ^ key;
}

/// Multiplies each byte, as a column of bits, by the matrix in the
/// corresponding 8 bytes of \p matrices.
template <class V, class B>
V affine(V x, V matrices, Byte constant, bool ofInverse) {
  B from = bits<B>(x), rows = bits<B>(matrices), result;
  for (int i = 0; i < Size<B>; ++i) {
    unsigned byte = ofInverse ? Known.inverted.at[from[i]] : from[i], to = 0;
    for (int bit = 0; bit < 8; ++bit)
      to |= unsigned(__builtin_parity(rows[i / 8 * 8 + 7 - bit] & byte)) << bit;
    result[i] = Byte(to ^ constant);
  }
  return bits<V>(result);
}
template <class V, class B> V products(V a, V b) {
  B x = bits<B>(a), y = bits<B>(b);
  for (int i = 0; i < Size<B>; ++i)
    x[i] = multiply(x[i], y[i]);
  return bits<V>(x);
}

} // namespace

#define ROUNDS(width, V, B)                                                    \
  X86_CALL V __xcc_ia32_aesenc##width(V a, V key) {                            \
    return encrypt<B>(a, key, false);                                          \
  }                                                                            \
  X86_CALL V __xcc_ia32_aesenclast##width(V a, V key) {                        \
    return encrypt<B>(a, key, true);                                           \
  }                                                                            \
  X86_CALL V __xcc_ia32_aesdec##width(V a, V key) {                            \
    return decrypt<B>(a, key, false);                                          \
  }                                                                            \
  X86_CALL V __xcc_ia32_aesdeclast##width(V a, V key) {                        \
    return decrypt<B>(a, key, true);                                           \
  }
ROUNDS(128, V2q, V16uc)
ROUNDS(256, V4q, V32uc)

X86_CALL V2q __xcc_ia32_aesimc128(V2q a) {
  return bits<V2q>(mixBack(bits<V16uc>(a)));
}
X86_CALL V2q __xcc_ia32_aeskeygenassist128(V2q a, char constant) {
  V4ui words = bits<V4ui>(substitute(bits<V16uc>(a), Known.substituted));
  auto next = [&](unsigned word) {
    return (word >> 8 | word << 24) ^ (unsigned char)constant;
  };
  return bits<V2q>(V4ui{words[1], next(words[1]), words[3], next(words[3])});
}

#define FIELD(suffix, V, B)                                                    \
  X86_CALL V __xcc_ia32_vgf2p8affineqb_##suffix(V a, V b, char constant) {     \
    return affine<V, B>(a, b, Byte(constant), false);                          \
  }                                                                            \
  X86_CALL V __xcc_ia32_vgf2p8affineinvqb_##suffix(V a, V b, char constant) {  \
    return affine<V, B>(a, b, Byte(constant), true);                           \
  }                                                                            \
  X86_CALL V __xcc_ia32_vgf2p8mulb_##suffix(V a, V b) {                        \
    return products<V, B>(a, b);                                               \
  }
FIELD(v16qi, V16c, V16uc)
FIELD(v32qi, V32c, V32uc)
