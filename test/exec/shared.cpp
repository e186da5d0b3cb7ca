// Block-shared memory: in functions, at namespace scope, in templates, of several
// shapes, and the launch's dynamic part after it. Tables of addresses of such
// memory, which the compiler makes constants of.
// RUN: %xcc -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
#include "Inputs/same.h"

#include <initializer_list>

constexpr unsigned n = 64;
static xcc::block_shared<int[n]> at_namespace_scope;
struct pair {
  int first;
  double second;
};
static xcc::block_shared<pair> one_object;

template <class T> T *scratch() {
  static xcc::block_shared<T[n]> memory;
  return memory.data();
}

void kernel(int *out) {
  static xcc::block_shared<char[3]> odd;
  static xcc::block_shared<double[4][n]> rows;
  const unsigned t = xcc::thread_idx().x, b = xcc::block_idx().x;
  at_namespace_scope[t] = t + b;
  scratch<short>()[t] = 2 * t;
  scratch<float>()[t] = 0.5f * t;
  rows[t % 4][t] = t;
  if (t == 0) {
    odd[2] = 5;
    one_object = pair{int(b), 2.5};
  }
  int *dynamic = xcc::dynamic_shared<int>();
  const unsigned count = xcc::dynamic_shared_bytes() / sizeof(int);
  for (unsigned i = t; i < count; i += n)
    dynamic[i] = i;
  xcc::sync_block();

  const unsigned u = n - 1 - t;
  bool right = at_namespace_scope[u] == int(u + b) &&
               scratch<short>()[u] == short(2 * u) &&
               scratch<float>()[u] == 0.5f * u && rows[u % 4][u] == u &&
               odd[2] == 5 && one_object.get().first == int(b) &&
               one_object.get().second == 2.5 &&
               reinterpret_cast<std::uintptr_t>(dynamic) % 64 == 0;
  for (unsigned i = 0; i < count; ++i)
    right = right && dynamic[i] == int(i);
  out[b * n + t] = right;
}

static xcc::block_shared<float[n]> tiles[4];
static xcc::block_shared<float[n]> more;

__attribute__((noinline)) static float *chosen(unsigned i) {
  switch (i) {
  case 0:
    return tiles[0].data();
  case 1:
    return tiles[1].data() + 1;
  case 2:
    return tiles[2].data();
  case 3:
    return more.data();
  case 4:
    return tiles[3].data();
  }
  return nullptr;
}

__attribute__((noinline)) static float ofTable(unsigned i) {
  float *const table[] = {tiles[0].data(), tiles[1].data(), tiles[2].data(),
                          more.data()};
  return table[i % 4][i];
}

__attribute__((noinline)) static float ofConstant(unsigned i) {
  static constexpr float *const table[] = {&tiles[2][0], &more[0]};
  return table[i % 2][i];
}

__attribute__((noinline)) static float sum(std::initializer_list<float *> list,
                                           unsigned i) {
  float s = 0;
  for (float *each : list)
    s += each[i];
  return s;
}

struct row {
  int factor;
  float *at;
  short offset;
};
__attribute__((noinline)) static float ofRows(const row *rows, unsigned i) {
  const row &r = rows[i % 3];
  return r.factor * r.at[i] + r.offset;
}

void tables(float *out) {
  const unsigned t = xcc::thread_idx().x, b = xcc::block_idx().x;
  for (unsigned i = 0; i < 4; ++i)
    tiles[i][t] = 1000 * i + t + b;
  more[t] = 9000 + t + b;
  xcc::sync_block();
  const row rows[] = {
      {2, more.data(), 5}, {3, tiles[1].data(), 6}, {4, tiles[3].data(), -7}};
  const unsigned i = t % (n - 1);
  out[b * n + t] = chosen(t % 5)[i] + 2 * ofTable(t) + 3 * ofConstant(t) +
                   4 * sum({tiles[1].data(), tiles[3].data()}, t) +
                   5 * ofRows(rows, t);
}

float expected(unsigned t, unsigned b) {
  auto tile = [&](unsigned which, unsigned i) {
    return (which == 4 ? 9000.f : 1000.f * which) + i + b;
  };
  const unsigned table[] = {0, 1, 2, 4}, cases[] = {0, 1, 2, 4, 3};
  const unsigned i = t % (n - 1);
  const float rows[] = {2 * tile(4, t) + 5, 3 * tile(1, t) + 6,
                        4 * tile(3, t) - 7};
  return tile(cases[t % 5], i + (t % 5 == 1)) + 2 * tile(table[t % 4], t) +
         3 * tile(t % 2 ? 4 : 2, t) + 4 * (tile(1, t) + tile(3, t)) +
         5 * rows[t % 3];
}

void checkTables() {
  xcc::buffer<float> out(3 * n);
  xcc::launch({{3}, {n}}, tables, out.data());
  std::vector<float> host(3 * n);
  out.copy_to(host.data(), host.size());
  for (unsigned i = 0; i < 3 * n; ++i)
    check(host[i] == expected(i % n, i / n), "tables of addresses");
}

int main() {
  checkTables();
  xcc::buffer<int> out(50 * n);
  for (std::size_t bytes : {0, 4, 1000, 200'000}) {
    out.fill(0);
    xcc::launch({{50}, {n}, bytes}, kernel, out.data());
    std::vector<int> host(50 * n);
    out.copy_to(host.data(), host.size());
    for (int right : host)
      check(right, "shared memory");
  }
  std::puts("memory is shared"); // CHECK: memory is shared
  try {
    xcc::launch({{1}, {n}, std::size_t(1) << 30}, kernel, out.data());
  } catch (const xcc::error &e) {
    std::printf("%s\n", e.what());
    // CHECK: kernel{{.*}}shared
  }
}
