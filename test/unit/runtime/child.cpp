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
  static Unit U; // unloads after main, as a linked unit's .fini_array does
  return U;
}

/// Launches a hundred kernels, copies, and checks the result.
static int work() {
  try {
    std::vector<uint32_t> Data(4096);
    xcc::buffer<uint32_t> B(Data.size());
    B.fill(0);
    uint32_t *Pointer = B.data();
    for (int I = 0; I != 100; ++I)
      xcc::detail::check(
          launch(unit().kernel("increment", 8), config(1024, 4), Pointer));
    B.copy_to(Data.data(), Data.size());
    for (uint32_t Value : Data)
      if (Value != 100)
        return 2;
    return 0;
  } catch (const xcc::error &E) {
    printf("error: %s\n", E.what());
    return 1;
  }
}

/// Leaves work behind without waiting for it.
static int leave(const char *Kernel) {
  static uint32_t Counter, *Pointer = &Counter;
  for (int I = 0; I != 50; ++I)
    if ((Kernel ? launch(unit().kernel(Kernel), config(8, 1))
                : launch(unit().kernel("count", 8), config(1000, 1),
                         Pointer)) != XCC_SUCCESS)
      return 1;
  return 0;
}

static pid_t forkAs(std::string_view How) {
  if (How == "_Fork")
    return _Fork();
  if (How == "clone")
    return pid_t(
        syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, nullptr));
  return fork();
}

static int forkAfterUse(std::string_view How) {
  if (work() != 0)
    return 1;
  pid_t Child = forkAs(How);
  if (Child == 0) {
    int Result = work(); // fails, says why, and ends
    exit(Result == 1 ? 0 : 1);
  }
  int Status = 0;
  waitpid(Child, &Status, 0);
  return WIFEXITED(Status) ? WEXITSTATUS(Status) : 3;
}

static int oneCore() {
  cpu_set_t Set;
  CPU_ZERO(&Set);
  CPU_SET(sched_getcpu(), &Set);
  if (sched_setaffinity(0, sizeof(Set), &Set) != 0)
    return 3;
  int Result = work();
  return Result ? Result : xcc::device::current().cores() != 1;
}

/// The program's own choice of a device does not hide what is wrong with a
/// setting.
static int setDevice() {
  if (xcc_device_set_current(0) == XCC_SUCCESS)
    return 0;
  printf("error: %s\n", xcc_last_error());
  return 1;
}

/// Under a limit on the size of files an image cannot be loaded.
static int noFiles() {
  rlimit None{0, 0};
  setrlimit(RLIMIT_FSIZE, &None);
  return work() == 1 ? 0 : 1;
}

/// Closes the files that it does not know, as services do, and opens one of its
/// own, which is open still when the image has gone.
static int closedFiles() {
  if (work() != 0)
    return 1;
  // What was closed at the start is free: nothing of the runtime's is there.
  for (int File = 0; File != 3; ++File)
    if (struct stat S; fstat(File, &S) == 0 && !isatty(File) && S.st_size &&
                       S_ISREG(S.st_mode))
      return 2;
  for (int File = 3; File != 64; ++File)
    close(File);
  int Own[8];
  for (int &File : Own)
    if ((File = open("/dev/null", O_WRONLY)) < 0)
      return 3;
  xcc_binary_unload(&unit().Binary);
  for (int File : Own)
    if (fcntl(File, F_GETFD) < 0)
      return 4;
  return 0;
}

/// Loads a library that holds a runtime of its own, uses it on a thread that
/// outlives it, and unloads it, several times.
static int plugin(const char *Path) {
  for (int I = 0; I != 5; ++I) {
    void *Handle = dlopen(Path, RTLD_NOW | RTLD_LOCAL);
    if (!Handle) {
      printf("%s\n", dlerror());
      return 1;
    }
    auto Run = reinterpret_cast<int (*)()>(dlsym(Handle, "run_plugin"));
    int Result = 0;
    std::atomic<int> Stage{0};
    std::thread User([&] {
      Result = Run();
      Stage = 1;
      while (Stage != 2)
        std::this_thread::yield();
    });
    while (Stage != 1)
      std::this_thread::yield();
    dlclose(Handle);
    bool Gone = !dlopen(Path, RTLD_NOW | RTLD_NOLOAD);
    Stage = 2;
    User.join();
    if (Result != 0 || !Gone) {
      printf("result %d, gone %d\n", Result, Gone);
      return 1;
    }
  }
  return work();
}

int main(int Count, char **Arguments) {
  std::string Mode = Count > 1 ? Arguments[1] : "work";
  if (Mode == "work")
    return work();
  if (Mode == "leave")
    return leave(nullptr);
  if (Mode == "leave-failed")
    return leave("bad_write");
  if (Mode == "leave-destroyed") {
    xcc::stream S;
    return launch(unit().kernel("bad_write"), config(8, 1, S.handle()));
  }
  if (Mode == "fork")
    return forkAfterUse(Count > 2 ? Arguments[2] : "");
  if (Mode == "set-device")
    return setDevice();
  if (Mode == "no-files")
    return noFiles();
  if (Mode == "closed-files")
    return closedFiles();
  if (Mode == "one-core")
    return oneCore();
  if (Mode == "plugin")
    return plugin(Arguments[2]);
  if (Mode == "nothing") {
    xcc_binary_unload(&unit().Binary);
    return 0;
  }
  return 9;
}
