// Scopes over parts of objects: what is updated, what a scope's end leaves with the scopes that go on, and what objects
// point to when it has gone.
// RUN: %everywhere
#include "Inputs/check.h"

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

constexpr std::size_t N = 37;
using Numbers = std::vector<int>;

template <class T> static void addOne(T &x) {
  xcc::parallel_for(x.size(), [&x](std::size_t i) { x[i] += 1; });
}

struct Sim {
  Numbers pos = Numbers(N, 1), vel = pos;
  void step() {
    xcc::parallel_for(N, [this](std::size_t i) { pos[i] += vel[i]; });
  }
};

/// A part that is updated leaves its neighbours as they are.
static void update() {
  Sim sim;
  xcc::map scope(sim);
  sim.vel[5] = 3;
  scope.to_device(sim.vel);
  sim.step();
  scope.end();
  CHECK(sim.pos[5] == 4 && sim.pos[6] == 2 && sim.vel[5] == 3);

  Numbers pair[2] = {Numbers(N, 1), Numbers(N, 2)};
  {
    xcc::map both(pair[0], pair[1]);
    pair[1][0] = 7;
    both.to_device(pair[1]);
    addOne(pair[0]);
    both.to_host(pair[0]);
    CHECK(pair[0][3] == 2);
    addOne(pair[1]);
    both.to_device(pair[0]);
    both.to_host(pair[1]);
    CHECK(pair[1][0] == 8 && pair[1][1] == 3);
  }
  pair[0].resize(3 * N, 5); // it is the host's own
  CHECK(pair[0][0] == 2 && pair[0][2 * N] == 5);
}

struct Inner {
  std::string name = "inner, and too long to be within the object";
  std::optional<Numbers> maybe = Numbers(N, 1);
  std::unique_ptr<Numbers> owned = std::make_unique<Numbers>(N, 2);
  std::variant<int, Numbers> either = Numbers(N, 3);
  std::array<Numbers, 2> two = {Numbers(N, 4), Numbers(N, 5)};
};
struct Outer {
  std::vector<Inner> all = std::vector<Inner>(2);
  Inner one;
};

static void touch(Inner &in, std::size_t i) {
  in.name[i] = 'x';
  (*in.maybe)[i] += 1;
  (*in.owned)[i] += 1;
  std::get<Numbers>(in.either)[i] += 1;
  in.two[0][i] += in.two[1][i];
}
static bool isTouched(const Inner &in, int times) {
  return in.name[3] == 'x' && (*in.maybe)[3] == 1 + times && (*in.owned)[3] == 2 + times &&
         std::get<Numbers>(in.either)[3] == 3 + times && in.two[0][3] == 4 + 5 * times && in.two[1][3] == 5;
}

/// Parts of parts, of every kind.
static void nested() {
  Outer o;
  xcc::map scope(o);
  auto step = [&o] {
    xcc::parallel_for(N, [&o](std::size_t i) {
      touch(o.one, i);
      for (Inner &in : o.all)
        touch(in, i);
    });
  };
  int times = 0;
  auto each = [&](auto &part) {
    scope.to_device(part);
    step();
    ++times;
    scope.to_host(o);
    CHECK(isTouched(o.one, times) && isTouched(o.all[1], times));
  };
  each(o.one.name);
  each(o.one.maybe);
  each(o.all[1].owned);
  each(o.all[0]);
  each(o.all);
  each(o.one.either);
  each(o.one.two[1]);
  scope.end();
  CHECK(isTouched(o.one, times) && isTouched(o.all[0], times));
}

struct Pair {
  Numbers a = Numbers(N, 1), b = a, c = a;
};

/// Neighbours share an entry: what one scope held alone goes with it.
static void neighbours() {
  Pair g;
  Numbers &a = g.a, &b = g.b;
  xcc::map first(g.a, g.b), second(g.b);
  first.end();
  xcc::parallel_for(N, [&](std::size_t i) { a[i] = a[i] * 2 + b[i]; });
  addOne(b);
  xcc::synchronize();
  CHECK(a[3] == 3);
  if (separate())
    CHECK(b[3] == 1);
  second.end();
  CHECK(b[3] == 2);
  addOne(g.a); // nothing is left of them
  addOne(g.b);
  xcc::synchronize();
  CHECK(a[3] == 4 && b[3] == 3);

  // From the middle, and the parts in any order.
  for (int order = 0; order != 3; ++order) {
    Pair h;
    xcc::map whole(h), middle(h.b), ends(h.a, h.c);
    xcc::map *scopes[] = {&whole, &middle, &ends};
    for (int k = 0; k != 3; ++k) {
      addOne(h.a);
      addOne(h.b);
      addOne(h.c);
      if (k == 1) {
        h.a[0] += 0;
        xcc::synchronize();
      }
      xcc::map ended = std::move(*scopes[(k + order) % 3]);
      ended.end();
    }
    xcc::synchronize();
    CHECK(h.a[3] == 4 && h.b[3] == 4 && h.c[3] == 4);
  }
}

/// Halves of one vector.
static void halves() {
  Numbers v(2 * N, 1);
  auto half = std::span(v).first(N);
  xcc::map all(v);
  xcc::map left(half);
  addOne(v);
  all.end();
  CHECK(v[2 * N - 1] == 2); // what the other holds is not back yet
  xcc::parallel_for(N, [half](std::size_t i) { half[i] += 1; });
  left.end();
  CHECK(v[0] == 3 && v[N] == 2);
}

struct View {
  int *first;
  std::size_t count;
};

/// What an object points to went with another scope.
static void pointers() {
  Numbers v(N, 1), w(N, 10);
  View view{v.data(), N};
  auto through = [&view](auto &named) {
    xcc::parallel_for(N, [&view, &named](std::size_t i) { view.first[i] += int(named.size()) - int(N) + 1; });
  };
  xcc::map holdsV(v);
  xcc::map holdsView(view);
  holdsV.end(); // the view's scope has the elements
  through(v);
  holdsView.to_host(view);
  holdsView.end();
  CHECK(v[3] == 2);

  xcc::map again(v), seen(view);
  {
    xcc::map other(w);
    view.first = w.data();
    seen.to_device(view); // and now has those
  }
  through(w);
  seen.end();
  CHECK(w[3] == 11 && v[3] == 2);
  again.end();
  through(w); // nothing is held
  xcc::synchronize();
  CHECK(w[3] == 12);
}

/// Kernels that change addresses: the next launch and to_host look where they lead.
static void exchanged() {
  Pair g, h;
  g.a.assign(N, 5);
  auto swap = [](Numbers &x, Numbers &y) {
    xcc::parallel_for(1, [&x, &y](std::size_t) { std::swap(x, y); });
  };
  swap(g.a, h.a);
  xcc::parallel_for(N, [&g](std::size_t i) { g.a[i] += g.b[i]; });
  xcc::synchronize();
  CHECK(g.a[3] == 2 && h.a[3] == 5);
  xcc::map scope(g, h);
  swap(g.a, h.a);
  addOne(g.a);
  scope.to_host(g.a);
  CHECK(g.a[3] == 6 && g.a[N - 1] == 6);
  scope.end();
  CHECK(h.a[3] == 2);
}

int main() {
  update();
  nested();
  neighbours();
  halves();
  pointers();
  exchanged();
}
