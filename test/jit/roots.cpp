// Which functions the process can make kernels of: those that are kernels, or
// all that are exported and can be.
// REQUIRES: simulators
// RUN: %xcc %headers -std=c++20 -O2 -Wall -Werror -offload-arch=generic %s -o %t
// RUN: env XCC_DEVICE=host %t | FileCheck %s
// CHECK: kernel: 7
// CHECK-NEXT: error: no kernel 'library::triple' is in the program or its libraries; functions that are launched, or given to kernel_info_for, are kernels, and with -foffload-jit-roots=all those marked XCC_EXPORT that return void
// RUN: %xcc-info %t | FileCheck %s --check-prefix=FEW --implicit-check-not=triple
// FEW: 1 kernel
// FEW-NOT: no kernel but

// RUN: %xcc %headers -std=c++20 -O2 -Wall -Werror -foffload-jit-roots=all -offload-arch=generic %s -DUNIT=2 -c -o %t-2.o
// RUN: %xcc %headers -std=c++20 -O2 -Wall -Werror -foffload-jit-roots=all -offload-arch=generic %s -DUNIT=1 %t-2.o -o %t-all
// RUN: env XCC_DEVICE=host %t-all | FileCheck %s --check-prefix=ALL
// RUN: env LD_LIBRARY_PATH=%build/simulator/cuda MOCK_CUDA_DEVICES=sm_90 XCC_DEVICE=cuda %t-all | FileCheck %s --check-prefix=ALL
// RUN: env LD_LIBRARY_PATH=%build/simulator/hsa MOCK_HSA_AGENTS=gfx1100 XCC_DEVICE=hsa %t-all | FileCheck %s --check-prefix=ALL
// ALL: kernel: 7
// ALL-NEXT: root: 15
// ALL-NEXT: root: 70
// ALL-NEXT: root: 8
// ALL-NEXT: error: kernel 'library::triple' has the parameters 8 bytes at 0, 4 bytes at 8; given are 8 bytes at 0
// ALL-NEXT: error: no kernel 'library::result'
// ALL-NEXT: error: no kernel 'library::method'
// ALL-NEXT: error: no kernel 'hidden'
// RUN: %xcc-info %t-all | FileCheck %s --check-prefix=INFO
// RUN: %xcc-info --json %t-all | FileCheck %s --check-prefix=JSON
// INFO: 5 kernels
// INFO: library::triple  [{{.*}}arguments 12
// INFO-NEXT: a kernel only if the program asks for it by name
// JSON: "root": true

// RUN: not %xcc -foffload-jit-roots=some %s 2>&1 | FileCheck %s --check-prefix=VALUE
// VALUE: error: '-foffload-jit-roots=some': -foffload-jit-roots= takes kernels or all
#include <cstdio>
#include <string>
#include <xcc/jit.h>
#include <xcc/xcc.h>

struct pair {
  int a, b;
};

#if UNIT != 2
namespace XCC_EXPORT library {
int result(int a) { return a * 3; }
void triple(int *to, int a) { *to = result(a); }
void wants(int *to, const std::string &text) { *to = int(text.size()); }
struct functions {
  static void sum(int *to, pair p) { *to = p.a * p.b; }
  void method(int *to) { *to = 1; }
};
} // namespace library

void hidden(int *to) { *to = 1; }
static void kernel(int *to, int a) { *to = a; }

static void show(const char *what, const xcc::buffer<int> &from) {
  int host = 0;
  from.copy_to(&host, 1);
  std::printf("%s: %d\n", what, host);
}

template <class F> static void fails(F make) {
  try {
    make();
    std::printf("NO error\n");
  } catch (const xcc::error &e) {
    std::printf("error: %s\n", e.what());
  }
}

int main() {
  xcc::buffer<int> to(1);
  xcc::launch({{1}, {1}}, kernel, to.data(), 7);
  show("kernel", to);
  fails([&] {
    auto made = xcc::jit::kernel<int *, int>("library::triple");
    made({{1}, {1}}, to.data(), 5);
    show("root", to);
    xcc::jit::options how;
    how.opt_level = 1;
    xcc::jit::kernel<int *, pair>("library::functions::sum",
                                  how)({{1}, {1}}, to.data(), pair{7, 10});
    show("root", to);
    xcc::jit::kernel<int *, int>("other")({{1}, {1}}, to.data(), xcc::constant(4));
    show("root", to);
    xcc::jit::kernel<int *>("library::triple");
  });
#ifdef UNIT
  fails([&] { xcc::jit::kernel<int *>("library::result"); });
  fails([&] { xcc::jit::kernel<int *>("library::method"); });
  fails([&] { xcc::jit::kernel<int *>("hidden"); });
#endif
}
#else
XCC_EXPORT void other(int *to, int a) { *to = 2 * a; }
#endif
