// std::pmr: monotonic buffers, what they take of the resource behind them, and
// the default resource.
// RUN: %xcc -std=c++20 -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -std=c++20 -O2 %s -o %t && %t | FileCheck %s
#include <cstdio>
#include <memory_resource>
#include <string>
#include <vector>
#include <xcc/xcc.h>

struct Counting : std::pmr::memory_resource {
  long asked = 0, given = 0, alignments = 0;
  void *do_allocate(std::size_t size, std::size_t alignment) override {
    asked = asked * 7 + long(size);
    alignments += long(alignment);
    return std::pmr::new_delete_resource()->allocate(size, alignment);
  }
  void do_deallocate(void *at, std::size_t size, std::size_t alignment) override {
    given += long(size + alignment);
    std::pmr::new_delete_resource()->deallocate(at, size, alignment);
  }
  bool do_is_equal(const memory_resource &other) const noexcept override {
    return this == &other;
  }
};

long work(int seed) {
  Counting counting;
  long sum = 0;
  {
    char first[200];
    std::pmr::monotonic_buffer_resource buffers(first, sizeof first, &counting);
    {
    std::pmr::vector<std::pmr::string> texts(&buffers);
    for (int i = 0; i < 20 + seed % 5; ++i)
      texts.emplace_back(std::size_t(10 + i * 7 % 40), char('a' + i));
    for (const auto &text : texts)
      sum = sum * 31 + long(text.size()) + text[3];
    }
    (void)buffers.allocate(5000, 256);
    buffers.release();
    (void)buffers.allocate(100, 8);
  }
  std::pmr::monotonic_buffer_resource plain;
  std::pmr::vector<int> numbers(std::size_t(seed % 7 + 1), seed, &plain);
  std::pmr::vector<int> others({1, 2, seed});
  return sum + counting.asked * 3 + counting.given * 5 + counting.alignments +
         numbers.back() + others[2] +
         (others.get_allocator().resource() == std::pmr::get_default_resource());
}

void kernel(long *out) { out[xcc::global_id()] = work(int(xcc::global_id())); }

int main() {
  xcc::buffer<long> out(32);
  long found[32], wrong = 0;
  xcc::launch({{1}, {32}}, kernel, out.data());
  out.copy_to(found, 32);
  for (int i = 0; i < 32; ++i)
    wrong += found[i] != work(i);
  std::printf("%ld wrong\n", wrong); // CHECK: 0 wrong
}
