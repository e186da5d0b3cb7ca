// What process tests run
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program with its own settings and end: process_test.cpp runs it with an
// environment and looks at its exit status and output.

#include "unit.h"
#include "xcc/host.h"

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <fcntl.h>
#include <sched.h>
#include <string_view>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace xcc::test;

static Unit &unit() {
  static Unit u; // unloads after main, as a linked unit's .fini_array does
  return u;
}

/// Launches a hundred kernels, copies, and checks the result.
static int work() {
  try {
    std::vector<uint32_t> data(4096);
    xcc::buffer<uint32_t> b(data.size());
    b.fill(0);
    uint32_t *pointer = b.data();
    for (int i = 0; i != 100; ++i)
      xcc::detail::check(
          launch(unit().kernel("increment", 8), config(1024, 4), pointer));
    b.copy_to(data.data(), data.size());
    for (uint32_t value : data)
      if (value != 100)
        return 2;
    return 0;
  } catch (const xcc::error &e) {
    printf("error: %s\n", e.what());
    return 1;
  }
}

/// Leaves work behind without waiting for it.
static int leave(const char *kernel) {
  static uint32_t counter, *pointer = &counter;
  for (int i = 0; i != 50; ++i)
    if ((kernel ? launch(unit().kernel(kernel), config(8, 1))
                : launch(unit().kernel("count", 8), config(1000, 1),
                         pointer)) != XCC_SUCCESS)
      return 1;
  return 0;
}

static pid_t forkAs(std::string_view how) {
  if (how == "_Fork")
    return _Fork();
  if (how == "clone")
    return pid_t(
        syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, nullptr));
  return fork();
}

static int forkAfterUse(std::string_view how) {
  if (work() != 0)
    return 1;
  pid_t child = forkAs(how);
  if (child == 0) {
    int result = work(); // fails, says why, and ends
    exit(result == 1 ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 3;
}

/// One worker, busy while work comes to streams that were made in the opposite
/// order of their priorities.
static int priorities() {
  static std::atomic<bool> began{false}, go{false};
  static std::atomic<int> done{0};
  static int order[3];
  xcc::stream urgent(-1), usual, idle(1), first;
  first.call([] {
    began = true;
    while (!go)
      std::this_thread::yield();
  });
  while (!began)
    std::this_thread::yield();
  idle.call([] { order[done] = 1, ++done; });
  usual.call([] { order[done] = 0, ++done; });
  urgent.call([] { order[done] = -1, ++done; });
  go = true;
  while (done != 3)
    std::this_thread::yield();
  std::printf("%d %d %d\n", order[0], order[1], order[2]);
  return 0;
}

static int oneCore() {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(sched_getcpu(), &set);
  if (sched_setaffinity(0, sizeof(set), &set) != 0)
    return 3;
  int result = work();
  return result ? result : xcc::device::current().cores() != 1;
}

/// The program's own choice of a device does not hide what is wrong with a
/// setting.
static int setDevice() {
  if (xcc_device_set_current(0) == XCC_SUCCESS)
    return 0;
  printf("error: %s\n", xcc_error_last());
  return 1;
}

/// Under a limit on the size of files an image cannot be loaded.
static int noFiles() {
  rlimit none{0, 0};
  setrlimit(RLIMIT_FSIZE, &none);
  return work() == 1 ? 0 : 1;
}

/// Closes the files that it does not know, as services do, and opens one of its
/// own, which is open still when the image has gone.
static int closedFiles() {
  if (work() != 0)
    return 1;
  // What was closed at the start is free: nothing of the runtime's is there.
  for (int file = 0; file != 3; ++file)
    if (struct stat s; fstat(file, &s) == 0 && !isatty(file) && s.st_size &&
                       S_ISREG(s.st_mode))
      return 2;
  for (int file = 3; file != 64; ++file)
    close(file);
  int own[8];
  for (int &file : own)
    if ((file = open("/dev/null", O_WRONLY)) < 0)
      return 3;
  xcc_binary_unload(&unit().binary);
  for (int file : own)
    if (fcntl(file, F_GETFD) < 0)
      return 4;
  return 0;
}

/// Loads a library that holds a runtime of its own, uses it on a thread that
/// outlives it, and unloads it, several times.
static int plugin(const char *path) {
  for (int i = 0; i != 5; ++i) {
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
      printf("%s\n", dlerror());
      return 1;
    }
    auto run = reinterpret_cast<int (*)()>(dlsym(handle, "run_plugin"));
    int result = 0;
    std::atomic<int> stage{0};
    std::thread user([&] {
      result = run();
      stage = 1;
      while (stage != 2)
        std::this_thread::yield();
    });
    while (stage != 1)
      std::this_thread::yield();
    dlclose(handle);
    bool gone = !dlopen(path, RTLD_NOW | RTLD_NOLOAD);
    stage = 2;
    user.join();
    if (result != 0 || !gone) {
      printf("result %d, gone %d\n", result, gone);
      return 1;
    }
  }
  return work();
}

int main(int count, char **arguments) {
  std::string mode = count > 1 ? arguments[1] : "work";
  if (mode == "work")
    return work();
  if (mode == "leave")
    return leave(nullptr);
  if (mode == "leave-failed")
    return leave("bad_write");
  if (mode == "leave-destroyed") {
    xcc::stream s;
    return launch(unit().kernel("bad_write"), config(8, 1, s.handle()));
  }
  if (mode == "fork")
    return forkAfterUse(count > 2 ? arguments[2] : "");
  if (mode == "set-device")
    return setDevice();
  if (mode == "no-files")
    return noFiles();
  if (mode == "closed-files")
    return closedFiles();
  if (mode == "one-core")
    return oneCore();
  if (mode == "priorities")
    return priorities();
  if (mode == "plugin")
    return plugin(arguments[2]);
  if (mode == "nothing") {
    xcc_binary_unload(&unit().binary);
    return 0;
  }
  return 9;
}
