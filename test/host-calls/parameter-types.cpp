// Parameters marked __restrict, which are of another type where they are declared
// than in the function's type; classes aligned to more than 16 bytes; and spans of
// any size, which the CPU device does not copy.
// RUN: %xcc -std=c++20 -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -std=c++20 -O2 %s -o %t && %t | FileCheck %s
// RUN: %xcc -std=c++20 -O2 -offload-arch=sm_90,gfx90a,gfx1100 -foffload-no-cubin -c %s -o %t.o
// CHECK: abc de
// CHECK: 5 x
// CHECK: 2.5 3.25 5 4 12 3.14573e+08 7 2
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <vector>
#include <xcc/xcc.h>
XCC_HOST double parse(const char *__restrict text, char **__restrict end);
double parse(const char *__restrict text, char **__restrict end) { return std::strtod(text, end); }
XCC_HOST int both(const char *__restrict a, const char *b, int *__restrict p, const int n);
int both(const char *__restrict a, const char *b, int *__restrict p, const int n) { *p = n; std::printf("%s %s\n", a, b); return int(strlen(a) + strlen(b)); }
struct alignas(64) Wide { float v[16]; };
static Wide twice(int, Wide w, const Wide &r, std::span<const Wide> s) { for (int i = 0; i < 16; ++i) w.v[i] = 2 * w.v[i] + r.v[i] + s[0].v[i]; return w; }
static unsigned long big(std::span<unsigned char> s) { unsigned long n = 0; for (auto &c : s) n += c++; return n; }
void k(double *out, int *q, unsigned char *many, unsigned long size) {
  out[0] = parse("2.5", nullptr);
  out[1] = xcc::host_call(strtod, "3.25", nullptr);
  out[2] = both("abc", "de", q, 7);
  out[3] = xcc::host_call(std::printf, "%d %s\n", 5, "x");
  Wide w; for (int i = 0; i < 16; ++i) w.v[i] = i;
  Wide r = xcc::host_call(twice, 1, w, w, std::span<const Wide>(&w, 1));
  out[4] = r.v[3];
  out[5] = double(xcc::host_call(big, std::span(many, size)));
}
int main() {
  double out[6] = {}; int q = 0;
  std::vector<unsigned char> many(300ul << 20, 1);
  xcc::launch({{1}, {1}}, k, out, &q, many.data(), many.size());
  xcc::synchronize();
  std::printf("%g %g %g %g %g %g %d %d\n", out[0], out[1], out[2], out[3], out[4], out[5], q, many.back());
}
