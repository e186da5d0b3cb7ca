// Which code this CPU can run
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "features.h"

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

const char *levelName(int Level) {
  switch (Level) {
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

int levelOf(std::string_view Arch) {
  for (int Level = 1; Level <= 4; ++Level)
    if (Arch == levelName(Level))
      return Level;
  return 0;
}

namespace {
/// The two lines of /proc/cpuinfo that matter, read once.
struct CpuInfo {
  char Name[128] = "x86-64 CPU";
  char *Flags = nullptr; ///< " fpu vme ... \n", null when unreadable
};
} // namespace

static const CpuInfo &cpuInfo() {
  static CpuInfo Info;
  static std::once_flag Once;
  std::call_once(Once, [] {
    FILE *In = fopen("/proc/cpuinfo", "re");
    if (!In)
      return;
    char *Line = nullptr;
    size_t Size = 0;
    bool Named = false;
    while (getline(&Line, &Size, In) > 0 && !(Named && Info.Flags)) {
      const char *Value = strchr(Line, ':');
      if (!Value)
        continue;
      ++Value;
      if (!Named && !strncmp(Line, "model name", 10)) {
        Named = true;
        snprintf(Info.Name, sizeof(Info.Name), "%.*s",
                 static_cast<int>(strcspn(Value + 1, "\n")), Value + 1);
      } else if (!Info.Flags && !strncmp(Line, "flags", 5)) {
        Info.Flags = strdup(Value);
      }
    }
    free(Line);
    fclose(In);
  });
  return Info;
}

const char *cpuName() { return cpuInfo().Name; }

static bool hasFlag(std::string_view Flags, std::string_view Name) {
  for (size_t At = 0; (At = Flags.find(Name, At)) != std::string_view::npos;
       At += Name.size()) {
    size_t End = At + Name.size();
    bool Starts = At == 0 || Flags[At - 1] == ' ';
    bool Ends = End == Flags.size() || Flags[End] == ' ' || Flags[End] == '\n';
    if (Starts && Ends)
      return true;
  }
  return false;
}

std::string_view missingFeature(std::string_view List) {
  while (!List.empty()) {
    size_t End = List.find(',');
    std::string_view Name = List.substr(0, End);
    List = End == std::string_view::npos ? std::string_view()
                                         : List.substr(End + 1);
    const char *Flags = cpuInfo().Flags;
    if (!Name.empty() && !(Flags && hasFlag(Flags, Name)))
      return Name;
  }
  return {};
}

} // namespace xcc::rt::cpu
