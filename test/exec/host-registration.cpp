// Memory that the program has is made page-locked, and kernels reach it at its
// address; managed memory; streams of a priority; what an allocation in stream
// order comes from. Each goes back as it came, and once.
// RUN: %xcc -O0 -std=c++17 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 -std=c++17 %s -o %t && %t | FileCheck %s
#include "Inputs/same.h"

#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <vector>

static void add(int *to, int n, int what) {
  if (auto i = xcc::global_id(); i < std::size_t(n))
    to[i] += what;
}

static const char *ending(xcc_status status) {
  return status == XCC_SUCCESS ? "done" : xcc_error_last();
}

int main() {
  constexpr int n = 10000;
  constexpr unsigned blocks = (n + 255) / 256;
  // Registered: a kernel, and copies there and back.
  {
    std::vector<int> data(2 * n, 1), back(2 * n);
    std::iota(data.begin(), data.begin() + n, 0);
    xcc::buffer<int> there(2 * n);
    {
      xcc::host_registration locked(data.data(), n * sizeof(int));
      xcc::stream s;
      xcc::launch({{blocks}, {256}, 0, s}, add, data.data(), n, 5);
      s.copy(there.data(), data.data(), n);
      s.call([&] { data[0] = -1; });
      s.copy(there.data() + n, data.data() + n - 10, 10);
      s.copy(there.data() + n + 10, data.data() + n, 10);
      s.copy(back.data(), there.data(), 2 * n);
      s.synchronize();
      std::printf("%s\n", ending(xcc_memory_copy(there.data(), data.data() + n - 1, 8)));
      // CHECK: 8 bytes from {{.*}} reach past the end of an allocation of 40000 bytes {{.*}}registered memory
    }
    int wrong = data[0] != -1;
    for (int i = 0; i < n; ++i)
      wrong += back[i] != i + 5;
    for (int i = 0; i < 20; ++i)
      wrong += back[n + i] != (i < 10 ? n - 10 + i + 5 : 1);
    // It is memory like any other again.
    xcc::parallel_for(n, [&](std::size_t i) { data[i] += 1; });
    xcc::synchronize();
    std::printf("registered: %d wrong, %d\n", wrong, data[n - 1]);
    // CHECK: registered: 0 wrong, 10005
  }
  {
    std::vector<int> data(n, 3), none;
    xcc::host_registration locked(data), nothing(none), moved(std::move(locked));
    xcc::parallel_for(n, [p = data.data()](std::size_t i) { p[i] *= 2; });
    xcc::synchronize();
    std::printf("a container: %d\n", data[n - 1]);
    // CHECK: a container: 6
    std::printf("%s\n", ending(xcc_memory_register(data.data() + 5, 8)));
    // CHECK: xcc_memory_register: some of the 8 bytes from {{.*}} are registered already, or were allocated with xcc
    std::printf("%s\n", ending(xcc_memory_free_host(data.data())));
    // CHECK: xcc_memory_free_host: {{.*}} does not come from xcc_memory_alloc_host; free it with xcc_memory_unregister
  }
  // Managed: host and kernels by turns.
  {
    xcc::managed_buffer<int> shared(n);
    std::iota(shared.begin(), shared.end(), 0);
    for (int turn = 0; turn < 3; ++turn) {
      xcc::launch({{blocks}, {256}}, add, shared.data(), n, 10);
      xcc::synchronize();
      for (int &v : shared)
        v += 1;
    }
    xcc::buffer<int> there(n);
    xcc::stream s;
    s.copy(there.data(), shared.data(), n);
    s.fill(shared.data(), 4, 100);
    s.copy(shared.data() + 50, there.data(), 50);
    s.synchronize();
    std::printf("managed: %d %d %d %d\n", shared[n - 1], shared[0], shared[50],
                shared[99]);
    // CHECK: managed: 10032 4 33 82
    std::printf("%s\n", ending(xcc_memory_free(shared.data())));
    // CHECK: xcc_memory_free: {{.*}} does not come from xcc_memory_alloc; free it with xcc_memory_free_managed
    std::printf("%s\n", ending(xcc_memory_free_async(shared.data(), nullptr)));
    // CHECK: xcc_memory_free_async: {{.*}} free it with xcc_memory_free_managed
    std::printf("%s\n", ending(xcc_memory_unregister(shared.data())));
    // CHECK: xcc_memory_unregister: {{.*}} free it with xcc_memory_free_managed
    xcc::buffer<int> own(10);
    std::printf("%s\n", ending(xcc_memory_free_managed(own.data())));
    // CHECK: xcc_memory_free_managed: {{.*}} free it with xcc_memory_free
    std::printf("%s\n", ending(xcc_memory_copy(shared.data() + n - 1, own.data(), 8)));
    // CHECK: reach past the end of an allocation of 40000 bytes {{.*}}managed memory
  }
  // Twice, and what was never there.
  {
    std::vector<int> data(n);
    std::printf("%s, ", ending(xcc_memory_register(data.data(), n * 4)));
    std::printf("%s\n", ending(xcc_memory_register(data.data(), n * 4)));
    // CHECK: done, xcc_memory_register: some of the 40000 bytes
    std::printf("%s, ", ending(xcc_memory_unregister(data.data())));
    std::printf("%s\n", ending(xcc_memory_unregister(data.data())));
    // CHECK: done, xcc_memory_unregister: {{.*}} was not allocated with xcc_memory_register, or is already free
    std::printf("%d %d %d\n", xcc_memory_register(nullptr, 8),
                xcc_memory_register(data.data(), 0), xcc_memory_unregister(nullptr));
    // CHECK: 1 1 1
    std::printf("%s\n", ending(xcc_memory_register(data.data(), SIZE_MAX)));
    // CHECK: are no memory of the host
    std::printf("%d\n", xcc_memory_alloc_managed(SIZE_MAX / 2, nullptr));
    // CHECK: 1
    void *p = &data;
    const xcc_status much = xcc_memory_alloc_managed(SIZE_MAX / 2, &p);
    std::printf("%d %d\n", int(much), int(p == nullptr));
    // CHECK: 7 1
  }
  // Priorities: what the device has, and nothing else.
  {
    const auto device = xcc::device::current();
    const int least = device.least_priority(),
              greatest = device.greatest_priority();
    std::printf("range: %d\n", least >= 0 && greatest <= 0);
    // CHECK: range: 1
    xcc::buffer<int> sums(n);
    sums.fill(0);
    for (int priority = greatest; priority <= least; ++priority) {
      xcc::stream s(priority);
      xcc::launch({{blocks}, {256}, 0, s}, add, sums.data(), n, 1);
      s.synchronize();
    }
    int sum;
    sums.copy_to(&sum, 1);
    std::printf("streams: %d\n", sum == least - greatest + 1);
    // CHECK: streams: 1
    try {
      xcc::stream beyond(greatest - 1);
    } catch (const xcc::error &e) {
      std::printf("%d: %s\n", int(e.status()), e.what());
    }
    // CHECK: 1: device {{.*}} has no streams of priority {{.*}}; the most urgent is
  }
  // Pools: what is in use is known; what is kept can be given back.
  {
    const auto device = xcc::device::current();
    xcc::stream s;
    void *p = nullptr;
    xcc::detail::check(xcc_memory_alloc_async(1 << 20, s.handle(), &p));
    const bool used = device.pool().used == 1 << 20;
    xcc::detail::check(xcc_memory_free_async(p, s.handle()));
    s.synchronize();
    device.set_pool_limit(0);
    device.trim_pool();
    const auto now = device.pool();
    std::printf("pool: %d %d %d\n", used, int(now.used), int(now.kept));
    // CHECK: pool: 1 0 0
  }
}
