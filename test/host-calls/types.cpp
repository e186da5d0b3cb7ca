// What travels to a host function and back: values, references, views, text,
// structures, closures, and a variadic function's arguments.
// RUN: %xcc -std=c++20 -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -std=c++20 -O2 %s -o %t && %t | FileCheck %s
// RUN: %xcc -std=c++20 -O2 -offload-arch=gfx90a,gfx1100,host %s -o %t && %t | FileCheck %s
// RUN: %xcc -std=c++20 -O2 -offload-arch=sm_70,sm_90 -foffload-no-cubin -c %s -o %t.o
#include <array>
#include <cstdarg>
#include <cstdio>
#include <span>
#include <string>
#include <string_view>
#include <xcc/xcc.h>

struct Pair {
  char a;
  double b;
  bool operator==(const Pair &) const = default;
};

static int add(signed char a, double b, long c) { return int(a + b + c); }
static Pair swap(Pair p) { return {char(p.b), double(p.a)}; }
static void count(int &by_reference, const int &constant, Pair &&moved) {
  by_reference += constant + int(moved.b);
}
static double sum(std::span<const double> in, std::span<float> out) {
  double total = 0;
  for (double d : in)
    total += d;
  for (float &f : out)
    f *= 2;
  return total;
}
static std::size_t text(std::string_view view, const char *c, std::string s,
                        const std::string &r, const char *null) {
  std::string all = std::string(view) + c + s + r + (null ? "?" : "!");
  std::printf("%s\n", all.c_str());
  return all.size();
}
static int through(int *shared, std::array<int, 3> by_value,
                   std::array<int, 2> &both) {
  both[1] = *shared + by_value[2];
  return *shared = 7;
}
static int variadic(const char *format, ...) {
  char line[64];
  va_list args;
  va_start(args, format);
  int n = std::vsnprintf(line, sizeof line, format, args);
  va_end(args);
  std::puts(line);
  return n;
}
XCC_HOST int marked(int a, std::string_view b);
[[xcc::host]] inline double marked_inline(double x) noexcept { return x / 4; }
template <class T> XCC_HOST T marked_template(T a, T b) { return a < b ? b : a; }
XCC_HOST int marked_variadic(const char *format, ...);
struct Static {
  XCC_HOST static int call(int x) { return -x; }
};

static void kernel(int *out, int *shared) {
  int i = 0;
  out[i++] = xcc::host_call(add, 1, 2.5f, 3); // 6
  out[i++] = xcc::host_call(swap, Pair{5, 9}) == Pair{9, 5};
  int c = 1;
  xcc::host_call(count, c, 10, Pair{0, 100});
  out[i++] = c; // 111
  double d[3] = {1, 2, 4};
  float f[2] = {1.5f, 2};
  out[i++] = int(xcc::host_call(sum, d, std::span<float>(f))) * 10 + int(f[0] + f[1]); // 77
  out[i++] = int(xcc::host_call(text, "view ", "c ", "string ",
                                std::string_view("reference"), nullptr)); // 24
  *shared = 4;
  std::array<int, 2> both{};
  out[i++] = xcc::host_call(through, shared, std::array{1, 2, 3}, both); // 7
  out[i++] = *shared * 10 + both[1];                                     // 77
  out[i++] = xcc::host_call(variadic, "%d %g %s %c", 1, 2.5f, "three", '4');
  out[i++] = marked(3, "four");
  out[i++] = int(marked_inline(8));
  out[i++] = marked_template(3, 9) + int(marked_template(0.5, 0.25) * 100); // 59
  out[i++] = marked_variadic("%s|%ld", "x", 5l);
  out[i++] = Static::call(8);
  const int scale = 3;
  out[i++] = xcc::host_call([scale](int x) { return x * scale; }, 5); // 15
}

int marked(int a, std::string_view b) { return a * int(b.size()); }
int marked_variadic(const char *format, ...) {
  va_list args;
  va_start(args, format);
  int n = std::vsnprintf(nullptr, 0, format, args);
  va_end(args);
  return n;
}

int main() {
  xcc::buffer<int> out(16);
  xcc::host_buffer<int> shared(1); // which the host's function reaches
  xcc::launch({1, 1}, kernel, out.data(), shared.data());
  int got[16] = {};
  out.copy_to(got, 16);
  for (int value : got)
    std::printf("%d ", value);
}
// CHECK: view c string reference!
// CHECK: 1 2.5 three 4
// CHECK: 6 1 111 77 24 7 77 13 12 2 59 3 -8 15
