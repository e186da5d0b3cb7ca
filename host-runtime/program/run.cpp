// A program's loader
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Its image is an ordinary one with three kernels (xcc/abi.h). A device that is
// this process (the CPU device, for one call of main) runs them here, as
// functions: all that a process can do or suffer is the program's own then. On
// any other they are launched one after the other, argv and the environment are
// copied to memory of the device, and an error becomes the signal that would
// have ended the program here.

#include "run.h"
#include "devices/context.h"
#include "errors/error.h"
#include "formats/kernel_row.h"
#include "images/registry.h"
#include "images/units.h"
#include "xcc/runtime.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>
#include <utility>
#include <vector>

using namespace xcc::rt;

namespace xcc::program {

void complain(const char *text) {
  fprintf(stderr, "xcc-run: error: %s\n", text);
}

namespace {

/// Of each thread where stacks are not the host's. Drivers reserve it for as
/// many threads as a GPU can hold: this is at most some GiB.
constexpr size_t DefaultStack = 64 * 1024;

[[noreturn]] void giveUp(const char *text) {
  complain(text);
  exit(CannotRun);
}

void need(xcc_status status) {
  if (status != XCC_SUCCESS)
    giveUp(xcc_error_last());
}

/// A variable of the environment that the runtime reads and the program does
/// not see.
class Setting {
public:
  Setting(const char *name, const std::string &value) : name(name) {
    if (value.empty())
      return;
    changed = true;
    if (const char *before = getenv(name))
      old = before, had = true;
    setenv(name, value.c_str(), 1);
  }
  ~Setting() {
    if (!changed)
      return;
    if (had)
      setenv(name, old.c_str(), 1);
    else
      unsetenv(name);
  }
  Setting(const Setting &) = delete;
  Setting &operator=(const Setting &) = delete;

private:
  const char *name;
  std::string old;
  bool had = false, changed = false;
};

/// One of the image's kernels.
struct Entry {
  xcc_kernel_info info{};
  void *slots[XCC_KERNEL_SLOTS] = {};
  const Kernel *kernel = nullptr;

  void describe(const char *symbol, const char *name, xcc_binary &unit) {
    info.magic = XCC_KERNEL_MAGIC;
    info.abi_version = XCC_ABI_VERSION;
    info.name = name;
    info.symbol = symbol;
    info.file = "";
    info.kernarg_size = sizeof(xcc_program_arguments);
    info.kernarg_alignment = 8;
    info.binary = &unit;
    info.slots = slots;
    OffloadReader reader(sectionOf(unit));
    OffloadImage image;
    KernelRow row;
    bool found = false;
    while (!found && reader.next(image))
      found = findKernelRow(image.kernels, symbol, row);
    if (!found)
      giveUp(reader.error()
                 ? (std::string("the image ") + reader.error()).c_str()
                 : "the image is no program's: compile it with -foffload-main "
                   "or -foffload-image-only");
    info.fingerprint = row.fingerprint;
  }
};

Entry first, start, last;
/// What kernels that run here are given, until the process has ended.
xcc_program_arguments here;
uint32_t statusHere;

/// Ends as a process of the host's would have that did what failed.
[[noreturn]] void endLike() {
  complain(xcc_error_last());
  xcc_error *error = keepLastError();
  int number = error ? signalOf(error) : 0;
  number = number ? number : SIGABRT;
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none); // it would be the loader's
  signal(number, SIG_DFL);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, number);
  pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
  raise(number);
  _exit(128 + number);
}

void launch(Device &on, const Entry &entry, const Options &o,
            const xcc_program_arguments &arguments, bool single) {
  xcc_launch_config config{};
  for (int i = 0; i != 3; ++i) {
    config.grid[i] = single ? 1 : o.blocks[i];
    config.block[i] = single ? 1 : o.threads[i];
  }
  need(xcc_kernel_launch(&entry.info, &config, &arguments, sizeof(arguments)));
  if (xcc_device_synchronize(on.ordinal()) != XCC_SUCCESS)
    endLike();
}

/// Texts and the table of their addresses, as the device sees them.
char **onDevice(char **list) {
  size_t count = 0, bytes = 0;
  for (; list[count]; ++count)
    bytes += strlen(list[count]) + 1;
  size_t table = (count + 1) * sizeof(char *);
  void *memory = nullptr;
  need(xcc_memory_alloc(table + bytes, &memory));
  std::vector<char> copy(table + bytes);
  size_t at = table;
  for (size_t i = 0; i != count; ++i) {
    char *address = static_cast<char *>(memory) + at;
    memcpy(copy.data() + i * sizeof(char *), &address, sizeof(char *));
    strcpy(copy.data() + at, list[i]);
    at += strlen(list[i]) + 1;
  }
  need(xcc_memory_copy(memory, copy.data(), copy.size()));
  return static_cast<char **>(memory);
}

/// The device that shares the host's memory, constructed a program and has its
/// destructors to run.
Device *deviceHere;
/// How they are launched where they cannot run on this thread: once main has
/// returned.
const Options *ended;

void finishHere() {
  Device *on = std::exchange(deviceHere, nullptr);
  if (on && !on->runInCallingThread(*last.kernel, &here) && ended)
    launch(*on, last, *ended, here, true);
}

/// Registered before what the program registers, with the C library or on the
/// device, and so called after it, however the program ends.
void finishAtEnd(Device &on) {
  deviceHere = &on;
  atexit(finishHere);
}

[[noreturn]] void runOnDevice(Device &on, const Options &o, int argc,
                              char **argv) {
  const bool shares = on.sharesHostMemory();
  xcc_program_arguments arguments{};
  arguments.argc = argc;
  arguments.argv = onDevice(argv);
  arguments.envp = onDevice(environ);
  void *status = nullptr;
  need(xcc_memory_alloc(sizeof(uint32_t), &status));
  need(xcc_memory_fill(status, 0, sizeof(uint32_t)));
  arguments.status = static_cast<uint32_t *>(status);
  if (shares)
    finishAtEnd(on);
  launch(on, first, o, arguments, true);
  launch(on, start, o, arguments, false);
  uint32_t result = 0;
  need(xcc_memory_copy(&result, status, sizeof(result)));
  if (shares)
    ended = &o;
  else
    launch(on, last, o, arguments, true);
  exit(int(result));
}

void growStack(Device &on, uint64_t bytes) {
  if (!on.sharesHostMemory()) {
    need(xcc_device_set_stack(on.ordinal(), bytes));
    return;
  }
  // The system looks at the limit whenever the first thread's stack grows.
  struct rlimit limit;
  if (getrlimit(RLIMIT_STACK, &limit) != 0 ||
      (limit.rlim_max != RLIM_INFINITY && limit.rlim_max < bytes))
    giveUp("--stack-size is more than the process may have (ulimit -H -s)");
  limit.rlim_cur = bytes;
  if (setrlimit(RLIMIT_STACK, &limit) != 0)
    giveUp((std::string("--stack-size: ") + strerror(errno)).c_str());
}

void *endLater(void *argument) {
  double seconds = *static_cast<double *>(argument);
  timespec rest;
  rest.tv_sec = time_t(seconds);
  rest.tv_nsec = long((seconds - double(rest.tv_sec)) * 1e9);
  while (nanosleep(&rest, &rest) == -1 && errno == EINTR)
    ;
  char text[80];
  int size = snprintf(text, sizeof(text),
                      "xcc-run: error: timeout after %g seconds\n", seconds);
  if (write(2, text, size_t(size)) < 0)
    _exit(TimedOut);
  _exit(TimedOut);
}

void limitTime(double seconds) {
  static double kept;
  kept = seconds;
  // Signals are the program's.
  sigset_t all, old;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  pthread_t thread;
  if (pthread_create(&thread, nullptr, endLater, &kept) != 0)
    giveUp("--timeout: no thread to watch the time");
  pthread_detach(thread);
  pthread_sigmask(SIG_SETMASK, &old, nullptr);
}

void printResources(const xcc_binary &unit) {
  OffloadReader reader(sectionOf(unit));
  OffloadImage image;
  while (reader.next(image)) {
    std::string_view table = image.kernels;
    for (KernelRow row; nextKernelRow(table, row);) {
      auto column = [&](const char *first, const char *second) {
        auto text = row.column(first);
        if (!text && second)
          text = row.column(second);
        return std::string(text.value_or("-"));
      };
      fprintf(stderr,
              "%s %.*s: registers %s, scalar registers %s, spills %s, stack "
              "%s, shared memory %u, local memory %u\n",
              image.arch, int(row.name.size()), row.name.data(),
              column("registers", "vgprs").c_str(),
              column("sgprs", nullptr).c_str(),
              column("spills", nullptr).c_str(),
              row.is("dynamic_stack") ? "dynamic"
                                      : std::to_string(row.privateSize).c_str(),
              row.sharedSize, row.privateSize);
    }
  }
}

} // namespace

void run(xcc_binary &unit, const Options &o, int argc, char **argv) {
  for (const std::string &text : o.environment) {
    size_t equals = text.find('=');
    setenv(text.substr(0, equals).c_str(), text.c_str() + equals + 1, 1);
  }
  if (o.resources)
    printResources(unit);
  xcc_binary_register(&unit);
  first.describe(XCC_SYMBOL_BEGIN, "constructors of the program", unit);
  start.describe(XCC_SYMBOL_START, "main", unit);
  last.describe(XCC_SYMBOL_END, "destructors of the program", unit);
  Device *on = nullptr;
  {
    Setting device("XCC_DEVICE", o.device), heap("XCC_DEVICE_HEAP", o.heap),
        ports("XCC_RPC_PORTS", o.ports);
    need(currentDevice(on));
    if (o.stack)
      growStack(*on, o.stack);
    else if (on->mostStack() >= DefaultStack)
      need(xcc_device_set_stack(on->ordinal(), DefaultStack));
    for (Entry *entry : {&first, &start, &last})
      need(loadKernel(entry->info, *on, &entry->kernel));
  }
  if (o.timeout > 0)
    limitTime(o.timeout);
  here = {argc, 0, argv, environ, &statusHere};
  if (o.single()) {
    finishAtEnd(*on);
    if (on->runInCallingThread(*first.kernel, &here)) {
      if (!on->runInCallingThread(*start.kernel, &here))
        launch(*on, start, o, here, true);
      exit(int(statusHere));
    }
    deviceHere = nullptr;
  }
  runOnDevice(*on, o, argc, argv);
}

} // namespace xcc::program
