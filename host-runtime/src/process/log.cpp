// What XCC_LOG shows
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "log.h"

#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace xcc::rt {

namespace {
struct Name {
  const char *Text;
  unsigned Mask;
};
constexpr Name Names[] = {{"error", 1},  {"load", 2},    {"launch", 4},
                          {"memory", 8}, {"device", 16}, {"all", 31}};
constexpr unsigned Unread = ~0u;
} // namespace

constinit std::atomic<unsigned> WantedLogs{Unread};

static void writeLine(const char *Tag, const char *Format, va_list Args) {
  char Line[1024];
  int Used = snprintf(Line, sizeof(Line), "xcc: %s: ", Tag);
  int More = vsnprintf(Line + Used, sizeof(Line) - Used - 1, Format, Args);
  size_t Size = strlen(Line);
  if (More < 0)
    Size = Used;
  Line[Size++] = '\n';
  // Nothing can be done when standard error is closed.
  [[maybe_unused]] ssize_t Written = write(STDERR_FILENO, Line, Size);
}

static unsigned readWanted() {
  unsigned Mask = 0;
  const char *Text = secure_getenv("XCC_LOG");
  while (Text && *Text) {
    size_t Length = strcspn(Text, ",");
    bool Known = Length == 0;
    for (const Name &N : Names)
      if (strlen(N.Text) == Length && !memcmp(N.Text, Text, Length)) {
        Mask |= N.Mask;
        Known = true;
      }
    if (!Known)
      complain("XCC_LOG: no category '%.*s'; there are error, load, launch, "
               "memory, device and all",
               static_cast<int>(Length), Text);
    Text += Length + (Text[Length] == ',');
  }
  WantedLogs.store(Mask, std::memory_order_relaxed);
  return Mask;
}

bool isWanted(LogCategory Category) {
  unsigned Mask = WantedLogs.load(std::memory_order_relaxed);
  if (Mask == Unread)
    Mask = readWanted();
  return Mask & static_cast<unsigned>(Category);
}

void log(LogCategory Category, const char *Format, ...) {
  const char *Tag = "";
  for (const Name &N : Names)
    if (N.Mask == static_cast<unsigned>(Category))
      Tag = N.Text;
  va_list Args;
  va_start(Args, Format);
  writeLine(Tag, Format, Args);
  va_end(Args);
}

void complain(const char *Format, ...) {
  va_list Args;
  va_start(Args, Format);
  writeLine("warning", Format, Args);
  va_end(Args);
}

} // namespace xcc::rt
