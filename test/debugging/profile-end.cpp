// XCC_PROFILE is written however the program ends: with an error that nobody catches, with exit in a kernel; by the
// process alone that used the devices, once for all threads; and for whole programs.
// RUN: %xcc -std=c++20 -O2 %s -o %t
// RUN: rm -f %t.json && env XCC_PROFILE=%t.json %not --crash %t throws
// RUN: %python %S/Inputs/profile.py %t.json | %FileCheck %s --check-prefix=ONE
// RUN: rm -f %t.json && env XCC_PROFILE=%t.json %t exits
// RUN: %python %S/Inputs/profile.py %t.json | %FileCheck %s --check-prefix=LEAVES
// RUN: rm -f %t.json && env XCC_PROFILE=%t.json %t threads
// RUN: %python %S/Inputs/profile.py %t.json | %FileCheck %s --check-prefix=THREADS
// RUN: env XCC_PROFILE=1 %t forks 2>&1 | %FileCheck %s --check-prefix=FORK
// RUN: rm -f %t.json && env XCC_PROFILE=%t.json %t ends
// RUN: %python %S/Inputs/profile.py %t.json | %FileCheck %s --check-prefix=ONE
// RUN: %xcc -std=c++20 -O2 -DWHOLE -foffload-main %s -o %t-whole
// RUN: env XCC_PROFILE=1 %t-whole 2>&1 | %FileCheck %s --check-prefix=WHOLE
// ONE: kernel adds: 1 launches, 1 timed
// LEAVES: kernel leaves: 1 launches, 1 timed, {{.*}}, calls
// THREADS: kernel adds: 400 launches, 400 timed
// FORK: adds
// FORK-NOT: share
// WHOLE: {{%.* 1 .* main$}}
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>
#include <xcc/xcc.h>

#ifdef WHOLE
int main() {
  for (int i = 0; i != 3; ++i)
    printf("%d\n", i);
  exit(0);
}
#else
void adds(unsigned *x) { ++*x; }
void leaves() { exit(0); }

int main(int, char **arguments) {
  unsigned x = 0;
  const char *how = arguments[1];
  if (!strcmp(how, "threads")) {
    std::vector<std::thread> threads;
    unsigned each[4] = {};
    for (unsigned &mine : each)
      threads.emplace_back([&mine] {
        for (int i = 0; i != 100; ++i)
          xcc::launch({{1}, {1}}, adds, &mine);
        xcc::synchronize();
      });
    for (std::thread &t : threads)
      t.join();
    return 0;
  }
  if (!strcmp(how, "exits")) {
    xcc::launch({{1}, {1}}, leaves);
    xcc::synchronize();
    return 1;
  }
  xcc::launch({{1}, {1}}, adds, &x);
  xcc::synchronize();
  if (!strcmp(how, "throws"))
    throw 1;
  if (!strcmp(how, "forks")) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
      exit(0);
    waitpid(child, nullptr, 0);
  }
  return x == 1 ? 0 : 1;
}
#endif
