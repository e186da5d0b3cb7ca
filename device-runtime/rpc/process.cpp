// exit, system and the clock
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "call.h"

using namespace xcc::device;

namespace {
/// Ends the host's process, or only the launch if the host does not answer.
[[noreturn]] void end(int status, ExitKind kind, const char *name) {
  Reply r = call(ServiceExit, Message(uint64_t(int64_t(status)), kind));
  __xcc_trap(0,
             r.error == ErrDenied ? "the program denies device code its end "
                                    "(xcc_services_deny)"
                                  : name,
             nullptr, 0);
}

struct TimeSpec {
  long seconds, nanoseconds;
};
bool now(int clock, TimeSpec &t) {
  Buffer rest{reinterpret_cast<char *>(&t.nanoseconds), sizeof t.nanoseconds};
  Message m{uint64_t(clock)};
  Reply r = call(ServiceTime, m, rest);
  t.seconds = r.result;
  if (r.error)
    setErrno(r.error);
  return !r.error;
}
} // namespace

/// Weak: a program whose main runs on the device defines its own, which first
/// calls the device's atexit functions.
XCC_SERVICE [[noreturn]] void __xcc_exit_process(int status) noexcept {
  end(status, ExitNormal, "exit");
}
XCC_SERVICE [[noreturn]] void exit(int status) noexcept {
  __xcc_exit_process(status);
}
XCC_SERVICE [[noreturn]] void _Exit(int status) noexcept {
  end(status, ExitAtOnce, "_Exit");
}
XCC_SERVICE [[noreturn]] void _exit(int status) noexcept {
  end(status, ExitAtOnce, "_exit");
}
XCC_SERVICE int system(const char *command) {
  return int(
      checked(call(ServiceSystem, Message(command != nullptr, 0, 0, command,
                                          command ? strlen(command) : 0))));
}

XCC_SERVICE int gethostname(char *to, size_t size) {
  Buffer got{to, size};
  int64_t length = checked(call(ServiceHostName, Message(0), got));
  if (length < 0)
    return -1;
  if (uint64_t(length) >= size) {
    setErrno(36); // ENAMETOOLONG, as glibc
    return -1;
  }
  to[length] = 0;
  return 0;
}

XCC_SERVICE int clock_gettime(int clock, TimeSpec *to) {
  TimeSpec t;
  if (!now(clock, t))
    return -1;
  *to = t;
  return 0;
}
XCC_SERVICE long time(long *to) {
  TimeSpec t;
  long seconds = now(0, t) ? t.seconds : -1;
  if (to)
    *to = seconds;
  return seconds;
}
XCC_SERVICE int gettimeofday(long *to, void *) {
  TimeSpec t;
  if (!now(0, t))
    return -1;
  to[0] = t.seconds;
  to[1] = t.nanoseconds / 1000;
  return 0;
}
XCC_SERVICE long clock() { return checked(call(ServiceClock, Message(0))); }
