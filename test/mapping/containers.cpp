// Containers of containers, and what the standard library wraps values in.
// RUN: %everywhere
#include "Inputs/check.h"

#include <algorithm>
#include <array>
#include <complex>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <queue>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <variant>
#include <vector>

struct Item {
  std::string name;
  std::vector<int> v;
  int total;
};
static void nested() {
  std::vector<std::vector<Item>> all(3);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j <= i; ++j)
      all[i].push_back(
          {i % 2 ? std::string("short")
                 : std::string("a name that is much longer than sixteen"),
           std::vector<int>(j + 1, i), 0});
  xcc::launch({{1}, {3}}, [&] {
    auto &r = all[xcc::thread_idx().x];
    for (auto &it : r) {
      for (int x : it.v)
        it.total += x;
      it.total += 100 * int(it.name.size());
      it.name[0] = 'X';
    }
  });
  xcc::synchronize();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j <= i; ++j) {
      auto &it = all[i][j];
      CHECK(it.total == (j + 1) * i + 100 * int(it.name.size()));
      CHECK(it.name[0] == 'X');
      CHECK(it.name.substr(1) ==
            (i % 2 ? "hort" : " name that is much longer than sixteen"));
    }
  all[0].push_back({"z", {1}, 2});
  all.clear();
}

static void wrapped() {
  std::optional<std::vector<int>> o = std::vector<int>{1, 2, 3}, n;
  std::variant<int, std::vector<double>> v = std::vector<double>(4, 1.5);
  std::variant<int, std::vector<double>> w = 7;
  std::tuple<int, std::vector<int>, std::pair<float, std::string>> t{
      1, {4, 5}, {2.5f, "abc"}};
  int seen = 0;
  xcc::launch({{1}, {1}}, [&] {
    (*o)[1] = 20;
    std::get_if<1>(&v)->at(3) = 9;
    *std::get_if<0>(&w) += 1;
    std::get<1>(t)[0] = 40;
    std::get<2>(t).second[2] = 'z';
    seen = n.has_value() ? 1 : 2;
  });
  xcc::synchronize();
  CHECK((*o)[1] == 20);
  CHECK(std::get<1>(v)[3] == 9);
  CHECK(std::get<0>(w) == 8);
  CHECK(std::get<1>(t)[0] == 40);
  CHECK(std::get<2>(t).second == "abz");
  CHECK(seen == 2);
}

struct P {
  int a;
  std::vector<int> v;
};
static void owned() {
  auto u = std::make_unique<int[]>(100);
  auto p = std::make_unique<P>();
  p->v.assign(3, 1);
  std::unique_ptr<int[]> z;
  int n = 0;
  xcc::parallel_for(100, [&](std::size_t i) {
    u[i] = int(i) * 2;
    if (i == 0) {
      p->a = 5;
      p->v[2] = 8;
      n = z ? 1 : 3;
    }
  });
  xcc::synchronize();
  for (int i = 0; i < 100; ++i)
    CHECK(u[i] == 2 * i);
  CHECK(p->a == 5);
  CHECK(p->v[2] == 8);
  CHECK(n == 3);
}

static void complexNumbers() {
  std::vector<std::complex<double>> z(16, {1, 2});
  std::vector<char> f(16);
  std::complex<float> c{1, 1};
  xcc::parallel_for(16, [&](std::size_t i) {
    z[i] *= std::complex<double>(0, 1);
    f[i] = char(z[i].real() < 0);
    if (!i)
      c += 2.f;
  });
  xcc::synchronize();
  for (int i = 0; i < 16; ++i) {
    CHECK(z[i] == std::complex<double>(-2, 1));
    CHECK(f[i] == 1);
  }
  CHECK(c == std::complex<float>(3, 1));
}

static void arrays() {
  int a[10] = {};
  float m[4][4] = {};
  std::array<std::array<int, 3>, 3> g{};
  xcc::launch({{1}, {3}}, [&] {
    auto i = xcc::thread_idx().x;
    a[i] = int(i) + 1;
    m[i][i] = 1;
    g[i][2] = 9;
  });
  xcc::synchronize();
  for (int i = 0; i < 3; ++i) {
    CHECK(a[i] == i + 1);
    CHECK(m[i][i] == 1);
    CHECK(g[i][2] == 9);
  }
  CHECK(a[5] == 0);
}

static void algorithms() {
  std::vector<std::vector<int>> rows(8);
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 20; ++j)
      rows[i].push_back((j * 7 + i) % 20);
  xcc::parallel_for(
      8, [&](std::size_t i) { std::sort(rows[i].begin(), rows[i].end()); });
  xcc::synchronize();
  for (auto &r : rows)
    for (int j = 0; j < 20; ++j)
      CHECK(r[j] == j);
  int total = 0;
  xcc::launch({{1}, {1}}, [&] {
    for (auto &r : rows)
      total += std::accumulate(r.begin(), r.end(), 0);
  });
  xcc::synchronize();
  CHECK(total == 8 * 190);
}

struct Cfg {
  const int n;
  const std::vector<int> t;
};
static void constants() {
  const std::vector<int> c(10, 3);
  const Cfg cfg{10, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}};
  const char *const msg = "text";
  static const int table[4] = {1, 2, 3, 4};
  int s = 0;
  xcc::launch({{1}, {1}}, [&] {
    for (int i = 0; i < cfg.n; ++i)
      s += c[i] * cfg.t[i] + table[i % 4];
  });
  xcc::synchronize();
  (void)msg;
  CHECK(s == 165 + (1 + 2 + 3 + 4) * 2 + 1 + 2);
}

/// What a container compares and hashes its keys with may refer to something.
struct Order {
  const std::vector<int> *ranks;
  bool operator()(int a, int b) const { return (*ranks)[a] < (*ranks)[b]; }
};
struct Hash {
  const std::vector<int> *ranks;
  std::size_t operator()(int a) const { return std::size_t((*ranks)[a % 4]); }
};
struct Equal {
  std::shared_ptr<std::vector<int>> modulo;
  bool operator()(int a, int b) const {
    return a % (*modulo)[0] == b % (*modulo)[0];
  }
};
static void functions() {
  std::vector<int> ranks{3, 1, 2, 0};
  std::set<int, Order> set(Order{&ranks});
  std::map<int, int, Order> map(Order{&ranks});
  auto less = [&](int a, int b) { return ranks[a] < ranks[b]; };
  std::priority_queue<int, std::vector<int>, decltype(less)> queue(less);
  auto modulo = std::make_shared<std::vector<int>>(1, 100);
  std::unordered_map<int, int, Hash, Equal> table(8, Hash{&ranks},
                                                  Equal{modulo});
  for (int i = 0; i != 4; ++i)
    set.insert(i), queue.push(i), map[i] = i * 2, table[i] = i * 3;
  int sum = 0;
  xcc::launch({{1}, {1}}, [&] {
    sum = 1000 * *set.begin() + 100 * queue.top() + 10 * int(set.count(2)) +
          map.at(1) + table.at(102);
    ranks[0] = 7;
  });
  xcc::synchronize();
  CHECK(sum == 3000 + 0 + 10 + 2 + 6 && ranks[0] == 7);
}

int main() {
  functions();
  nested();
  wrapped();
  owned();
  complexNumbers();
  arrays();
  algorithms();
  constants();
}
