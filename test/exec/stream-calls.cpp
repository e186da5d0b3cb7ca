// Functions of the host are called in a stream's order; xcc::allocator; how much
// memory is free.
// RUN: %xcc -O2 -std=c++17 %s -o %t && %t | FileCheck %s
#include "Inputs/same.h"

#include <atomic>
#include <memory>
#include <vector>

static void add(int *to, int n, int what) {
  if (auto i = xcc::global_id(); i < std::size_t(n))
    to[i] += what;
}

int main() {
  constexpr int n = 1000;
  xcc::stream first, second;
  // Between the kernels before and behind it, in their order.
  {
    std::vector<int, xcc::allocator<int>> data(n, 1);
    std::vector<int> seen;
    auto owned = std::make_unique<int>(7); // what is called may own
    first.call([&seen, &data] { seen.push_back(data[n - 1]); });
    for (int i = 0; i != 20; ++i) {
      xcc::launch({{(n + 63) / 64}, {64}, 0, first}, add, data.data(), n, 1);
      first.call([&seen, &data] {
        seen.push_back(data[n - 1]);
        data[n - 1] += 100;
      });
    }
    first.call([&seen, owned = std::move(owned)] { seen.push_back(*owned); });
    first.synchronize();
    int wrong = seen.size() != 22 || seen.back() != 7;
    for (int i = 0; i <= 20; ++i)
      wrong += seen[i] != 1 + i + 100 * (i ? i - 1 : 0);
    std::printf("%d wrong, %d\n", wrong, data[0]);
    // CHECK: 0 wrong, 21
  }
  // What other streams do waits for a call by an event behind it.
  {
    xcc::host_buffer<int> value(1);
    value[0] = 0;
    int *at = value.data();
    xcc::event done;
    std::atomic<int> calls{0};
    first.call([&] {
      at[0] = 5;
      ++calls;
    });
    done.record(first);
    second.wait(done);
    xcc::launch({{1}, {1}, 0, second}, add, at, 1, 2);
    second.call([&] { ++calls; });
    second.synchronize();
    std::printf("%d after %d calls\n", at[0], calls.load());
    // CHECK: 7 after 2 calls
  }
  // The default stream's, by the C interface; and what cannot be called.
  {
    int called = 0;
    auto count = [](void *data) { ++*static_cast<int *>(data); };
    xcc::detail::check(xcc_stream_call(nullptr, count, &called));
    xcc::synchronize();
    const bool refused =
        xcc_stream_call(nullptr, nullptr, nullptr) == XCC_ERROR_INVALID_VALUE;
    std::printf("%d %d\n", called, refused);
    // CHECK: 1 1
  }
  // A container with the allocator goes to kernels like any other.
  {
    std::vector<double, xcc::allocator<double>> data(n, 0.5);
    xcc::parallel_for(n, [&](std::size_t i) { data[i] += double(i); });
    xcc::synchronize();
    std::vector<double, xcc::allocator<double>> copy(data);
    std::printf("%g %d\n", copy[n - 1], copy == data);
    // CHECK: 999.5 1
  }
  const auto device = xcc::device::current();
  const auto before = device.free_memory();
  std::printf("%d\n", before > 0 && before <= device.memory());
  // CHECK: 1
}
