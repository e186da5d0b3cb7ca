// std::atomic and std::atomic_ref among all threads.
// RUN: %xcc -O0 -std=c++20 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 -std=c++20 %s -o %t && %t | FileCheck %s
#include "Inputs/same.h"
#include <atomic>

struct counters {
  int plain;
  unsigned smallest, bits;
  float real;
  double product;
  std::atomic<long long> atomic;
  unsigned char byte;
  int lock, guarded;
};

void count(counters *c) {
  static xcc::block_shared<int> in_block;
  const unsigned i = xcc::global_id();
  if (xcc::thread_idx().x == 0)
    in_block = 0;
  xcc::sync_block();
  std::atomic_ref(in_block.get()).fetch_add(1);
  xcc::sync_block();
  if (xcc::thread_idx().x == 0)
    std::atomic_ref(c->plain).fetch_add(in_block);

  c->atomic.fetch_add(i, std::memory_order_relaxed);
  std::atomic_ref(c->bits).fetch_or(1u << i % 32);
  std::atomic_ref(c->real).fetch_add(0.5f);
  if (i % 100 == 0)
    std::atomic_ref(c->byte) ^= 1;
  std::atomic_ref smallest(c->smallest);
  unsigned old = smallest.load(), mine = 1000 + (i * 7919) % 4096;
  while (mine < old && !smallest.compare_exchange_weak(old, mine))
    ;
  if (i < 64) {
    std::atomic_ref product(c->product);
    double was = product.load();
    while (!product.compare_exchange_strong(was, was * 2))
      ;
  }
}

int main() {
  xcc::buffer<counters> buffer(1);
  buffer.fill_bytes(0);
  unsigned most = ~0u;
  double one = 1;
  xcc_copy(&buffer.data()->smallest, &most, sizeof most);
  xcc_copy(&buffer.data()->product, &one, sizeof one);
  xcc::launch({{32}, {128}}, count, buffer.data());
  alignas(counters) char bytes[sizeof(counters)];
  xcc_copy(bytes, buffer.data(), sizeof bytes);
  const counters &c = *reinterpret_cast<const counters *>(bytes);
  std::printf("%d %lld %x %g %u %u %g\n", c.plain,
              c.atomic.load(), c.bits, c.real, c.smallest, c.byte, c.product);
  // CHECK: 4096 8386560 ffffffff 2048 1000 1 1.84467e+19
}
