// Copies and fills of a stream, and of buffers, between whatever has elements: buffers
// and their parts, vectors, spans, arrays and memory of the host; buffers of every
// type, out of and into containers; kernels that take a buffer as a span.
// RUN: %xcc -std=c++20 -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -std=c++20 -O2 %s -o %t && %t | FileCheck %s
#include <array>
#include <complex>
#include <cstdio>
#include <list>
#include <span>
#include <string>
#include <vector>
#include <xcc/xcc.h>

struct pair {
  short a;
  double b;
  bool operator==(const pair &) const = default;
};

void twice(float *x, std::size_t n) {
  if (std::size_t i = xcc::global_id(); i < n)
    x[i] *= 2;
}
void next(std::span<const float> in, std::span<float> out) {
  if (std::size_t i = xcc::global_id(); i < out.size())
    out[i] = in[i] + 1;
}
void next_of(xcc::device_span<const float> in, xcc::device_span<float> out) {
  if (std::size_t i = xcc::global_id(); i < out.size())
    out[i] = in[i] + 1;
}
struct view {
  xcc::device_span<const float> in;
  std::span<float> out;
};

template <class T> static bool filled(T value) {
  xcc::buffer<T> b(77);
  b.fill(value);
  b.part(10, 7).fill(T{});
  xcc::buffer<int> wrong(1);
  wrong.fill(0);
  xcc::parallel_for(77, [p = b.data(), w = wrong.data(), value](std::size_t i) {
    if (!(p[i] == (i >= 10 && i < 17 ? T{} : value)))
      w[0] = 1;
  });
  const auto back = b.to_vector();
  return T(back[9]) == value && T(back[10]) == T{} && T(back[16]) == T{} &&
         T(back[17]) == value && wrong.to_vector()[0] == 0;
}

template <class Work> static void refused(Work work) {
  try {
    work();
    std::puts("not refused");
  } catch (const xcc::error &error) {
    std::puts(error.what());
  }
}

int main() {
  const std::size_t n = 1000;
  xcc::stream s;
  std::vector<float> h(n), back(n);
  for (std::size_t i = 0; i < n; ++i)
    h[i] = float(i);
  xcc::buffer<float> d(n), e(n);
  s.copy(d, h, n);
  s.copy(e, d);
  xcc::launch({{8}, {128}, 0, s}, twice, e, n);
  s.copy(back, e);
  s.synchronize();
  std::printf("%g\n", double(back[999])); // CHECK: 1998

  xcc::host_buffer<float> host(n);
  xcc::managed_buffer<float> managed(n);
  s.fill(d, 3.5f);
  s.fill(e, 2);
  s.fill(e, 4, 10);
  s.copy(host, d);
  s.copy(managed, e);
  s.synchronize();
  // CHECK-NEXT: 3.5 4 2
  std::printf("%g %g %g\n", double(host[5]), double(managed[9]), double(managed[10]));

  const std::span<float> all(h);
  std::array<float, 16> array{1, 2, 3};
  float plain[2][8] = {{9, 8}};
  s.copy(all.subspan(100, 10), e.part(5, 10));
  s.copy(d, std::span<const float>(array));
  s.copy(d.part(16), plain);
  s.copy(plain, d, 16);
  s.copy(array, d.part(16, 16));
  s.copy(d.data() + 500, plain, 3);
  s.copy(back, d);
  s.synchronize();
  // CHECK-NEXT: 4 2 8 2 9 3
  std::printf("%g %g %g %g %g %g\n", double(h[104]), double(h[105]), double(back[17]),
              double(plain[0][1]), double(array[0]), double(back[502]));

  // CHECK-NEXT: 1111 1111
  std::printf("%d%d%d%d %d%d%d%d\n", filled(true), filled('x'), filled(1e300),
              filled<_Float16>(1.5), filled(pair{3, 4}), filled(std::complex<float>(1, 2)),
              filled(static_cast<__int128>(5) << 70), filled(std::array<char, 3>{1, 2, 3}));

  const std::string text = "text";
  xcc::buffer b1(h), b2(array), b3(plain), b5(b1.part(990));
  xcc::buffer b4(text);
  xcc::buffer b6(std::vector{1, 2});
  static_assert(std::is_same_v<decltype(b3), xcc::buffer<float>>);
  // CHECK-NEXT: 1000 16 16 text 10 2
  std::printf("%zu %zu %zu %s %zu %d\n", b1.size(), b2.size(), b3.size(),
              b4.to<std::string>().c_str(), b5.size(), b6.to_vector()[1]);
  xcc::buffer<bool> flags(3);
  flags.fill(true);
  const std::vector<bool> bits = flags.to_vector();
  // CHECK-NEXT: 999 9 1
  std::printf("%g %g %d\n", double(b5.to<std::list>().back()),
              double(b2.to<std::array<float, 16>>()[0]), int(bits[2]));

  xcc::buffer<float> out(10);
  const auto shown = [&] { std::printf("%g ", double(out.to_vector()[9])), out.fill(0); };
  xcc::launch({1, 10}, next, b5, out), shown();
  xcc::launch({1, 10}, next_of, b5, out), shown();
  xcc::launch({1, 10}, next_of, b5.all(), out.part(0)), shown();
  xcc::launch({1, 10}, [](view v) { next(v.in, v.out); }, view{b5, out}), shown();
  xcc::parallel_for(10, [&](std::size_t i) { out[i] = b5[i] + 1; }), shown();
  std::puts(""); // CHECK-NEXT: 1000 1000 1000 1000 1000

  b5.copy_from(h, 3);
  b5.copy_to(plain);
  b5.part(1, 2).copy_to(array);
  // CHECK-NEXT: 2 993 1 40 0
  std::printf("%g %g %g %zu %d\n", double(plain[0][2]), double(plain[0][3]),
              double(array[0]), b5.size_bytes(), b5.empty());

  xcc::event done;
  done.record(s);
  done.synchronize();
  std::printf("%d\n", done.query() && s.query()); // CHECK-NEXT: 1

  std::size_t less = 0;
  // CHECK-NEXT: 1000 objects are more than there is room for: 10
  refused([&] { s.copy(out, h); });
  // CHECK-NEXT: 11 objects are more than there is room for: 10
  refused([&] { s.copy(h, out, 11); });
  // CHECK-NEXT: 11 objects are more than there is room for: 10
  refused([&] { s.fill(out, 1, 11); });
  // CHECK-NEXT: -1 objects: a negative count, or an unsigned one below 0
  refused([&] { s.copy(out, h, less - 1); });
  // CHECK-NEXT: 1000 objects are more than there is room for: 16
  refused([&] { b1.copy_to(array); });
  // CHECK-NEXT: 11 objects are more than there is room for: 10
  refused([&] { out.part(11); });
}
