// What run-time source has of the program: functions of the host that the
// program's own device code calls too. What there is not, is said.
// RUN: %xcc %headers -std=c++20 -O2 -offload-arch=host,generic:nvptx64 %s -o %t
// RUN: env XCC_DEVICE=host %t | FileCheck %s
// RUN: %if simulators %{ env LD_LIBRARY_PATH=%build/simulator/cuda MOCK_CUDA_DEVICES=sm_90 XCC_DEVICE=cuda %t | FileCheck %s %}
#include <cstdio>
#include <string>
#include <xcc/source.h>
#include <xcc/xcc.h>

namespace app {
int twice(int value) { return value * 2; }
} // namespace app

void ownKernel(int *out) { *out = xcc::host_call(app::twice, *out); }
int device(int value) { return value + 1; }

static int valueOf(const char *name, const std::string &text) {
  int host = 21;
  try {
    auto put = xcc::jit::compile_source(text, {.name = name}).kernel<void(int *)>("put");
    xcc::buffer<int> value(1);
    value.copy_from(&host, 1);
    put({{1}, {1}}, value.data());
    value.copy_to(&host, 1);
  } catch (const xcc::jit::compile_error &e) {
    std::printf("%s", e.log().c_str());
  } catch (const xcc::error &e) {
    std::printf("%s\n", e.what());
  }
  std::fflush(stdout);
  return host;
}

int main() {
  xcc::buffer<int> value(1);
  value.fill(1);
  xcc::launch({{1}, {1}}, ownKernel, value.data());
  int host = 0;
  value.copy_to(&host, 1);
  // CHECK: program: 2
  std::printf("program: %d\n", host);
  // CHECK: host: 42
  std::printf("host: %d\n",
              valueOf("host", "namespace app { int twice(int); }\n"
                              "void put(int *p) { *p = xcc::host_call(app::twice, *p); }"));
  // CHECK: device code uses 'device(int)', which nothing in this link defines
  // CHECK: note: {{.*}}or call the program's with xcc::host_call
  // CHECK: device: 21
  std::printf("device: %d\n", valueOf("device", "int device(int);\n"
                                                "void put(int *p) { *p = device(*p); }"));
  // CHECK: kernel 'put' launched at {{.*}} failed {{.*}}the host function {{.*}} is not in this program
  valueOf("other", "int other(int);\n"
                   "void put(int *p) { *p = xcc::host_call(other, *p); }");
}
