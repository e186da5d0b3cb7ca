// <xcc/algorithm.h>: a range that is too small is refused, and what goes wrong in
// an algorithm's kernel is said of the line that called it.
// RUN: %xcc -std=c++17 -O2 %s -o %t && %t 2>&1 | FileCheck %s
#include <xcc/algorithm.h>
#include <xcc/xcc.h>

#include <cstdio>
#include <stdexcept>

template <class Call> void refused(Call call) {
  try {
    call();
    std::printf("accepted\n");
  } catch (const xcc::error &error) {
    std::printf("line %u: %s\n", error.line(), error.what());
  }
}

int main() {
  xcc::stream stream;
  xcc::buffer<int> x(5), y(5);
  const auto few = y.part(0, 3);
  x.fill(1);
  const auto same = [](int v) { return v; };
  // CHECK: line [[#@LINE+1]]: xcc::transform's output: 5 elements are needed, and there are 3 (launched at {{.*}}algorithm-errors.cpp:[[#@LINE+1]])
  refused([&] { xcc::transform(x, few, same); });
  // CHECK: line [[#@LINE+1]]: {{.*}}xcc::transform's output: 5 elements are needed, and there are 3
  refused([&] { xcc::transform(stream, x, few, same); });
  // CHECK: line [[#@LINE+1]]: {{.*}}xcc::transform's second input: 5 elements are needed, and there are 3
  refused([&] { xcc::transform(x, few, y, std::plus<int>()); });
  // CHECK: line [[#@LINE+1]]: {{.*}}xcc::inclusive_scan's output: 5 elements
  refused([&] { xcc::inclusive_scan(x, few); });
  // CHECK: line [[#@LINE+1]]: {{.*}}xcc::exclusive_scan's output: 5 elements
  refused([&] { xcc::exclusive_scan(stream, x, few, 0); });
  // CHECK: line [[#@LINE+1]]: {{.*}}xcc::copy_if's output, for which all may hold: 5 elements
  refused([&] { xcc::copy_if(x, few, same); });
  // CHECK: line [[#@LINE+1]]: {{.*}}the values of xcc::sort_by_key: 5 elements
  refused([&] { xcc::sort_by_key(x, few); });
  // CHECK: line [[#@LINE+1]]: {{.*}}an algorithm's result: 1 elements are needed, and there are 0
  refused([&] { xcc::reduce(stream, x, y.part(0, 0), 0); });

  const auto fails = [](int v) -> int {
    if (v)
      throw std::runtime_error("no such element");
    return v;
  };
  // CHECK: line [[#@LINE+1]]: kernel {{.*}}algorithm-errors.cpp:[[#@LINE+1]] failed{{.*}}an exception left the kernel: std::runtime_error
  refused([&] { xcc::transform(x, y, fails); });
  // CHECK: line [[#@LINE+1]]: kernel {{.*}}algorithm-errors.cpp:[[#@LINE+1]] failed{{.*}}an exception left the kernel: std::runtime_error
  refused([&] { (void)xcc::count_if(x, fails); });
  // CHECK: line [[#@LINE+2]]: kernel {{.*}}algorithm-errors.cpp:[[#@LINE+2]] failed{{.*}}an exception left the kernel: std::runtime_error
  refused([&] {
    xcc::sort(stream, x, [=](int a, int b) { return fails(a) < b; });
    stream.synchronize();
  });
}
