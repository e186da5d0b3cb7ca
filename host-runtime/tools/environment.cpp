// The variables that programs built by xcc read
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "environment.h"
#include "xcc/host.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <unistd.h>

namespace xcc::rt {

namespace {
struct Variable {
  const char *name, *values, *meaning;
};

/// docs/runtime.md has the same ones at length.
constexpr Variable Variables[] = {
    {"XCC_DEVICE", "host, cuda, cuda:1, hsa, ...",
     "the device that is current"},
    {"XCC_LOG", "error,load,launch,memory,device,map; all",
     "lines on standard error"},
    {"XCC_TRACE", "FILE.json", "a timeline for Perfetto"},
    {"XCC_PROFILE", "1, FILE.json", "a table of kernels and copies"},
    {"XCC_CPU_THREADS", "NUMBER", "threads that run blocks on the CPU device"},
    {"XCC_CPU_STACK", "BYTES", "stack of each fiber of the CPU device"},
    {"XCC_CPU_SEPARATE", "1, 2",
     "the CPU device has memory of its own, for tests"},
    {"XCC_IMAGE_DIR", "DIRECTORY",
     "files with the CPU device's code, for profilers"},
    {"XCC_EXIT_WAIT", "SECONDS",
     "how long the process's end waits for blocks that do not end"},
    {"XCC_DEVICE_HEAP", "BYTES", "memory for malloc in device code"},
    {"XCC_RPC_PORTS", "NUMBER", "calls of the host in progress at a time"},
    {"XCC_DENY_SERVICES", "output,read-files,...; all",
     "services of the host that device code may not use"},
    {"XCC_HSA_STACK", "BYTES", "stack of each thread on AMD GPUs"},
    {"XCC_CUDA_STACK", "BYTES", "stack of each thread on NVIDIA GPUs"},
    {"XCC_JIT", "auto, always, never",
     "whether code is generated from portable images"},
    {"XCC_JIT_LIBRARY", "FILE", "libxcc-jit.so, if it is elsewhere"},
    {"XCC_RTC_LIBRARY", "FILE", "libxcc-rtc.so, if it is elsewhere"},
    {"XCC_JIT_DUMP", "DIRECTORY", "keeps each stage of generated code"},
    {"XCC_CACHE_DIR", "DIRECTORY", "where generated code is kept"},
    {"XCC_CACHE_SIZE", "BYTES", "how much of it; 0 keeps nothing"},
    {"XCC_RUN_OPTIONS", "OPTIONS",
     "xcc-run's, for programs whose main runs on a device"},
};
} // namespace

bool listEnvironment() {
  for (const Variable &v : Variables) {
    printf("%-18s %s\n", v.name, v.meaning);
    if (const char *value = getenv(v.name))
      printf("%-18s   is %s; takes %s\n", "", value, v.values);
    else
      printf("%-18s   %s\n", "", v.values);
  }
  bool fine = true;
  for (char **entry = environ; *entry; ++entry) {
    std::string_view name(*entry);
    name = name.substr(0, name.find('='));
    if (!name.starts_with("XCC_") ||
        std::ranges::any_of(Variables,
                            [&](const Variable &v) { return v.name == name; }))
      continue;
    printf("%.*s is set, and nothing reads it\n", static_cast<int>(name.size()),
           name.data());
    fine = false;
  }
  // The first call that needs a device says what it does not understand.
  try {
    xcc::device::current().cores();
  } catch (const std::exception &e) {
    printf("%s\n", e.what());
    fine = false;
  }
  return fine;
}

} // namespace xcc::rt
