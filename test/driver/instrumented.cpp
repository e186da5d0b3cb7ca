// Calls of a profiler's functions at each entry and exit, and room for such calls, are for the host's code.
// RUN: rm -rf %t.dir && mkdir %t.dir
// RUN: %xcc -std=c++17 -O2 -pg -offload-arch=host,sm_90,gfx90a -foffload-no-cubin %s -o %t.prof && cd %t.dir && %t.prof
// RUN: %xcc -std=c++17 -O2 -pg -mfentry -offload-arch=host,sm_90,gfx90a -foffload-no-cubin %s -o %t.prof && cd %t.dir && %t.prof
// RUN: %xcc -std=c++17 -finstrument-functions -offload-arch=host,sm_90,gfx90a -foffload-no-cubin %s -o %t && %t
// RUN: %xcc -std=c++17 -O2 -finstrument-functions-after-inlining -offload-arch=host,sm_90,gfx90a -foffload-no-cubin %s -o %t && %t
// RUN: %xcc -std=c++17 -fpatchable-function-entry=4,2 -offload-arch=host,sm_90,gfx90a -foffload-no-cubin %s -o %t && %t
#include <xcc/xcc.h>

__attribute__((noinline)) int twice(int x) { return 2 * x; }

int main() {
  int found[64] = {};
  xcc::parallel_for(64, [&](std::size_t i) { found[i] = twice(int(i)); });
  xcc::synchronize();
  return found[63] != twice(63);
}
