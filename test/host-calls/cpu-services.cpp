// The services that GPUs ask the host for, asked for by the CPU device: printf,
// files, malloc, the clock and the environment.
// RUN: %xcc -std=c++20 -O2 -foffload-cpu-services %s -o %t
// RUN: env XCC_TEST_NAME=value %t %t.txt | FileCheck %s
// RUN: FileCheck %s --check-prefix=FILE < %t.txt
// RUN: %xcc -std=c++20 -O2 -foffload-cpu-services -save-temps=obj -c %s -o %t.o
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <xcc/xcc.h>

static void lines() {
  std::printf("thread %2u of %s, %5.2f %#llx %c|%-4d|\n", xcc::thread_idx().x,
              "a block", 1.5 * xcc::thread_idx().x, 0xfeedull, 'x',
              int(xcc::thread_idx().x));
}
static void files(const char *path) {
  std::FILE *file = std::fopen(path, "w");
  std::fprintf(file, "%s %d\n", "written", 42);
  std::fputs("second\n", file);
  std::fclose(file);
  char line[32];
  file = std::fopen(path, "r");
  std::fgets(line, sizeof line, file);
  std::fclose(file);
  std::printf("read %s", line);
  std::puts(std::fopen("/nowhere/at/all", "r") ? "opened" : "not there");
}
static void memory() {
  int sum = 0;
  int *blocks[64];
  for (int i = 0; i < 64; ++i) {
    blocks[i] = static_cast<int *>(std::malloc(sizeof(int) * (i + 1)));
    blocks[i][i] = i;
  }
  for (int i = 0; i < 64; ++i) {
    sum += blocks[i][i];
    std::free(blocks[i]);
  }
  std::printf("sum %d\n", sum);
  std::printf("%s, %d\n", std::getenv("XCC_TEST_NAME"),
              std::time(nullptr) > 1000000000);
}

int main(int, char **argv) {
  xcc::launch({1, 4}, lines);
  xcc::synchronize();
  xcc::buffer<char> path(std::strlen(argv[1]) + 1);
  path.copy_from(argv[1], std::strlen(argv[1]) + 1);
  xcc::launch({1, 1}, files, path.data());
  xcc::launch({1, 1}, memory);
  xcc::synchronize();
}
// CHECK: thread  0 of a block,  0.00 0xfeed x|0   |
// CHECK: thread  1 of a block,  1.50 0xfeed x|1   |
// CHECK: thread  3 of a block,  4.50 0xfeed x|3   |
// CHECK: read written 42
// CHECK: not there
// CHECK: sum 2016
// CHECK: value, 1
// FILE: written 42
// FILE: second
