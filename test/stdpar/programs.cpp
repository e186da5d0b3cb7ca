// -foffload-stdpar: small programs as people write them, without a header of ours,
// give what the same without a policy gives, on each device.
// RUN: %xcc -O2 -std=c++20 -w -foffload-stdpar --offload-arch=host,sm_90 -foffload-no-cubin %s -o %t
// RUN: env XCC_STDPAR_LEAST=64 %t | FileCheck %s
// RUN: env XCC_STDPAR_LEAST=64 XCC_CPU_SEPARATE=1 %t | FileCheck %s
// RUN: env XCC_STDPAR_LEAST=64 XCC_DEVICE=sim:sm_90 %t | FileCheck %s
// CHECK: 20 programs give the same
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <deque>
#include <execution>
#include <functional>
#include <iterator>
#include <numeric>
#include <ranges>
#include <span>
#include <string_view>
#include <vector>

static int failures, programs;
static unsigned mixed(std::size_t i) {
  const unsigned v = unsigned(i) * 2654435761u;
  return v ^ v >> 15;
}
/// Calls the same with a policy that allows a device, and with seq.
template <class Program> static void same(const char *name, Program program) {
  if (program(std::execution::par_unseq) != program(std::execution::seq))
    std::printf("wrong: %s\n", name), ++failures;
  ++programs;
}

struct vec3 {
  float x, y, z;
  vec3 operator+(vec3 o) const { return {x + o.x, y + o.y, z + o.z}; }
  bool operator==(const vec3 &) const = default;
};
struct body {
  vec3 at, speed;
  float mass;
  bool operator==(const body &) const = default;
};
static std::vector<body> bodies(std::size_t n) {
  std::vector<body> all(n);
  for (std::size_t i = 0; i < n; ++i)
    all[i] = {{float(mixed(i) % 64), float(i % 7), float(i % 3)}, {}, 1};
  return all;
}

/// A grid of cells that steps itself: algorithms capture `this`.
class grid {
public:
  grid(int width, int height)
      : width(width), height(height), cells(width * height),
        next(width * height) {
    for (std::size_t i = 0; i < cells.size(); ++i)
      cells[i] = mixed(i) % 3 == 0;
  }
  template <class Policy> void step(Policy policy) {
    auto all = std::views::iota(0, width * height);
    std::for_each(policy, all.begin(), all.end(), [this](int i) {
      const int x = i % width, y = i / width;
      int around = 0;
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
          around += (dx || dy) && at(x + dx, y + dy);
      next[i] = around == 3 || (around == 2 && cells[i]);
    });
    std::swap(cells, next);
  }
  const std::vector<int> &all() const { return cells; }

private:
  int width, height;
  std::vector<int> cells, next;
  int at(int x, int y) const {
    return x >= 0 && y >= 0 && x < width && y < height ? cells[y * width + x]
                                                       : 0;
  }
};

/// An object that compares by a member.
template <class Type, class Member> struct by {
  Member Type::*member;
  bool operator()(const Type &a, const Type &b) const {
    return a.*member < b.*member;
  }
};
struct person {
  int age, number;
  char name[12];
  bool operator==(const person &o) const {
    return age == o.age && number == o.number;
  }
};
static std::vector<person> people(std::size_t n) {
  std::vector<person> all(n);
  for (std::size_t i = 0; i < n; ++i) {
    all[i] = {int(mixed(i) % 90), int(i), {}};
    std::snprintf(all[i].name, 12, "p%u", mixed(i) % 1000);
  }
  return all;
}
template <class Range>
static auto sum_of_squares(auto policy, const Range &range) {
  using value = std::ranges::range_value_t<Range>;
  return std::transform_reduce(policy, std::begin(range), std::end(range),
                               value(), std::plus<>(),
                               [](const value &v) { return v * v; });
}

static void physics() {
  same("forces of bodies", [](auto policy) {
    auto all = bodies(200);
    auto indices = std::views::iota(std::size_t(0), all.size());
    std::for_each(policy, indices.begin(), indices.end(), [&](std::size_t i) {
      vec3 sum{};
      for (const body &other : all) {
        const float dx = other.at.x - all[i].at.x, d = dx * dx + 1;
        sum = sum + vec3{dx / d, other.mass, 0};
      }
      all[i].speed = sum;
    });
    return all;
  });
  same("centre of mass", [](auto policy) {
    const auto all = bodies(3000);
    return std::transform_reduce(policy, all.begin(), all.end(), vec3{},
                                 std::plus<>(),
                                 [](const body &b) { return b.at; });
  });
  same("steps of a grid", [](auto policy) {
    grid cells(40, 30);
    for (int i = 0; i < 3; ++i)
      cells.step(policy);
    return cells.all();
  });
}

static void matrices() {
  same("product of matrices", [](auto policy) {
    constexpr int n = 24;
    std::vector<int> a(n * n), b(n * n), c(n * n);
    std::iota(a.begin(), a.end(), 0), std::iota(b.begin(), b.end(), 5);
    std::for_each(policy, c.begin(), c.end(), [&, first = c.data()](int &out) {
      const int i = int(&out - first) / n, j = int(&out - first) % n;
      for (int k = 0; k < n; ++k)
        out += a[i * n + k] * b[k * n + j];
    });
    return c;
  });
  same("transposed", [](auto policy) {
    constexpr int rows = 40, columns = 30;
    std::vector<double> in(rows * columns), out(rows * columns);
    std::iota(in.begin(), in.end(), 1.0);
    auto all = std::views::iota(0, rows * columns);
    std::for_each(policy, all.begin(), all.end(),
                  [in = std::span(in), out = std::span(out)](int i) {
                    out[i % columns * rows + i / columns] = in[i];
                  });
    return out;
  });
  same("rows", [](auto policy) {
    std::vector<std::array<int, 8>> rows(500);
    for (std::size_t i = 0; i < rows.size(); ++i)
      rows[i].fill(int(mixed(i) % 50));
    std::vector<int> sums(rows.size());
    std::transform(policy, rows.begin(), rows.end(), sums.begin(),
                   [](const std::array<int, 8> &row) {
                     return std::accumulate(row.begin(), row.end(), 0);
                   });
    return sums;
  });
}

static void counts() {
  same("histogram", [](auto policy) {
    std::vector<unsigned> values(5000);
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = mixed(i) % 32;
    std::vector<int> bins(32);
    std::for_each(policy, values.begin(), values.end(), [&](unsigned v) {
      std::atomic_ref(bins[v]).fetch_add(1, std::memory_order_relaxed);
    });
    return bins;
  });
  same("dot product by index", [](auto policy) {
    std::vector<long> a(3000), b(3000);
    std::iota(a.begin(), a.end(), 1), std::iota(b.rbegin(), b.rend(), 3);
    auto all = std::views::iota(std::size_t(0), a.size());
    return std::transform_reduce(
        policy, all.begin(), all.end(), 0l, std::plus<>(),
        [x = a.data(), y = b.data()](std::size_t i) { return x[i] * y[i]; });
  });
  same("lengths of names", [](auto policy) {
    const auto all = people(800);
    std::vector<std::size_t> out(all.size());
    std::transform(policy, all.begin(), all.end(), out.begin(),
                   [](const person &p) { return std::strlen(p.name); });
    return out;
  });
  same("in a template", [](auto policy) {
    std::vector<int> ints(700);
    std::iota(ints.begin(), ints.end(), -300);
    std::array<double, 256> doubles;
    std::iota(doubles.begin(), doubles.end(), 0.0);
    return sum_of_squares(policy, ints) + sum_of_squares(policy, doubles);
  });
  same("words", [](auto policy) {
    std::string text;
    for (int i = 0; i < 900; ++i)
      text += mixed(i) % 4 ? 'a' : ' ';
    return std::transform_reduce(
        policy, text.begin() + 1, text.end(), text.begin(),
        int(text[0] != ' '), std::plus<>(),
        [](char now, char before) { return now != ' ' && before == ' '; });
  });
}

static void orders() {
  same("people by age", [](auto policy) {
    auto all = people(900);
    std::stable_sort(policy, all.begin(), all.end(),
                     by<person, int>{&person::age});
    return all;
  });
  same("the young first", [](auto policy) {
    auto all = people(900);
    const auto end =
        std::stable_partition(policy, all.begin(), all.end(),
                              [limit = 30](auto &p) { return p.age < limit; });
    return std::pair(all, end - all.begin());
  });
  same("indices by value", [](auto policy) {
    std::vector<float> values(800);
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = float(mixed(i) >> 9);
    std::vector<int> order(values.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(policy, order.begin(), order.end(), [&](int a, int b) {
      return values[a] != values[b] ? values[a] < values[b] : a < b;
    });
    return order;
  });
  same("sets with duplicates", [](auto policy) {
    std::vector<int> a(900), b(700), out(1600);
    for (std::size_t i = 0; i < a.size(); ++i)
      a[i] = int(i / 3);
    for (std::size_t i = 0; i < b.size(); ++i)
      b[i] = int(i / 2);
    std::vector<int> different(1600);
    const auto end = std::set_union(policy, a.begin(), a.end(), b.begin(),
                                    b.end(), out.begin());
    const auto last = std::set_symmetric_difference(
        policy, a.begin(), a.end(), out.begin() + 1, end - 200,
        different.begin());
    return std::pair(different, last - different.begin());
  });
}

static void ranges() {
  same("sums in place", [](auto policy) {
    std::vector<int> v(1000, 3);
    std::inclusive_scan(policy, v.begin(), v.end(), v.begin());
    std::exclusive_scan(policy, v.begin(), v.end(), v.begin(), 7);
    return v;
  });
  same("a deque", [](auto policy) {
    std::deque<int> all(1500);
    std::iota(all.begin(), all.end(), 0);
    std::for_each(policy, all.begin() + 5, all.end() - 9,
                  [](int &v) { v = v * 3 + 1; });
    return all;
  });
  same("backwards", [](auto policy) {
    std::vector<int> v(1000), out(1000);
    std::iota(v.begin(), v.end(), 0);
    std::copy_if(policy, v.rbegin(), v.rend(), out.begin(),
                 [](int i) { return i % 3 == 1; });
    std::transform(policy, v.crbegin(), v.crend(), v.begin(), out.rbegin(),
                   std::minus<>());
    return out;
  });
  same("neighbours", [](auto policy) {
    std::vector<int> v(1000), out(1000);
    for (std::size_t i = 0; i < v.size(); ++i)
      v[i] = int(mixed(i / 3) % 100);
    std::adjacent_difference(policy, v.begin(), v.end(), out.begin());
    auto end = std::unique_copy(policy, v.begin(), v.end(), out.begin() + 1);
    end = std::unique(policy, out.begin(), end);
    return std::vector<int>(out.begin(), end);
  });
  same("halves", [](auto policy) {
    std::vector<int> v(1000), low(1000), high(1000);
    for (std::size_t i = 0; i < v.size(); ++i)
      v[i] = int(mixed(i) % 1000);
    const auto ends = std::partition_copy(policy, v.begin(), v.end(),
                                          low.begin(), high.begin(),
                                          [](int i) { return i < 300; });
    low.resize(ends.first - low.begin()), high.resize(ends.second - high.begin());
    return std::pair(low, high);
  });
}

int main() {
  physics();
  matrices();
  counts();
  orders();
  ranges();
  if (!failures)
    std::printf("%d programs give the same\n", programs);
  return failures != 0;
}
