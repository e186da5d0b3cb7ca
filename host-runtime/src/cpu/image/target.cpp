// Which code this CPU can run
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "target.h"
#include "formats/cache_folder.h"

#include <cinttypes>
#include <cpuid.h>
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
/// The lines of /proc/cpuinfo that the runtime uses, read once.
struct CpuInfo {
  char name[128] = "x86-64 CPU";
  char *flags = nullptr; ///< " fpu vme ... \n", null when unreadable
  uint64_t clock = 0;    ///< kHz, now
  std::string model;     ///< the lines that identify the processor
};
} // namespace

static const CpuInfo &cpuInfo() {
  static CpuInfo &info = *new CpuInfo; // never destroyed: used until exit
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
      for (const char *key : {"vendor_id", "cpu family", "model", "stepping"})
        if (!strncmp(line, key, strlen(key)))
          info.model += line;
      if (!named && !strncmp(line, "model name", 10)) {
        named = true;
        snprintf(info.name, sizeof(info.name), "%.*s",
                 static_cast<int>(strcspn(value + 1, "\n")), value + 1);
      } else if (!info.clock && !strncmp(line, "cpu MHz", 7)) {
        info.clock = static_cast<uint64_t>(strtod(value, nullptr) * 1000);
      } else if (!info.flags && !strncmp(line, "flags", 5)) {
        info.flags = strdup(value);
      }
    }
    free(line);
    fclose(in);
  });
  return info;
}

const std::string &cpuFingerprint() {
  // Never destroyed: kernels may be launched until the process ends.
  static const std::string &text = *new std::string([] {
    // The flags that Linux lists, and CPUID leaves for features that an old
    // Linux does not know.
    std::string all = cpuInfo().model;
    if (const char *flags = cpuInfo().flags)
      all += flags;
    constexpr unsigned leaves[][2] = {{7, 0}, {7, 1}, {0x19, 0}, {0x24, 0}};
    for (auto [leaf, part] : leaves) {
      unsigned words[4] = {};
      __get_cpuid_count(leaf, part, &words[0], &words[1], &words[2], &words[3]);
      all.append(reinterpret_cast<const char *>(words), sizeof(words));
    }
    return cacheKeyOf(all);
  }());
  return text;
}

const char *cpuName() { return cpuInfo().name; }

uint64_t cpuClock() {
  uint64_t khz = 0;
  if (FILE *in =
          fopen("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", "re");
      in) {
    if (fscanf(in, "%" SCNu64, &khz) != 1)
      khz = 0;
    fclose(in);
  }
  return khz ? khz : cpuInfo().clock;
}

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
