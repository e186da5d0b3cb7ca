// An initialiser that does not come to its end fails its launch, and the process
// goes on: one that computes, one that waits for the system, and one whose thread
// is in a library most of the time.
// RUN: %xcc -std=c++20 -Wno-offload-globals -O0 %s -o %t && %t 2>&1 | FileCheck %s
// RUN: %xcc -std=c++20 -Wno-offload-globals -O2 %s -o %t && %t 2>&1 | FileCheck %s
// RUN: %xcc -std=c++20 -Wno-offload-globals -O2 -DKIND=1 %s -o %t && %t 2>&1 | FileCheck %s
// RUN: %xcc -std=c++20 -Wno-offload-globals -O2 -DKIND=2 %s -o %t && %t 2>&1 | FileCheck %s
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unistd.h>
#include <xcc/xcc.h>

#ifndef KIND
#define KIND 0
#endif

int endless() {
  // The host initialises its own.
  if (!getenv("XCC_INITIALISER_LIMIT"))
    return 1;
  volatile int turns = 0;
  for (;;) {
    turns = turns + 1;
    if (KIND == 1)
      pause();
    if (KIND == 2)
      free(malloc(100 + turns % 7));
  }
}

int value = endless();
void uses(int *out) { *out = value; }
void other(int *out) { *out = 42; }

int main() {
  setenv("XCC_INITIALISER_LIMIT", "1", 1);
  xcc::buffer<int> out(1);
  int result = 0;
  // CHECK: kernel 'uses' cannot run: the initialiser of a global variable ('value' at {{.*}}endless-initialisers.cpp:[[# @LINE - 8]]) failed: {{.*}}did not end within 1 s (XCC_INITIALISER_LIMIT)
  // CHECK: kernel 'uses' cannot run: {{.*}}did not end within
  for (int i = 0; i != 2; ++i)
    try {
      xcc::launch({{1}, {1}}, uses, out.data());
      xcc::synchronize();
    } catch (const xcc::error &e) {
      std::printf("%s\n", e.what());
    }
  // Memory, and what the process does otherwise, is as before.
  std::string text;
  for (int i = 0; i != 1000; ++i)
    text += std::to_string(i);
  std::printf("%zu\n", text.size()); // CHECK: 2890
}
