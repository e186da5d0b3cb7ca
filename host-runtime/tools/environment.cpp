// The variables that programs built by xcc read
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "environment.h"
#include "process/environment.h"
#include "xcc/host.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <unistd.h>

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
  for (char **entry = environ; *entry; ++entry) {
    std::string_view name(*entry);
    name = name.substr(0, name.find('='));
    if (!name.starts_with("XCC_") ||
        std::ranges::any_of(variables(),
                            [&](const Variable &v) { return v.name == name; }))
      continue;
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
