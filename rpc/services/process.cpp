// exit, system, the environment and the clock
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "services_impl.h"

#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <sys/auxv.h>

using namespace xcc::services;

void xcc_services::exit(Lanes all) {
  const Request &head = all.front().head;
  switch (head.b) {
  case ExitAtOnce:
    _Exit(int(head.a));
  case ExitAbort:
    fflush(nullptr);
    abort();
  case ExitNormal:
    // Several server threads may get here, but only one thread may call exit.
    static std::mutex once;
    once.lock();
    if (options.exit)
      options.exit(int(head.a), options.context);
    ::exit(int(head.a));
  }
  for (Lane &l : all)
    l.fail(ErrInvalid);
}

void xcc_services::system(Lanes all) {
  for (Lane &l : all) {
    std::string command(l.rest.rest());
    errno = 0;
    int r = ::system(l.head.a ? command.c_str() : nullptr);
    l.result(r, r == -1);
  }
}

void xcc_services::environment(Lanes all) {
  for (Lane &l : all) {
    if (l.head.a == EnvironmentSecure) {
      l.answer = {getauxval(AT_SECURE) ? 1 : 0, 0};
      continue;
    }
    const char *value = getenv(std::string(l.rest.rest()).c_str());
    if (value)
      *l.out = value;
    l.answer = {value ? int64_t(l.out->size()) : -1, 0};
  }
}

void xcc_services::hostName(Lanes all) {
  for (Lane &l : all) {
    char name[256] = {}; // at most 64 bytes on Linux
    errno = 0;
    int r = gethostname(name, sizeof name - 1);
    *l.out = name;
    l.result(r ? -1 : int64_t(l.out->size()), r != 0);
  }
}

void xcc_services::time(Lanes all) {
  for (Lane &l : all) {
    timespec now{};
    errno = 0;
    int r = l.head.a > INT32_MAX ? (errno = EINVAL, -1)
                                 : clock_gettime(clockid_t(l.head.a), &now);
    l.result(r ? -1 : int64_t(now.tv_sec), r != 0);
    int64_t nanoseconds = now.tv_nsec;
    l.out->assign(reinterpret_cast<const char *>(&nanoseconds),
                  sizeof nanoseconds);
  }
}

void xcc_services::clock(Lanes all) {
  for (Lane &l : all)
    l.answer = {int64_t(::clock()), 0};
}
