// std::atomic and std::atomic_ref among all threads; of objects of any size and
// alignment, which Clang leaves to libatomic (on the host, that is -latomic).
// RUN: %xcc -O0 -std=c++20 -Wno-atomic-alignment -latomic %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 -std=c++20 -Wno-atomic-alignment -latomic %s -o %t && %t | FileCheck %s
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

/// Parts that change together.
template <class Type, unsigned Count> struct parts {
  Type values[Count];
  void step() {
    for (unsigned i = 0; i < Count; ++i)
      values[i] += Type(i + 1);
  }
  bool areTogether() const {
    for (unsigned i = 1; i < Count; ++i)
      if (values[i] != Type(values[0] * Type(i + 1)))
        return false;
    return true;
  }
};

template <class All> __attribute__((noinline)) bool step(All &all) {
  std::atomic_ref<All> ref(all);
  All old = ref.load(), now;
  bool together = true;
  do {
    together = together && old.areTogether();
    now = old;
    now.step();
  } while (!ref.compare_exchange_weak(old, now));
  return together;
}

struct [[gnu::packed]] unaligned {
  char first;
  int number;
  double real;
};

struct wide {
  alignas(8) parts<int, 2> two;
  alignas(8) parts<float, 2> floats;
  alignas(16) parts<long, 2> sixteen;
  parts<int, 3> three;
  parts<long, 3> longs;
  parts<unsigned char, 3> bytes;
  unaligned packed;
  alignas(16) unsigned __int128 number;
  parts<int, 5> exchanged;
  unsigned apart, isFree;
};

void countWide(wide *w) {
  static xcc::block_shared<parts<int, 6>> shared;
  const unsigned t = xcc::thread_idx().x;
  if (t == 0)
    shared = {};
  xcc::sync_block();
  bool together = step(w->two) & step(w->sixteen) & step(shared.get());
  if (t % 3 == 0)
    together &= step(w->three) & step(w->longs) & step(w->bytes);
  else
    together &= step(w->floats);
  __atomic_fetch_add(&w->packed.number, 2, __ATOMIC_RELAXED);
  __atomic_fetch_add(&w->number, ((unsigned __int128)1 << 64) + 3,
                     __ATOMIC_SEQ_CST);
  // What is stored and exchanged is whole.
  parts<int, 5> mine{}, before;
  for (unsigned i = 0; i < t; ++i)
    mine.step();
  if (t % 2)
    before = std::atomic_ref(w->exchanged).exchange(mine);
  else
    std::atomic_ref(w->exchanged).store(mine), before = mine;
  together &= before.areTogether();
  if (!together)
    std::atomic_ref(w->apart) += 1;
  xcc::sync_block();
  if (t == 0) {
    if (shared.get().values[5] != 6 * int(xcc::block_dim().x))
      std::atomic_ref(w->apart) += 1000;
    w->isFree = std::atomic_ref(w->two).is_lock_free() +
                2 * std::atomic_ref(w->sixteen).is_lock_free() +
                4 * std::atomic_ref(w->three).is_lock_free();
  }
}

void checkWide() {
  xcc::buffer<wide> buffer(1);
  buffer.fill_bytes(0);
  xcc::launch({{3}, {96}}, countWide, buffer.data());
  wide w;
  buffer.copy_to(&w, 1);
  const int all = 3 * 96, third = all / 3;
  check(w.two.values[1] == 2 * all && w.sixteen.values[1] == 2 * all,
        "powers of two");
  check(w.floats.values[1] == 2 * (all - third), "floats");
  check(w.three.values[2] == 3 * third && w.longs.values[2] == 3 * third &&
            w.bytes.values[1] == (unsigned char)(2 * third),
        "other sizes");
  check(w.packed.number == 2 * all && !w.packed.first, "unaligned");
  check(w.number == all * (((unsigned __int128)1 << 64) + 3), "128 bits");
  check(w.apart == 0 && w.exchanged.areTogether(), "parts together");
  check(w.isFree == 1, "is_lock_free");
}

int main() {
  checkWide();
  xcc::buffer<counters> buffer(1);
  buffer.fill_bytes(0);
  unsigned most = ~0u;
  double one = 1;
  xcc_memory_copy(&buffer.data()->smallest, &most, sizeof most);
  xcc_memory_copy(&buffer.data()->product, &one, sizeof one);
  xcc::launch({{32}, {128}}, count, buffer.data());
  alignas(counters) char bytes[sizeof(counters)];
  xcc_memory_copy(bytes, buffer.data(), sizeof bytes);
  const counters &c = *reinterpret_cast<const counters *>(bytes);
  std::printf("%d %lld %x %g %u %u %g\n", c.plain, c.atomic.load(), c.bits,
              c.real, c.smallest, c.byte, c.product);
  // CHECK: 4096 8386560 ffffffff 2048 1000 1 1.84467e+19
}
