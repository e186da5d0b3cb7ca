// Closures: nested, generic, with captures of every kind.
// RUN: %everywhere
#include "Inputs/check.h"

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

static void nested() {
  std::vector<int> a(10, 1), b(10, 2);
  int shift = 3;
  auto get = [&a](std::size_t i) -> int & { return a[i]; };
  auto both = [get, &b](std::size_t i) { return get(i) + b[i]; };
  auto all = [both, &get, &shift](std::size_t i) { get(i) = both(i) + shift; };
  xcc::parallel_for(10, [&all](std::size_t i) { all(i); });
  xcc::synchronize();
  shift = 5;
  xcc::parallel_for(10, [all](std::size_t i) { all(i); });
  xcc::synchronize();
  CHECK(a == std::vector<int>(10, 13));
}

static void generic() {
  std::vector<double> x{1, 2, 3};
  std::vector<std::string> names{"one", "two and some more characters",
                                 "three"};
  auto size = [](const auto &v) { return v.size(); };
  auto apply = [&](auto f, auto &on, std::size_t i) { f(on[i]); };
  std::array<std::size_t, 3> sizes{};
  xcc::parallel_for(3, [&](std::size_t i) {
    sizes[i] = size(x) * 100 + size(names[i]);
    apply([](double &v) { v *= 2; }, x, i);
    apply([i](std::string &s) { s[0] = char('A' + i); }, names, i);
  });
  xcc::synchronize();
  CHECK(x[2] == 6 && names[1][0] == 'B' && sizes[1] == 328 && sizes[0] == 303);
  xcc::launch(
      {{1}, {2}},
      [&](auto factor, const auto &from) {
        x[xcc::thread_idx().x] = factor * double(from.size());
      },
      3, std::array<int, 0>());
  xcc::synchronize();
  CHECK(x[0] == 0 && x[1] == 0 && x[2] == 6);
}

static void captures() {
  std::vector<int> v(6, 1);
  std::pair<std::vector<int>, std::string> pair{{1, 2, 3, 4, 5, 6}, "text"};
  std::tuple<int, double> both{4, .5};
  auto &[list, text] = pair;
  auto [number, half] = both;
  const int rows[2][3] = {{1, 2, 3}, {4, 5, 6}};
  std::optional<int> maybe = 3;
  int *const inside = &v[2];
  xcc::parallel_for(6, [&, number, inside, copy = std::array{1, 2, 3, 4, 5, 6},
                        &alias = list, plus = half + 1](std::size_t i) {
    alias[i] += rows[i / 3][i % 3] * number + copy[i];
    if (i == 2 && v.size() == 6)
      *inside = int(plus * 10) + maybe.value() + int(text.size());
  });
  xcc::synchronize();
  CHECK(pair.first[5] == 6 + 24 + 6 && pair.first[0] == 6 &&
        v[2] == 15 + 3 + 4 && v[1] == 1);
}

/// Owned by the closure, and by value.
static void closuresOwn() {
  std::vector<int> out(4);
  std::vector<int> weights{1, 2, 3, 4};
  std::string text = "a text that a closure has its own copy of";
  auto body = [weights, text, &out](std::size_t i) {
    out[i] = weights[i] * int(text.size());
  };
  weights.assign(4, 0);
  text.clear();
  xcc::parallel_for(4, [&body](std::size_t i) { body(i); });
  xcc::synchronize();
  CHECK(out == std::vector<int>({41, 82, 123, 164}));
  auto owner = std::make_unique<int[]>(4);
  owner[3] = 5;
  auto moved = [owned = std::move(owner), &out](std::size_t i) {
    out[i] = owned[3];
  };
  auto &use = moved;
  xcc::launch({{1}, {4}}, [&use] { use(xcc::thread_idx().x); });
  xcc::synchronize();
  CHECK(out == std::vector<int>(4, 5));
}

/// Member functions: this, *this, and members by way of both.
struct Filter {
  std::vector<float> taps{.25f, .5f, .25f};
  std::vector<float> state;
  float gain = 2;
  int uses = 0;
  void run(const std::vector<float> &in, std::vector<float> &out) {
    auto tap = [this](std::size_t k) { return taps[k] * gain; };
    xcc::parallel_for(out.size(), [&, this](std::size_t i) {
      float sum = 0;
      for (std::size_t k = 0; k < taps.size(); ++k)
        if (i + k < in.size())
          sum += tap(k) * in[i + k];
      out[i] = sum;
      state[i] += sum;
      if (!i)
        ++uses;
    });
    xcc::synchronize(); // 'tap' ends here
  }
  void copied(std::vector<float> &out) const {
    xcc::parallel_for(out.size(), [me = std::cref(*this), &out](std::size_t i) {
      out[i] = me.get().state[i] * me.get().gain + float(me.get().uses);
    });
  }
};
static void members() {
  std::vector<float> in(8, 1), out(6);
  Filter f;
  f.state.assign(6, 1);
  f.run(in, out);
  f.run(in, out);
  CHECK(out[0] == 2 && f.state[0] == 5 && f.uses == 2);
  f.copied(out);
  xcc::synchronize();
  CHECK(out[5] == 12);
}

/// Function objects with state, as kernels.
template <class T> struct Scale {
  std::vector<T> &on;
  const T &by;
  void operator()(std::size_t i) const { on[i] *= by; }
};
struct Adder {
  std::array<int, 3> amounts;
  void operator()(std::vector<int> &to, const int &more) const {
    auto i = xcc::thread_idx().x;
    to[i] += amounts[i] + more;
  }
};
static void objects() {
  std::vector<int> v{1, 2, 3};
  int by = 4, more = 100;
  xcc::parallel_for(3, Scale<int>{v, by});
  xcc::launch({{1}, {3}}, Adder{{1, 1, 1}}, v, more);
  const Adder constant{{2, 2, 2}};
  xcc::launch({{1}, {3}}, constant, v, more);
  xcc::synchronize();
  CHECK(v == std::vector<int>({207, 211, 215}));
}

/// A mutable closure, whose copy each thread has; a closure in a vector.
static void ownState() {
  std::vector<int> out(4);
  int start = 10;
  xcc::launch({{1}, {4}},
              [&out, start, list = std::array<int, 2>{1, 2}]() mutable {
                start += int(xcc::thread_idx().x);
                list[0] += start;
                out[xcc::thread_idx().x] = list[0];
              });
  auto add = [&out, by = 5](std::size_t i) { out[i] += by; };
  std::vector<decltype(add)> several(3, add);
  xcc::synchronize();
  xcc::parallel_for(4, [&](std::size_t i) {
    for (auto &f : several)
      f(i);
  });
  xcc::synchronize();
  CHECK(out == std::vector<int>({26, 27, 28, 29}) && start == 10);
}

/// Recursion, by way of a closure that gets itself.
static void recursion() {
  std::vector<long> out(10);
  auto fib = [](auto &self, long n) -> long {
    return n < 2 ? n : self(self, n - 1) + self(self, n - 2);
  };
  xcc::parallel_for(10, [&](std::size_t i) { out[i] = fib(fib, long(i)); });
  xcc::synchronize();
  CHECK(out[9] == 34);
}

/// References of references, and what they are bound to at the launch.
static void references() {
  std::vector<int> a(3, 1), b(3, 2);
  std::vector<int> *chosen = &a;
  auto &r = chosen;
  auto &same = *r;
  const auto &constant = same;
  auto wrapped = std::ref(same);
  int &&temporary = 5;
  std::vector<std::reference_wrapper<std::vector<int>>> both{a, b};
  xcc::parallel_for(3, [&](std::size_t i) {
    same[i] += constant[i] + temporary;
    wrapped.get()[i] += 100;
    both[1].get()[i] += both[0].get()[i];
  });
  xcc::synchronize();
  CHECK(a == std::vector<int>(3, 107) && b == std::vector<int>(3, 109));
  // A pointer that is captured by reference is an object too.
  xcc::launch({{1}, {1}}, [&, scope = 0] {
    (void)scope;
    (*chosen)[0] = b[0] + int(a.size()) - 3;
    chosen = &b;
  });
  xcc::synchronize();
  CHECK(a[0] == 109 && chosen == &b);
}

int main() {
  nested();
  generic();
  captures();
  closuresOwn();
  members();
  objects();
  ownState();
  recursion();
  references();
}
