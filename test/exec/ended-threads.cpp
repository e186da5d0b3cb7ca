// What would end or split the thread that runs a kernel, and exceptions that a
// library throws, end the launch; an exception that is only kept does not.
// RUN: %xcc -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
#include <cstdio>
#include <cstring>
#include <exception>
#include <locale>
#include <pthread.h>
#include <stdexcept>
#include <unistd.h>
#include <xcc/xcc.h>

template <class F> void run(F kernel) {
  xcc::launch({{4}, {8}}, kernel);
  try {
    xcc::synchronize();
    std::puts("no error");
  } catch (const xcc::error &e) {
    const char *what = std::strstr(e.what(), "(host): ");
    std::puts(what ? what : e.what());
  }
}

int main() {
  // CHECK: no error
  run([] {
    auto kept = std::make_exception_ptr(std::runtime_error("kept"));
    auto copy = kept;
    if (!copy)
      __builtin_trap();
  });
  // CHECK-NEXT: an exception left the kernel: thrown again
  run([] {
    std::rethrow_exception(
        std::make_exception_ptr(std::runtime_error("thrown again")));
  });
  // CHECK-NEXT: an exception left the kernel: {{.*}}locale
  run([] { std::locale l("no such locale"); });
  // CHECK-NEXT: the kernel aborted: pthread_exit was called
  run([] {
    if (xcc::global_id() == 9)
      pthread_exit(nullptr);
  });
  // CHECK-NEXT: the kernel aborted: pthread_cancel was called
  run([] { pthread_cancel(pthread_self()); });
  // CHECK-NEXT: the kernel aborted: fork was called
  run([] {
    if (fork() == 0)
      _exit(1);
  });
  // CHECK-NEXT: the kernel aborted: pthread_barrier_wait was called{{.*}}xcc::sync_block()
  pthread_barrier_t barrier;
  pthread_barrier_init(&barrier, nullptr, 8);
  run([&] { pthread_barrier_wait(&barrier); });
  // CHECK-NEXT: no error
  run([] {});
}
