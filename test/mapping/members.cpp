// Objects whose members are private, inherited, or of a template.
// RUN: %everywhere
#include "Inputs/check.h"

#include <array>
#include <string>
#include <vector>

class Model {
  std::vector<double> w;
  double bias = 0.5;
  std::array<int, 4> h{};
  std::string name = "m";

public:
  Model() : w(64, 1.0) {}
  void step() {
    xcc::parallel_for(w.size(), [this](std::size_t i) {
      w[i] = w[i] * 2 + bias;
      if (i < 4)
        h[i] = int(i) + int(name[0]);
    });
    xcc::synchronize();
  }
  void check() {
    for (auto v : w)
      CHECK(v == 2.5);
    for (int i = 0; i < 4; ++i)
      CHECK(h[i] == i + 'm');
    CHECK(name == "m");
  }
};
static void captured() {
  Model m;
  m.step();
  m.check();
}

class B {
protected:
  std::vector<int> d;

public:
  B() : d(8, 1) {}
};
class C : private B {
  int k = 3;
  mutable int calls = 0;

public:
  void run() {
    xcc::parallel_for(8, [&](std::size_t i) {
      d[i] += k;
      if (!i)
        ++calls;
    });
    xcc::synchronize();
  }
  int at(int i) { return d[i]; }
  int n() { return calls; }
};
static void inherited() {
  C c;
  c.run();
  for (int i = 0; i < 8; ++i)
    CHECK(c.at(i) == 4);
  CHECK(c.n() == 1);
}

template <class T> struct Grid {
  int w, h;
  std::vector<T> d;
  T &operator()(int x, int y) { return d[y * w + x]; }
};
template <class T> void blur(Grid<T> &in, Grid<T> &out) {
  xcc::launch({{unsigned(in.w / 8), unsigned(in.h / 8)}, {8, 8}}, [&] {
    int x = xcc::block_idx().x * 8 + xcc::thread_idx().x,
        y = xcc::block_idx().y * 8 + xcc::thread_idx().y;
    T s{};
    int n = 0;
    for (int dy = -1; dy < 2; ++dy)
      for (int dx = -1; dx < 2; ++dx) {
        int u = x + dx, v = y + dy;
        if (u >= 0 && v >= 0 && u < in.w && v < in.h) {
          s += in(u, v);
          ++n;
        }
      }
    out(x, y) = s / n;
  });
  xcc::synchronize();
}
static void generic() {
  Grid<float> a{32, 16, std::vector<float>(512, 3)},
      b{32, 16, std::vector<float>(512)};
  blur(a, b);
  for (float f : b.d)
    CHECK(f == 3);
}

int main() {
  captured();
  inherited();
  generic();
}
