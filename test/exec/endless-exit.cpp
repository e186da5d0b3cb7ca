// A kernel that does not end does not keep the process from ending: that says
// which kernel is left behind. So where a buffer or stream of main waits for it. Work that ends is waited for as before.
// RUN: %xcc -O0 %s -o %t && %xcc -O2 %s -o %t-2
// RUN: env XCC_EXIT_WAIT=0 %t return > %t.out 2>&1 && FileCheck %s < %t.out
// RUN: env XCC_EXIT_WAIT=0 %t-2 exit > %t.out 2>&1 && FileCheck %s < %t.out
// RUN: env XCC_EXIT_WAIT=0 %t-2 thread > %t.out 2>&1 && FileCheck %s < %t.out
// RUN: env XCC_EXIT_WAIT=0 XCC_CPU_THREADS=1 %t-2 destroyed > %t.out 2>&1 && FileCheck %s < %t.out
// RUN: env XCC_EXIT_WAIT=0 %t held > %t.out 2>&1 && FileCheck --check-prefix=HELD %s < %t.out
// RUN: env XCC_EXIT_WAIT=0 %t-2 held > %t.out 2>&1 && FileCheck --check-prefix=HELD %s < %t.out
// RUN: env XCC_EXIT_WAIT=0 %t-2 streamed > %t.out 2>&1 && FileCheck --check-prefix=STREAMED %s < %t.out
// RUN: env XCC_EXIT_WAIT=0 %t-2 barrier > %t.out 2>&1 && FileCheck --check-prefix=BARRIER %s < %t.out
// RUN: env XCC_EXIT_WAIT=0 %t-2 kernel > %t.out 2>&1 && FileCheck --check-prefix=INSIDE %s < %t.out
// RUN: env XCC_EXIT_WAIT=1000000 %t-2 ends > %t.out 2>&1 && FileCheck --check-prefix=ENDS %s < %t.out
// RUN: %not --crash env XCC_EXIT_WAIT=soon %t-2 return 2>&1 | FileCheck --check-prefix=SETTING %s
// DEVICES: host, because its kernels end the program by functions of the host
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <err.h>
#include <thread>
#include <xcc/xcc.h>

struct word {
  std::atomic<int> begun, go, done;
};
void endless(word *w) {
  w->begun = 1;
  while (!w->go)
    ;
  w->done = 1;
}
void endless_behind(word *w) {
  xcc::sync_block();
  if (xcc::thread_idx().x == 2) {
    w->begun = 1;
    while (!w->go)
      ;
  }
  xcc::sync_block();
}
void waits(word *w) {
  w->begun = 1;
  while (!w->go)
    ;
  std::printf("block %u\n", xcc::block_idx().x);
  std::fflush(stdout);
}
void leaves() { errx(0, "left"); } // the C library calls exit

static word the_word;
static xcc::buffer<int> *kept;
struct late {
  xcc::stream *s = nullptr;
  ~late() { delete s, delete kept; }
};

int main(int, char **v) {
  static late destroyed;
  word *w = &the_word;
  // SETTING: XCC_EXIT_WAIT=soon: expected a number from 0 to 1000000
  if (!std::strcmp(v[1], "ends")) {
    // ENDS-COUNT-3: block {{.}}{{$}}
    // ENDS-NOT: {{.}}
    xcc::launch({{3}, {1}}, waits, w);
    std::atexit([] { the_word.go = 1; });
    return 0;
  }
  if (!std::strcmp(v[1], "kernel")) {
    // INSIDE: left
    // INSIDE-NOT: {{.}}
    xcc::launch({{1}, {1}}, leaves);
    xcc::synchronize();
    return 1;
  }
  if (!std::strcmp(v[1], "held")) {
    // HELD: xcc: warning: kernel 'endless' launched at {{.*}}endless-exit.cpp:[[# @LINE + 5]] still runs on device 0 (host); {{.*}}; the process ends without waiting longer; XCC_EXIT_WAIT sets how long it waits
    // HELD-NEXT: handlers of exit
    // HELD-NOT: {{.}}
    std::atexit([] { std::puts("handlers of exit"); });
    xcc::buffer<int> held(5);
    xcc::launch({{1}, {1}}, endless, w);
    while ([&] { return !w->begun; }())
      std::this_thread::yield();
    return 0;
  }
  if (!std::strcmp(v[1], "streamed")) {
    // STREAMED: xcc: warning: kernel 'endless' launched at {{.*}}endless-exit.cpp:[[# @LINE + 3]] still runs on device 0 (host); {{.*}}; the process ends without waiting longer; XCC_EXIT_WAIT sets how long it waits
    // STREAMED-NOT: {{.}}
    xcc::stream held;
    xcc::launch({{1}, {1}, 0, &held}, endless, w);
    while ([&] { return !w->begun; }())
      std::this_thread::yield();
    return 0;
  }
  if (!std::strcmp(v[1], "barrier")) {
    // BARRIER: xcc: warning: kernel 'endless_behind' launched at {{.*}}endless-exit.cpp:[[# @LINE + 1]] still runs on device 0 (host); {{.*}}blocks of (4, 1, 1)
    xcc::launch({{1}, {4}}, endless_behind, w);
  } else {
    destroyed.s = new xcc::stream;
    kept = new xcc::buffer<int>(5);
    // CHECK: xcc: warning: kernel 'endless' launched at {{.*}}endless-exit.cpp:[[# @LINE + 2]] still runs on device 0 (host); {{.*}}block{{.*}} of a grid of (1, 1, 1) with blocks of (1, 1, 1); the process ends without waiting longer; XCC_EXIT_WAIT sets how long it waits
    // CHECK-NOT: {{.}}
    xcc::launch({{1}, {1}, 0, destroyed.s}, endless, w);
  }
  while (!w->begun)
    std::this_thread::yield();
  if (!std::strcmp(v[1], "exit"))
    std::exit(0);
  if (!std::strcmp(v[1], "thread"))
    std::thread([] { std::exit(0); }).join();
}
