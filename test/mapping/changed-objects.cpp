// A kernel changes what objects own: it swaps, moves, assigns, clears, shortens and lengthens them. The next launch uses
// an object around them, which has to wait for that kernel: on the same device or another, in another stream, in a scope.
// What the launch refers to is then what the kernel left.
// RUN: %xcc %headers -std=c++20 -O2 -offload-arch=sm_90,gfx90a,host -foffload-no-cubin -Wno-offload-host-memory %s -o %t
// RUN: env LD_LIBRARY_PATH=%build/simulator/cuda:%build/simulator/hsa MOCK_CUDA_DEVICES=sm_90,sm_90 \
// RUN:   MOCK_HSA_AGENTS=gfx90a XCC_CPU_SEPARATE=2 %t
#include "Inputs/check.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

using Numbers = std::vector<int>;

static Numbers numbers(std::size_t n, int first) {
  Numbers v(n);
  for (int &x : v)
    x = first++;
  return v;
}

struct Inner {
  Numbers own = numbers(5, 1);
  std::vector<Numbers> rows{numbers(3, 10), numbers(6, 20), numbers(9, 30)};
  std::optional<Numbers> maybe = numbers(4, 40);
  std::unique_ptr<Numbers> far = std::make_unique<Numbers>(numbers(7, 50));
  std::variant<int, Numbers> either = numbers(8, 60);
  std::string text = "a text that is longer than what an object has room for";
};
struct Outer {
  Numbers before = numbers(4, 70);
  Inner in;
  std::vector<Inner> more = std::vector<Inner>(2);
};

/// A number for all that an object holds.
static long sum(const Numbers &v) {
  long s = long(v.size());
  for (int x : v)
    s = s * 31 + x;
  return s;
}
static long sum(const Inner &x) {
  long s = sum(x.own) + 3 * long(x.rows.size());
  for (const Numbers &row : x.rows)
    s = s * 7 + sum(row);
  if (x.maybe)
    s += 5 * sum(*x.maybe);
  if (x.far)
    s += 11 * sum(*x.far);
  s += x.either.index() ? 13 * sum(std::get<1>(x.either))
                        : std::get<0>(x.either);
  for (char c : x.text)
    s = s * 3 + c;
  return s;
}
static long sum(const Outer &x) {
  return sum(x.before) + 17 * sum(x.in) + 19 * sum(x.more[0]) +
         23 * sum(x.more[1]);
}

/// Writes to all that an object holds.
static void touch(Numbers &v) {
  for (int &x : v)
    x = x * 3 + 1;
}
static void touch(Inner &x) {
  touch(x.own);
  for (Numbers &row : x.rows)
    touch(row);
  if (x.maybe)
    touch(*x.maybe);
  if (x.far)
    touch(*x.far);
  if (x.either.index())
    touch(std::get<1>(x.either));
  for (char &c : x.text)
    c = char('a' + (c + 1) % 26);
}

// What a kernel does to two objects. Those without memory of the kernel's own:
struct SwapRows {
  static void change(Inner &a, Inner &b) { std::swap(a.rows[1], b.own); }
};
struct SwapAll {
  static void change(Inner &a, Inner &b) {
    std::swap(a.rows, b.rows), std::swap(a.text, b.text);
  }
};
struct SwapHolders {
  static void change(Inner &a, Inner &b) {
    std::swap(a.far, b.far), std::swap(*a.maybe, a.rows[2]);
  }
};
struct Clear {
  static void change(Inner &a, Inner &b) {
    a.rows[0].clear(), b.own.clear(), a.text.clear();
  }
};
// These allocate or free memory:
struct Move {
  static void change(Inner &a, Inner &b) {
    a.rows[0] = std::move(b.rows[2]), a.maybe = std::move(b.maybe);
  }
};
struct Assign {
  static void change(Inner &a, Inner &b) {
    a.own = b.rows[2], b.text = "short";
  }
};
struct Resize {
  static void change(Inner &a, Inner &b) {
    a.rows[1].resize(2), b.own.resize(40, 6);
  }
};
struct Append {
  static void change(Inner &a, Inner &b) {
    a.rows[2].push_back(5), b.rows.push_back(a.own), b.text += "and more of it";
  }
};
struct Reset {
  static void change(Inner &a, Inner &b) {
    a.maybe.reset(), b.far.reset(), b.either = 4;
  }
};

struct Way {
  int first, second;         ///< devices
  bool streams, scope, part; ///< is a part used first?
  bool late = false;         ///< a scope begins after the change
};

/// The launch of the change, and one that uses more than it did.
template <class Change>
static void onDevices(Outer &x, long &seen, const Way &way) {
  xcc::device::get(way.first).set_current();
  xcc::stream one;
  {
    std::optional<xcc::map> scope;
    if (way.scope)
      scope.emplace(x);
    if (way.part)
      xcc::launch({{1}, {1}, 0, one}, [&rows = x.in.rows] {
        for (Numbers &row : rows)
          touch(row);
      });
    xcc::launch({{1}, {1}, 0, one},
                [&a = x.in, &b = x.more[1]] { Change::change(a, b); });
    xcc::device::get(way.second).set_current();
    std::optional<xcc::map> late;
    if (way.late)
      late.emplace(x);
    xcc::stream other;
    xcc::stream &two = way.streams || way.second != way.first ? other : one;
    xcc::launch({{1}, {1}, 0, two}, [&x, &seen] { seen = sum(x); });
    xcc::launch({{1}, {1}, 0, two}, [&more = x.more] {
      for (Inner &in : more)
        touch(in);
    });
    xcc::launch({{1}, {1}, 0, two}, [&in = x.in] { touch(in); });
    two.synchronize();
    if (late)
      late->end();
  }
  xcc::synchronize();
  xcc::device::get(way.first).set_current();
  one.synchronize();
}

template <class Change>
static void onHost(Outer &x, long &seen, const Way &way) {
  if (way.part)
    for (Numbers &row : x.in.rows)
      touch(row);
  Change::change(x.in, x.more[1]);
  seen = sum(x);
  for (Inner &in : x.more)
    touch(in);
  touch(x.in);
}

template <class Change> static void test(const char *name, const Way &way) {
  Outer x, copy;
  long seen = 0, wanted = 0;
  onHost<Change>(copy, wanted, way);
  try {
    onDevices<Change>(x, seen, way);
  } catch (const xcc::error &e) {
    std::fprintf(stderr, "%s: %s\n", name, e.what());
  }
  if (seen == wanted && sum(x) == sum(copy))
    return;
  std::fprintf(stderr, "%s is wrong on %d and %d%s%s%s: %ld, not %ld\n", name,
               way.first, way.second, way.streams ? ", in two streams" : "",
               way.scope ? ", in a scope" : "",
               way.part   ? ", part first"
               : way.late ? ", then a scope"
                          : "",
               seen, wanted);
  std::exit(1);
}

int main() {
  const int devices = xcc::device::count();
  CHECK(devices == 4);
  for (int first = 0; first != devices; ++first)
    for (int second : {first, (first + 1) % devices})
      for (bool streams : {false, true})
        for (bool part : {false, true}) {
          Way way{first, second, streams, false, part};
          test<SwapRows>("swap", way);
          test<SwapAll>("swap of all", way);
          test<SwapHolders>("swap of holders", way);
          test<Clear>("clear", way);
          test<Move>("move", way);
          test<Assign>("assign", way);
          test<Resize>("resize", way);
          test<Append>("append", way);
          test<Reset>("reset", way);
          way.late = true;
          test<SwapRows>("swap", way);
          test<SwapHolders>("swap of holders", way);
          test<Move>("move", way);
          test<Append>("append", way);
          test<Reset>("reset", way);
          way.late = false;
          way.scope = true;
          test<SwapRows>("swap", way);
          test<SwapAll>("swap of all", way);
          test<SwapHolders>("swap of holders", way);
          test<Clear>("clear", way);
        }
}
