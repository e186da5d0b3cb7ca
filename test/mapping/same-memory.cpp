// One object by several names and addresses, objects that refer to themselves, and to nothing.
// RUN: %everywhere
#include "Inputs/check.h"

#include <span>
#include <string>
#include <utility>
#include <vector>

static void aliases() {
  std::vector<int> v(50, 1);
  auto &r = v;
  int *p = &v[10];
  std::span<int> s(v.data() + 20, 10);
  auto it = v.begin() + 40;
  xcc::launch({{1}, {1}}, [&v, &r, p, s, it] {
    v[0] = 1;
    r[1] = 2;
    p[0] = 3;
    s[0] = 4;
    *it = 5;
    v.back() = 6;
  });
  xcc::synchronize();
  CHECK(v[0] == 1 && v[1] == 2 && v[10] == 3 && v[20] == 4 && v[40] == 5 &&
        v[49] == 6);
}

struct Self {
  Self *me;
  int v;
  int *pv;
};
// Its pointers lead to what is mapped anyway; without this, a class that leads
// back to itself is taken for a list.
template <> struct xcc::transfer<Self> {
  static void map(xcc::mapper &, const Self &) {}
};
static void selfReferential() {
  Self s{&s, 3, &s.v};
  xcc::launch({{1}, {1}}, [&] {
    s.me->me->v += 1;
    *s.pv += 10;
  });
  xcc::synchronize();
  CHECK(s.v == 14);
  CHECK(s.me == &s && s.pv == &s.v);
}

static void swapped() {
  std::vector<int> a(5, 1), b(7, 2);
  xcc::launch({{1}, {1}}, [&] {
    std::swap(a, b);
    a[0] = 50;
  });
  xcc::synchronize();
  CHECK(a.size() == 7 && a[0] == 50 && a[6] == 2 && b.size() == 5 && b[4] == 1);
}

static void empty() {
  std::vector<int> e;
  std::string s;
  std::span<int> sp;
  std::vector<std::vector<int>> ee(2);
  int n = -1;
  int *np = nullptr;
  xcc::launch({{1}, {1}}, [&, sp, np] {
    n = int(e.size() + s.size() + sp.size() + ee[1].size()) + (np ? 1 : 0) +
        (e.begin() == e.end() ? 0 : 1);
  });
  xcc::synchronize();
  CHECK(n == 0);
}

int main() {
  aliases();
  selfReferential();
  swapped();
  empty();
}
