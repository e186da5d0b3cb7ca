// What code of GPUs cannot have is said once for each unit, and what to write.
// RUN: %xcc -c -fsanitize=undefined,thread --coverage --offload-arch=sm_90,gfx90a %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=GPU --implicit-check-not=warning:
// RUN: %xcc -c -fsanitize=address --offload-arch=sm_90,host %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=BOTH --implicit-check-not=warning:
// RUN: %not %xcc -c -Werror=offload-instrumentation -fsanitize=thread --offload-arch=gfx90a %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=ERROR
// RUN: %not %xcc -c -fsanitize=memory %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=MEMORY
// RUN: %xcc -c -fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=CONDITIONS
// RUN: %xcc -c -fprofile-generate %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=IR
//
// UndefinedBehaviorSanitizer's checks they have (undefined-gpus.cpp).
// RUN: %xcc -c -Werror -fsanitize=undefined,integer,nullability --offload-arch=sm_90,gfx90a %s -o %t.o
//
// Not where it is for the host alone, as asked, or where there is no kernel.
// RUN: %xcc -c -Werror -Xarch_host -fsanitize=undefined -Xarch_host --coverage --offload-arch=sm_90 %s -o %t.o
// RUN: %xcc -c -Werror -Wno-offload-instrumentation -fsanitize=address --offload-arch=sm_90 %s -o %t.o
// RUN: %xcc -c -Werror -DNONE -fsanitize=address --offload-arch=sm_90 %s -o %t.o
// RUN: %xcc -c -Werror -fsanitize=address,undefined,leak %s -o %t.o
// RUN: %xcc -c -Werror -Xarch_host -fsanitize=memory %s -o %t.o
#include <xcc/xcc.h>

static void kernel(int n) { (void)n; }
int main() {
#ifndef NONE
  // GPU: gpu.cpp:[[@LINE+10]]:3: warning: kernels are compiled for GPUs without '-fsanitize=thread --coverage', which code of GPUs does not support [-Woffload-instrumentation]
  // GPU: note: launched here; '-Xarch_host -fsanitize=thread' asks for it in the host's code alone; with '--offload-arch=host' kernels are compiled for the CPU device
  // GPU: 1 warning generated
  // BOTH: warning: kernels are compiled for GPUs without '-fsanitize=address'
  // BOTH: 1 warning generated
  // ERROR: error: kernels are compiled for GPUs without '-fsanitize=thread'
  // MEMORY: error: kernels of the CPU device cannot be compiled with '-fsanitize=memory'
  // MEMORY: note: launched here; '-fsanitize=address,undefined'
  // CONDITIONS: warning: kernels are compiled for the CPU device without '-fcoverage-mcdc', which they do not support [-Woffload-instrumentation]
  // IR: warning: kernels are compiled for the CPU device without '-fprofile-generate', which they do not support [-Woffload-instrumentation]
  xcc::launch({{1}, {1}}, kernel, 1);
#endif
}
