// pthread_cancel of a thread that helps to run a kernel waits for the kernel;
// the child of a fork that another thread's lock went through still exits.
// RUN: %xcc -O1 %s -o %t && env XCC_CPU_THREADS=1 %t | FileCheck %s
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <pthread.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <xcc/xcc.h>

static std::atomic<int> begun, go, ended, stop;
struct words {
  std::atomic<int> *begun, *go, *ended;
};
void prints(words w) {
  ++*w.begun;
  while (!*w.go)
    ;
  (void)!write(1, "in a kernel\n", 12); // where a thread can be cancelled
  ++*w.ended;
}

static void *waits(void *) {
  // As many blocks as threads: one of them is this thread's.
  xcc::launch({{2}, {1}}, prints, words{&begun, &go, &ended});
  xcc::synchronize();
  pthread_testcancel();
  return nullptr;
}

int main() {
  pthread_t t;
  pthread_create(&t, nullptr, waits, nullptr);
  while (begun != 2)
    std::this_thread::yield();
  pthread_cancel(t);
  go = 1;
  void *result;
  pthread_join(t, &result);
  // CHECK-COUNT-2: in a kernel
  // CHECK-NEXT: cancelled 1, ended 2
  std::printf("cancelled %d, ended %d\n", result == PTHREAD_CANCELED,
              ended.load());
  int left = 0;
  xcc::launch({{1}, {1}}, [](int *p) { *p = 5; }, &left);
  xcc::synchronize();
  // CHECK-NEXT: 5
  std::printf("%d\n", left);
  std::fflush(stdout);

  // Events are recorded, and their locks held, while this thread forks.
  static xcc::event shared;
  std::thread busy([] {
    while (!stop) {
      shared.record();
      (void)shared.query();
    }
  });
  int good = 0;
  for (int i = 0; i < 200; ++i) {
    pid_t child = fork();
    if (child == 0)
      std::exit(0);
    int status = 1;
    waitpid(child, &status, 0);
    good += status == 0;
  }
  stop = 1;
  busy.join();
  // CHECK-NEXT: 200 children ended
  std::printf("%d children ended\n", good);
}
