// Types aligned to more than what a launch's place for arguments is: arguments,
// captures, variables of threads, blocks and devices, what functions take and
// return, what is allocated, and copies of bytes that are aligned.
// RUN: %xcc -O0 -std=c++20 -Wno-psabi %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 -std=c++20 -Wno-psabi %s -o %t && %t | FileCheck %s
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>
#include <type_traits>
#include <xcc/xcc.h>

struct alignas(1024) large {
  int v[4];
};
struct alignas(2048) larger {
  int v;
};
struct alignas(256) wide {
  int v[8];
};
typedef float sixteen __attribute__((ext_vector_type(16)));
typedef int sixty_four __attribute__((ext_vector_type(64)));
large variable;
alignas(16) static char text[150];
alignas(2048) static char bytes[100];

template <class T> long off(const T &object) {
  // Nobody knows the address.
  const volatile std::uintptr_t at = reinterpret_cast<std::uintptr_t>(&object);
  return long(at % alignof(T));
}

[[gnu::noinline]] wide doubled(wide a, large b) {
  for (int &each : a.v)
    each *= 2;
  a.v[0] += b.v[1] + int(off(a) + off(b));
  return a;
}
[[gnu::noinline]] wide tripled(wide a, large b) {
  for (int &each : a.v)
    each *= 3;
  a.v[0] += b.v[1] + int(off(a) + off(b));
  return a;
}
[[gnu::noinline]] sixty_four added(sixty_four a, sixteen b) {
  a[63] += int(b[15]);
  return a;
}
[[gnu::noinline]] sixty_four taken(sixty_four a, sixteen b) {
  a[63] -= int(b[15]);
  return a;
}
wide (*const copies[])(wide, large) = {doubled, tripled};
sixty_four (*const vectors[])(sixty_four, sixteen) = {added, taken};

/// Each parameter is behind padding of another size.
void several(char before, sixteen x, int which, wide y, sixty_four z,
             short behind, large w, long *out) {
  const wide direct = doubled(y, w), pointed = copies[which](y, w);
  const sixty_four sum = added(z, x), other = vectors[which](z, x);
  out[0] = before + which * 10 + behind * 100;
  out[1] = long(x[0]) + long(x[15]) + z[0] + z[63];
  out[2] = direct.v[0] + direct.v[7] * 100 + pointed.v[7] * 10000;
  out[3] = sum[63] + other[63] * 1000;
  out[4] = y.v[0] + w.v[3] + off(x) + off(y) + off(z) + off(w);
}

// Of a union, what Clang takes for padding may be what other members are.
union alignas(128) either {
  double d;
  char text[39];
};
struct alignas(512) both {
  int v;
  either e;
};
[[gnu::noinline]] int sum_of(either e) {
  int sum = 0;
  for (char each : e.text)
    sum = sum * 3 + each;
  return sum;
}
[[gnu::noinline]] int sum_of_both(both b, either e) {
  return b.v + sum_of(b.e) * 5 + sum_of(e);
}
int (*const of_unions[])(both, either) = {sum_of_both};
int unions(int which) {
  both b = {3, {}};
  either e;
  for (int i = 0; i != 39; ++i) {
    b.e.text[i] = char(i * which);
    e.text[i] = char(i + which);
  }
  return sum_of_both(b, e) + of_unions[which - 1](b, e) * 3;
}

// Alignments that a GPU's own target would choose otherwise, seen behind a
// reference alone.
struct bytes_of {
  char x[12];
};
template <int> struct room;
template <> struct room<0> {
  int k;
  alignas(std::max_align_t) char of[24];
  int v;
};
template <> struct room<1> {
  int k;
  alignas(__BIGGEST_ALIGNMENT__) char of[24];
  int v;
};
template <> struct room<2> {
  int k;
  alignas(__GCC_DESTRUCTIVE_SIZE) char of[24];
  int v;
};
template <> struct room<3> {
  int k;
  alignas(__GCC_CONSTRUCTIVE_SIZE) char of[24];
  int v;
};
template <> struct room<4> {
  int k;
  __attribute__((aligned)) char of[24];
  int v;
};
template <> struct room<5> {
  int k;
  std::aligned_storage_t<3> of;
  int v;
};
template <> struct room<6> {
  int k;
  alignas(__STDCPP_DEFAULT_NEW_ALIGNMENT__) char of[3];
  int v;
};
template <> struct room<7> {
  int k;
  _Atomic bytes_of of;
  int v;
};
template <int N> void behind() {
  room<N> made[2] = {};
  made[1].k = 1;
  made[1].v = 2;
  int sum = 0;
  xcc::launch({1, 1}, [&] { sum = made[1].k + made[1].v * 10; });
  xcc::synchronize();
  std::printf(" %d", sum);
  if constexpr (N > 0)
    behind<N - 1>();
}

int main() {
  behind<7>();
  std::printf("\n"); // CHECK: 21 21 21 21 21 21 21 21
  int of_device = 0, which = 1;
  xcc::launch({1, 1}, [&] { of_device = unions(which); });
  xcc::synchronize();
  std::printf("unions: %d\n", of_device - unions(which)); // CHECK: unions: 0
  xcc::buffer<long> out(8);
  long r[8];
  xcc::launch(
      {2, 3},
      [](large a, long *out) {
        large b;
        b.v[1] = a.v[2];
        volatile large *p = &b;
        static xcc::block_shared<large> shared;
        static xcc::block_shared<larger> more;
        large *made = new large;
        if (xcc::global_id() == 5) {
          more.get().v = 5;
          out[0] = off(a) + off(b) + off(variable) + off(shared.get()) +
                   off(more.get());
          out[1] =
              off(*made) + long(reinterpret_cast<std::uintptr_t>(bytes) % 2048);
          out[2] = p->v[1] * more.get().v;
        }
        delete made;
      },
      large{{1, 2, 3, 4}}, out.data());
  larger captured = {77};
  long *to = out.data();
  xcc::launch({1, 1}, [captured, to] { to[3] = captured.v + off(captured); });
  // The last ones fill no word.
  xcc::launch(
      {1, 1},
      [](long *out, int from) {
        alignas(16) char copied[150];
        for (int i = 0; i < 150; ++i)
          text[i] = char(i);
        __builtin_memcpy(copied, text, sizeof(copied));
        for (int i = from; i < 150; ++i)
          out[4] = i == from ? copied[i] : out[4] + copied[i] * i;
      },
      out.data(), 0);
  out.copy_to(r, 8);
  std::printf("%ld %ld %ld %ld %ld\n", r[0], r[1], r[2], r[3], r[4]);
  // CHECK: 0 0 15 77 333743{{$}}

  sixteen x = 0;
  sixty_four z = 0;
  x[0] = 1, x[15] = 7, z[0] = 20, z[63] = 300;
  xcc::launch({1, 1}, several, char(1), x, 1, wide{{5, 0, 0, 0, 0, 0, 0, 6}}, z,
              short(-3), large{{0, 40, 0, 9}}, out.data());
  out.copy_to(r, 8);
  std::printf("%ld %ld %ld %ld %ld\n", r[0], r[1], r[2], r[3], r[4]);
  // CHECK-NEXT: -289 328 181250 293307 14
}
