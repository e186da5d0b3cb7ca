// The variables that programs built by xcc read
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "environment.h"
#include "process/environment.h"
#include "xcc/host.h"

#include <cstdio>
#include <cstdlib>

namespace xcc::rt {

bool listEnvironment() {
  for (const Variable &v : variables()) {
    printf("%-18s %s\n", v.name, v.meaning);
    if (const char *value = getenv(v.name))
      printf("%-18s   is %s; takes %s\n", "", value, v.values);
    else
      printf("%-18s   %s\n", "", v.values);
  }
  bool fine = true;
  for (std::string_view name : unknownVariables()) {
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
