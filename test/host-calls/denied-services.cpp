// A program takes services away from device code, and the environment can.
// RUN: %xcc -std=c++20 -O2 -foffload-cpu-services %s -o %t
// RUN: %t | FileCheck %s --check-prefix=ALLOWED
// RUN: %t files | FileCheck %s --check-prefix=FILES
// RUN: %t all | FileCheck %s --check-prefix=ALL
// RUN: env XCC_DENY_SERVICES=write-files,read-files %t | FileCheck %s --check-prefix=FILES
// RUN: env XCC_DENY_SERVICES=all %t | FileCheck %s --check-prefix=ALL
// RUN: env XCC_DENY_SERVICES=output,fils %t | FileCheck %s --check-prefix=UNKNOWN
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <xcc/xcc.h>

static int answer() { return 42; }
static void files(int *out) {
  FILE *f = std::fopen("/dev/null", "w");
  out[0] = f ? 0 : errno;
  f = std::fopen("/dev/zero", "r");
  out[1] = f ? 0 : errno;
  out[2] = std::getenv("PATH") != nullptr;
  out[3] = std::printf("device\n");
}
static void call(int *out) { *out = xcc::host_call(answer); }
static void leave() { std::exit(7); }

int main(int argc, char **argv) try {
  if (argc > 1 && !std::strcmp(argv[1], "files"))
    xcc::deny_services(XCC_SERVICE_READ_FILES | XCC_SERVICE_WRITE_FILES);
  if (argc > 1 && !std::strcmp(argv[1], "all"))
    xcc::deny_services(XCC_SERVICE_ALL);
  int out[4] = {};
  xcc::launch({{1}, {1}}, files, out);
  xcc::synchronize();
  std::printf("%d %d %d %d\n", out[0], out[1], out[2], out[3]);
  std::printf("allowed: %u\n", xcc_services_allowed());
  std::fflush(stdout);
  try {
    xcc::launch({{1}, {1}}, call, out);
    xcc::synchronize();
    std::printf("answer: %d\n", out[0]);
  } catch (const xcc::error &e) {
    std::printf("%s\n", e.what());
  }
  if (xcc_services_allowed() & XCC_SERVICE_PROCESS)
    return 0;
  try {
    xcc::launch({{1}, {1}}, leave);
    xcc::synchronize();
  } catch (const xcc::error &e) {
    std::printf("%s\n", e.what());
  }
} catch (const xcc::error &e) {
  std::printf("%s\n", e.what());
}
// ALLOWED: device
// ALLOWED: 0 0 1 7
// ALLOWED: allowed: 127
// ALLOWED: answer: 42
// FILES: device
// FILES: 1 1 1 7
// FILES: allowed: 115
// FILES: answer: 42
// ALL-NOT: device
// ALL: 1 1 0 -1
// ALL: allowed: 0
// ALL: kernel 'call' launched at {{.*}} the program denies device code its functions (xcc_services_deny)
// ALL: kernel 'leave' launched at {{.*}} the program denies device code its end (xcc_services_deny)
// UNKNOWN: XCC_DENY_SERVICES=output,fils: 'fils' is not one of
