// The public headers hold whatever macros were defined before them.
// (Classes of <functional>, which jit.h includes, have members a and b.)
// RUN: %xcc -std=c++17 -O1 -foffload-host-calls %s -o %t && %t | FileCheck %s
// RUN: %xcc -std=c++23 -fsyntax-only -offload-arch=sm_90,gfx90a,host %s
// RUN: %xcc -std=c++17 -fsyntax-only -DALONE -include %S/Inputs/hostile.h -include xcc/abi.h %s
// RUN: %xcc -std=c++17 -fsyntax-only -DALONE -include %S/Inputs/hostile.h -include xcc/host_call.h %s
// RUN: %xcc -std=c++17 -fsyntax-only -DALONE -include algorithm -include %S/Inputs/hostile.h -include xcc/algorithm.h %s
// RUN: %xcc -std=c++17 -fsyntax-only -DALONE -include random -include %S/Inputs/hostile.h -include xcc/random.h %s
// RUN: %xcc -std=c++17 -fsyntax-only -DALONE -include functional -include %S/Inputs/hostile.h -include xcc/jit.h %s
// RUN: %xcc -std=c++17 -fsyntax-only -DALONE -include %S/Inputs/hostile.h -include xcc/visit_members.h %s
// RUN: %xcc -std=c++17 -fsyntax-only -DALONE -include %S/Inputs/hostile.h -I%S/../../rpc/include -include xcc/rpc.h %s
// RUN: %xcc -std=c++17 -fsyntax-only -DALONE -include %S/Inputs/hostile.h -include xcc/runtime.h %s
// RUN: %xcc -std=c++17 -fsyntax-only -DALONE -include %S/Inputs/hostile.h -include xcc/transfer.h %s
#ifndef ALONE
#include "Inputs/hostile.h"
// Behind the macros, with all that it includes.
#include <xcc/xcc.h>

#include <cstdio>
#include <vector>

int counter;
xcc::shared_global<int> shared(40);
XCC_HOST int host_adds(const int *from, int to) { return *from + to; }
static void count(int *out) {
  static xcc::block_shared<int[4]> tile;
  tile[xcc::thread_idx().x % 4] = 1;
  xcc::sync_block();
  counter += xcc::any(true) + (xcc::shuffle_down(counter, 1u) != 0);
  *out = host_adds(out, 1) + *shared + *xcc::dynamic_shared<int>() * 0;
}

int main() {
  std::vector<float> data(8, 1.5f);
  float *first = data.data();
  xcc::map scope(data);
  xcc::parallel_for(8, [&](std::size_t index) { data[index] *= 2; });
  xcc::launch({{2}, {4}, 64}, [first](auto value) { first[0] += value; }, 0.0f);
  scope.to_host(data);
  xcc::buffer<int> buffer(1);
  int number = 1;
  buffer.copy_from(&number, 1);
  xcc::launch({1, 1, 16}, count, buffer.data());
  buffer.copy_to(&number, 1);
  int counted;
  xcc::symbol(counter).copy_to(counted);
  xcc::stream stream;
  xcc::event event;
  event.record(stream);
  event.synchronize();
  std::printf("%g %d %d\n", double(data[7]), number, counted > 0);
  // CHECK: 3 42 1
}
#endif
