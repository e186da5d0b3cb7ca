// Parts of numbers: bytes, halves and words of them that are stored, passed,
// returned, exchanged and put together are their bits, whatever computed them.
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %xcc -std=c++20 -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -std=c++20 -O2 %s -o %t && %t | FileCheck %s
// CHECK: all bytes are right
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <xcc/warp.h>
#include <xcc/xcc.h>

using byte = unsigned char;

template <class To, class From> To low(From x) {
  To to;
  static_assert(sizeof(to) <= sizeof(x));
  std::memcpy(&to, &x, sizeof(to));
  return to;
}
template <class Before, class Number> struct [[gnu::packed]] Packed {
  Before before;
  Number number;
};
template <class Before, class Number> byte *scale(byte *at) {
  using P = Packed<Before, Number>;
  reinterpret_cast<P *>(at)->number *= 3;
  return at + sizeof(P);
}

[[gnu::noinline]] byte called(byte a, uint16_t b) { return byte(a * b + 1); }
[[gnu::noinline]] byte returned(double x) { return low<byte>(x * 7); }
[[gnu::noinline]] uint32_t word_of(double x) { return low<uint32_t>(x + 7); }

struct numbers {
  double d = 0x1.23456789abcdep0, small = 4;
  float f = 0x1.2345666p0f;
  int rounds = 3;
};

/// Appends parts of numbers to bytes.
class writer {
public:
  explicit writer(byte *to) : to(to) {}
  template <class Part, class Number> void put(Number x) {
    Part part = low<Part>(x);
    std::memcpy(to, &part, sizeof(part));
    to += sizeof(part);
  }
  byte *to;
};

template <bool OnDevice> byte *parts(const numbers &of, byte *to) {
  double x = of.d * 3;
  float y = of.f * 3;
  to = scale<char, double>(to);
  to = scale<short, double>(to);
  to = scale<int, double>(to);
  to = scale<char, float>(to);
  to = scale<short, float>(to);
  writer out(to);
  out.put<byte>(x), out.put<byte>(x), out.put<uint16_t>(x);
  out.put<uint32_t>(x), out.put<uint16_t>(y), out.put<byte>(y);
  out.put<byte>(float(x)), out.put<uint32_t>(double(y));
  out.put<byte>(called(low<byte>(x + 1), low<uint16_t>(y + 1)));
  out.put<byte>(returned(y)), out.put<uint32_t>(word_of(y));
  // A choice, a loop, another lane's, one from memory.
  double z = x < 2 ? x * y : x + y;
  out.put<uint32_t>(z), out.put<byte>(z);
  double w = of.small;
  for (int i = 0; i < of.rounds; ++i)
    w = w * 1.5 + .25;
  out.put<uint16_t>(w);
  if constexpr (OnDevice)
    out.put<byte>(xcc::shuffle(y * 5, 0));
  else
    out.put<byte>(y * 5);
  alignas(8) float old = y;
  out.put<byte>(std::atomic_ref(old).fetch_add(z));
  alignas(8) double older = x;
  out.put<byte>(std::atomic_ref(older).exchange(z));
  // Bytes one after the other, and back.
  byte bytes[8];
  z = x * y;
  std::memcpy(bytes, &z, 8);
  unsigned sum = 0;
  for (int i = 0; i < of.rounds; ++i)
    sum = sum * 31 + bytes[i];
  out.put<uint32_t>(sum);
  for (int i = 0; i < of.rounds; ++i)
    bytes[i] = byte(bytes[i] + i);
  std::memcpy(&z, bytes, 8);
  out.put<double>(z + x);
  // Numbers that are made of few bits.
  float tiny = low<float>(uint32_t(bytes[0]));
  double tinier = low<double>(uint64_t(bytes[1]));
  out.put<float>(tiny * 0x1p100f), out.put<double>(tinier * 0x1p1000);
  _Float16 short_one = _Float16(y);
  out.put<byte>(short_one);
  return out.to;
}

void kernel(numbers of, byte *to, byte *shared) {
  parts<true>(of, to);
  static xcc::block_shared<byte[4]> tile;
  tile[of.rounds - 1] = low<byte>(of.d * 5);
  *shared = tile[2];
}

int main() {
  constexpr int size = 256;
  byte wanted[size + 1] = {}, got[size + 1];
  for (int i = 0; i < size; ++i)
    wanted[i] = byte(i % 2 ? 0x40 : i);
  xcc::buffer<byte> to(size + 1);
  to.copy_from(wanted, size + 1);
  numbers of;
  xcc::launch({{1}, {1}}, kernel, of, to.data(), to.data() + size);
  to.copy_to(got, size + 1);
  parts<false>(of, wanted);
  wanted[size] = low<byte>(of.d * 5);
  bool right = true;
  for (int i = 0; i <= size; ++i)
    if (wanted[i] != got[i]) {
      std::printf("byte %d is %02x, not %02x\n", i, got[i], wanted[i]);
      right = false;
    }
  if (right)
    std::puts("all bytes are right");
}
