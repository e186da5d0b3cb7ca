// Functions by their names of before: C's, a warp's, times as numbers. Each says what to call now.
// RUN: %xcc -std=c++20 -O1 -Wno-deprecated-declarations %s -o %t && %t | FileCheck %s
// RUN: %xcc -std=c++20 -fsyntax-only %s 2>&1 | FileCheck --check-prefix=NOW %s
#include <array>
#include <chrono>
#include <cstdio>
#include <xcc/algorithm.h>
#include <xcc/source.h>
#include <xcc/xcc.h>

static void sum_of_lanes(int *to) { *to = xcc::reduce_add(int(xcc::lane_id() == 0) * 3); }

int main() {
  void *memory = nullptr;
  if (xcc_alloc(sizeof(int), &memory) != XCC_SUCCESS)
    std::printf("%s\n", xcc_last_error());
  xcc::event from, to;
  from.record();
  xcc::launch({{1}, {1}}, sum_of_lanes, static_cast<int *>(memory));
  to.record();
  int value = 0;
  xcc_copy(&value, memory, sizeof(value));
  xcc_free(memory);
  // CHECK: 3 1 1
  const double before = from.elapsed(to),
               now = from.elapsed<std::chrono::duration<double>>(to).count() * 1000;
  std::printf("%d %d %d\n", value, before >= 0, before <= now * 1.001 && now <= before * 1.001);
  xcc::jit::source_options how;
  how.seconds = -1;
  xcc::buffer<int> values(std::array{5, 2, 9});
  xcc::stream s;
  xcc::buffer<std::size_t> at(1);
  xcc::max_element(s, values, at);
  s.synchronize();
  // CHECK-NEXT: 1 2
  std::printf("%zu %zu\n", xcc::min_element(values), at.to<std::array<std::size_t, 1>>()[0]);
  try {
    xcc::jit::compile_source("void f() {}", how);
  } catch (const xcc::error &e) {
    std::printf("%s\n", e.what()); // CHECK-NEXT: -1 is no number of seconds
  }
}
// NOW-DAG: 'xcc_alloc' is deprecated: call xcc_memory_alloc
// NOW-DAG: 'xcc_last_error' is deprecated: call xcc_error_last
// NOW-DAG: 'reduce_add<int>' is deprecated: call xcc::warp_reduce_add
// NOW-DAG: 'elapsed' is deprecated: call elapsed<std::chrono::duration<double, std::milli>>(later).count()
// NOW-DAG: 'min_element<{{.*}}>' is deprecated: call min_index
// NOW-DAG: 'max_element<{{.*}}>' is deprecated: call max_index
// NOW-DAG: 'seconds' is deprecated: set timeout
