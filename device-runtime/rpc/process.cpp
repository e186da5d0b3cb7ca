// exit, system and the clock
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "call.h"

using namespace xcc::device;

namespace {
/// Ends the host's process. Should the host not be there, the launch.
[[noreturn]] void end(int Status, ExitKind Kind, const char *Name) {
  Reply R = call(ServiceExit, Message(uint64_t(int64_t(Status)), Kind));
  __xcc_trap(0, R.Error == ErrDenied ? "the program denies device code its end "
                                       "(xcc_services_deny)"
                                     : Name,
             nullptr, 0);
}

struct TimeSpec {
  long Seconds, Nanoseconds;
};
bool now(int Clock, TimeSpec &T) {
  Buffer Rest{reinterpret_cast<char *>(&T.Nanoseconds), sizeof T.Nanoseconds};
  Message M{uint64_t(Clock)};
  Reply R = call(ServiceTime, M, Rest);
  T.Seconds = R.Result;
  if (R.Error)
    setErrno(R.Error);
  return !R.Error;
}
} // namespace

XCC_SERVICE [[noreturn]] void exit(int Status) noexcept {
  end(Status, ExitNormal, "exit");
}
XCC_SERVICE [[noreturn]] void _Exit(int Status) noexcept {
  end(Status, ExitAtOnce, "_Exit");
}
XCC_SERVICE [[noreturn]] void _exit(int Status) noexcept {
  end(Status, ExitAtOnce, "_exit");
}
XCC_SERVICE [[noreturn]] void quick_exit(int Status) noexcept {
  end(Status, ExitAtOnce, "quick_exit");
}

XCC_SERVICE int system(const char *Command) {
  return int(
      checked(call(ServiceSystem, Message(Command != nullptr, 0, 0, Command,
                                          Command ? strlen(Command) : 0))));
}

XCC_SERVICE int clock_gettime(int Clock, TimeSpec *To) {
  TimeSpec T;
  if (!now(Clock, T))
    return -1;
  *To = T;
  return 0;
}
XCC_SERVICE long time(long *To) {
  TimeSpec T;
  long Seconds = now(0, T) ? T.Seconds : -1;
  if (To)
    *To = Seconds;
  return Seconds;
}
XCC_SERVICE int gettimeofday(long *To, void *) {
  TimeSpec T;
  if (!now(0, T))
    return -1;
  To[0] = T.Seconds;
  To[1] = T.Nanoseconds / 1000;
  return 0;
}
XCC_SERVICE long clock() { return checked(call(ServiceClock, Message(0))); }
