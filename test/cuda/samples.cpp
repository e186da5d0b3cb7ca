// Programs as CUDA's samples and benchmarks write them, compiled as they are: checks of errors, streams, random numbers, pointers to functions, templates, locks, launches through the runtime, warps.
// RUN: %xcc -foffload-cuda -O2 -x cuda %s -o %t && %t | FileCheck %s
// CHECK-NOT: fails
// CHECK: all passed
#include "Inputs/samples/checks.cu"
#include "Inputs/samples/indices.cu"
#include "Inputs/samples/launches.cu"
#include "Inputs/samples/pointers.cu"
#include "Inputs/samples/scans.cu"
#include "Inputs/samples/streams.cu"
#include "Inputs/samples/templates.cu"
#include "Inputs/samples/warps.cu"
#undef WARP_SIZE
#include "Inputs/samples/bodies.cu"
#include "Inputs/samples/fences.cu"

int main() {
  struct {
    const char *name;
    bool (*run)();
  } samples[] = {{"checks", checks}, {"streams", streams},
                 {"bodies", bodies}, {"pointers", pointers},
                 {"scans", scans},   {"templates", templates},
                 {"fences", fences}, {"launches", launches},
                 {"warps", warps},   {"indices", indices}};
  for (auto &sample : samples)
    if (!sample.run())
      printf("%s fails\n", sample.name);
  if (cudaGetLastError() == cudaSuccess)
    puts("all passed");
}
