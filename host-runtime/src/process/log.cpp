// The log lines of XCC_LOG
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
  const char *text;
  unsigned mask;
};
constexpr Name Names[] = {{"error", 1},   {"load", 2},    {"launch", 4},
                          {"memory", 8},  {"device", 16}, {"map", 32},
                          {"stdpar", 64}, {"all", 127}};
constexpr unsigned Unread = ~0u;
} // namespace

constinit std::atomic<unsigned> enabledLogs{Unread};

static void writeLine(const char *tag, const char *format, va_list args) {
  char line[1024];
  int used = snprintf(line, sizeof(line), "xcc: %s: ", tag);
  int more = vsnprintf(line + used, sizeof(line) - used - 1, format, args);
  size_t size = strlen(line);
  if (more < 0)
    size = used;
  line[size++] = '\n';
  // A failure, such as a closed standard error, is ignored.
  [[maybe_unused]] ssize_t written = write(STDERR_FILENO, line, size);
}

static unsigned readCategories() {
  unsigned mask = 0;
  const char *text = secure_getenv("XCC_LOG");
  while (text && *text) {
    size_t length = strcspn(text, ",");
    bool known = length == 0;
    for (const Name &n : Names)
      if (strlen(n.text) == length && !memcmp(n.text, text, length)) {
        mask |= n.mask;
        known = true;
      }
    if (!known)
      complain("XCC_LOG: no category '%.*s'; there are error, load, launch, "
               "memory, device, map, stdpar and all",
               static_cast<int>(length), text);
    text += length + (text[length] == ',');
  }
  enabledLogs.store(mask, std::memory_order_relaxed);
  return mask;
}

bool isEnabled(LogCategory category) {
  unsigned mask = enabledLogs.load(std::memory_order_relaxed);
  if (mask == Unread)
    mask = readCategories();
  return mask & static_cast<unsigned>(category);
}

void log(LogCategory category, const char *format, ...) {
  const char *tag = "";
  for (const Name &n : Names)
    if (n.mask == static_cast<unsigned>(category))
      tag = n.text;
  va_list args;
  va_start(args, format);
  writeLine(tag, format, args);
  va_end(args);
}

void complain(const char *format, ...) {
  va_list args;
  va_start(args, format);
  writeLine("warning", format, args);
  va_end(args);
}

} // namespace xcc::rt
