// main ends by pthread_exit: the process ends with its last thread that is not
// the runtime's, and until then a signal ends it.
// RUN: %xcc -O1 %s -o %t && env XCC_EXIT_WAIT=1000000 %t 2>&1 | FileCheck %s
// DEVICES: host, because its kernels use memory of the host
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <xcc/xcc.h>

void sets(int *p) { *p = 1; }
void endless(volatile int *p) {
  *p = 1;
  while (*p)
    ;
}
static int hosts(int value) { return value + 1; }
void calls(int *p) { *p = xcc::host_call(hosts, 1); }
static int word;

static void use() {
  xcc::launch({{1}, {1}}, sets, &word);
  xcc::synchronize();
}

static bool mainEnded(pid_t of) {
  char path[64], text[512] = "";
  std::snprintf(path, sizeof path, "/proc/%d/task/%d/stat", of, of);
  if (std::FILE *f = std::fopen(path, "r")) {
    (void)!std::fread(text, 1, sizeof text - 1, f);
    std::fclose(f);
  }
  const char *name = std::strrchr(text, ')');
  return name && name[2] == 'Z';
}

/// Runs main's part in a child that then ends main; kills it when that is so.
template <class F> static void run(const char *name, int kill_with, F body) {
  std::fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    std::atexit([] { std::puts("handlers of exit"); });
    body();
    pthread_exit(nullptr);
  }
  if (kill_with) {
    while (!mainEnded(child))
      std::this_thread::yield();
    kill(child, kill_with);
  }
  int status = 0;
  waitpid(child, &status, 0);
  std::printf("%s: exit %d signal %d\n", name,
              WIFEXITED(status) ? WEXITSTATUS(status) : -1,
              WIFSIGNALED(status) ? WTERMSIG(status) : 0);
}

int main() {
  // CHECK: handlers of exit
  // CHECK-NEXT: used: exit 0 signal 0
  run("used", 0, use);
  // CHECK-NEXT: the thread ends
  // CHECK-NEXT: handlers of exit
  // CHECK-NEXT: another thread: exit 0 signal 0
  run("another thread", 0, [] {
    use();
    std::thread([self = getpid()] {
      while (!mainEnded(self))
        std::this_thread::yield();
      use();
      std::puts("the thread ends");
    }).detach();
  });
  // CHECK-NEXT: handlers of exit
  // CHECK-NEXT: used by a thread: exit 0 signal 0
  run("used by a thread", 0, [] { std::thread(use).join(); });
  // The threads that serve calls are no threads of the program either.
  // CHECK-NEXT: handlers of exit
  // CHECK-NEXT: calls: exit 0 signal 0
  run("calls", 0, [] { xcc::launch({{1}, {1}}, calls, &word); });
  // CHECK-NEXT: endless: exit -1 signal 15
  run("endless", SIGTERM, [] {
    xcc::launch({{1}, {1}}, endless, &word);
    while (!*(volatile int *)&word)
      std::this_thread::yield();
  });
}
