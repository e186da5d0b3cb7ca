// A program that runs with more rights than its user has no environment for
// secure_getenv, in kernels either: on a GPU and with -foffload-cpu-services the
// host is asked.
// REQUIRES: root
// RUN: %xcc -O2 -foffload-cpu-services --offload-arch=host,sm_90 -foffload-no-cubin %s -o %t
// RUN: env XCC_TEST_NAME=value XCC_DEVICE=host %t | FileCheck %s --check-prefix=PLAIN
// RUN: env LD_LIBRARY_PATH=%build/simulator/cuda MOCK_CUDA_DEVICES=sm_90 XCC_DEVICE=cuda XCC_TEST_NAME=value %t | FileCheck %s --check-prefix=PLAIN
// RUN: cp %t %t.raised && chown 1:1 %t.raised && chmod 4755 %t.raised
// RUN: env XCC_TEST_RAISED=1 XCC_TEST_NAME=value %t.raised | FileCheck %s --check-prefix=RAISED
#include <cstdio>
#include <cstdlib>
#include <sys/auxv.h>
#include <xcc/xcc.h>

static void kernel() {
  const char *plain = std::getenv("XCC_TEST_NAME");
  const char *secure = secure_getenv("XCC_TEST_NAME");
  std::printf("getenv %s, secure_getenv %s\n", plain ? plain : "-",
              secure ? secure : "-");
}
int main() {
  xcc::launch({{1}, {1}}, kernel);
  xcc::synchronize();
  // A file system may be mounted without such rights.
  if (!getauxval(AT_SECURE) && std::getenv("XCC_TEST_RAISED"))
    std::printf("getenv value, secure_getenv -\n");
}
// PLAIN: getenv value, secure_getenv value
// RAISED: getenv value, secure_getenv -
