// exit, system, the environment and the clock
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "services_impl.h"

#include <cerrno>
#include <cstdlib>
#include <ctime>

using namespace xcc::services;

void xcc_services::exit(Lanes All) {
  const Request &Head = All.front().Head;
  switch (Head.B) {
  case ExitAtOnce:
    _Exit(int(Head.A));
  case ExitAbort:
    fflush(nullptr);
    abort();
  case ExitNormal:
    // Server threads may exit at the same time; the C library allows one.
    static std::mutex Once;
    Once.lock();
    if (Options.exit)
      Options.exit(int(Head.A), Options.context);
    ::exit(int(Head.A));
  }
  for (Lane &L : All)
    L.fail(ErrInvalid);
}

void xcc_services::system(Lanes All) {
  for (Lane &L : All) {
    std::string Command(L.Rest.rest());
    errno = 0;
    int R = ::system(L.Head.A ? Command.c_str() : nullptr);
    L.result(R, R == -1);
  }
}

void xcc_services::environment(Lanes All) {
  for (Lane &L : All) {
    const char *Value = getenv(std::string(L.Rest.rest()).c_str());
    if (Value)
      *L.Out = Value;
    L.Answer = {Value ? int64_t(L.Out->size()) : -1, 0};
  }
}

void xcc_services::time(Lanes All) {
  for (Lane &L : All) {
    timespec Now{};
    errno = 0;
    int R = L.Head.A > INT32_MAX ? (errno = EINVAL, -1)
                                 : clock_gettime(clockid_t(L.Head.A), &Now);
    L.result(R ? -1 : int64_t(Now.tv_sec), R != 0);
    int64_t Nanoseconds = Now.tv_nsec;
    L.Out->assign(reinterpret_cast<const char *>(&Nanoseconds),
                  sizeof Nanoseconds);
  }
}

void xcc_services::clock(Lanes All) {
  for (Lane &L : All)
    L.Answer = {int64_t(::clock()), 0};
}
