// Block-shared memory: in functions, at namespace scope, in templates, of
// several shapes, and the launch's dynamic part behind it.
// RUN: %xcc -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
#include "Inputs/same.h"

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

int main() {
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
