// Which code this CPU can run
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "target.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>

namespace xcc::rt::cpu {

int cpuLevel() {
  __builtin_cpu_init();
  if (__builtin_cpu_supports("x86-64-v4"))
    return 4;
  if (__builtin_cpu_supports("x86-64-v3"))
    return 3;
  return __builtin_cpu_supports("x86-64-v2") ? 2 : 1;
}

const char *levelName(int level) {
  switch (level) {
  case 4:
    return "x86-64-v4";
  case 3:
    return "x86-64-v3";
  case 2:
    return "x86-64-v2";
  default:
    return "x86-64";
  }
}

int levelOf(std::string_view arch) {
  for (int level = 1; level <= 4; ++level)
    if (arch == levelName(level))
      return level;
  return 0;
}

namespace {
/// The two lines of /proc/cpuinfo that matter, read once.
struct CpuInfo {
  char name[128] = "x86-64 CPU";
  char *flags = nullptr; ///< " fpu vme ... \n", null when unreadable
};
} // namespace

static const CpuInfo &cpuInfo() {
  static CpuInfo info;
  static std::once_flag once;
  std::call_once(once, [] {
    FILE *in = fopen("/proc/cpuinfo", "re");
    if (!in)
      return;
    char *line = nullptr;
    size_t size = 0;
    bool named = false;
    while (getline(&line, &size, in) > 0 && !(named && info.flags)) {
      const char *value = strchr(line, ':');
      if (!value)
        continue;
      ++value;
      if (!named && !strncmp(line, "model name", 10)) {
        named = true;
        snprintf(info.name, sizeof(info.name), "%.*s",
                 static_cast<int>(strcspn(value + 1, "\n")), value + 1);
      } else if (!info.flags && !strncmp(line, "flags", 5)) {
        info.flags = strdup(value);
      }
    }
    free(line);
    fclose(in);
  });
  return info;
}

const char *cpuName() { return cpuInfo().name; }

static bool hasFlag(std::string_view flags, std::string_view name) {
  for (size_t at = 0; (at = flags.find(name, at)) != std::string_view::npos;
       at += name.size()) {
    size_t end = at + name.size();
    bool starts = at == 0 || flags[at - 1] == ' ';
    bool ends = end == flags.size() || flags[end] == ' ' || flags[end] == '\n';
    if (starts && ends)
      return true;
  }
  return false;
}

std::string_view missingFeature(std::string_view list) {
  while (!list.empty()) {
    size_t end = list.find(',');
    std::string_view name = list.substr(0, end);
    list = end == std::string_view::npos ? std::string_view()
                                         : list.substr(end + 1);
    const char *flags = cpuInfo().flags;
    if (!name.empty() && !(flags && hasFlag(flags, name)))
      return name;
  }
  return {};
}

} // namespace xcc::rt::cpu
