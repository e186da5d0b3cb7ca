// Kernels that take references, spans, and structures of them.
// RUN: %everywhere
#include "Inputs/check.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

void k(std::span<int> a, std::span<const int> b, std::string_view s) {
  auto i = xcc::global_id();
  if (i < a.size())
    a[i] = b[i] + s[i % s.size()];
}
static void spans() {
  std::vector<int> a(100, 0), b(100, 3);
  std::string s = "hello";
  xcc::launch({{4}, {32}}, k, std::span(a).subspan(10, 50),
              std::span<const int>(b).subspan(10, 50), std::string_view(s));
  xcc::synchronize();
  for (int i = 0; i < 100; ++i)
    CHECK(a[i] == (i >= 10 && i < 60 ? 3 + s[(i - 10) % 5] : 0));
}

struct S {
  std::vector<int> &v;
  int &n;
};
void f(std::vector<int> &v, const std::vector<int> &c, int &n, S s) {
  auto i = xcc::thread_idx().x;
  v[i] += c[i];
  if (!i) {
    n = int(v.size());
    s.v[9] = -1;
    s.n += 1;
  }
}
static void references() {
  std::vector<int> v(10, 1), c(10, 5);
  int n = 0;
  int q = 5;
  std::vector<int> u(10, 0);
  xcc::launch({{1}, {9}}, f, v, c, n, S{u, q});
  xcc::synchronize();
  CHECK(v[0] == 6 && v[9] == 1);
  CHECK(n == 10);
  CHECK(u[9] == -1);
  CHECK(q == 6);
}

int main() {
  spans();
  references();
}
