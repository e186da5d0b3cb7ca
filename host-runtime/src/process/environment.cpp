// Environment variables of programs built by xcc
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "environment.h"
#include "log.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <sys/auxv.h>
#include <unistd.h>

namespace xcc::rt {

std::span<const Variable> variables() {
  static constexpr Variable all[] = {
#define XCC_VARIABLE(name, values, meaning, ...) {name, values, meaning},
#include "environment.def"
#undef XCC_VARIABLE
  };
  return all;
}

std::vector<std::string_view> unknownVariables() {
  std::vector<std::string_view> unknown;
  for (char **entry = environ; entry && *entry; ++entry) {
    std::string_view name(*entry);
    name = name.substr(0, name.find('='));
    if (name.starts_with("XCC_") &&
        std::ranges::none_of(variables(),
                             [&](const Variable &v) { return v.name == name; }))
      unknown.push_back(name);
  }
  return unknown;
}

/// The edit distance of two names. For long names, a large number.
static unsigned distance(std::string_view a, std::string_view b) {
  constexpr size_t most = 40;
  if (a.size() >= most || b.size() >= most)
    return most;
  std::array<unsigned, most> row{};
  for (size_t j = 0; j <= b.size(); ++j)
    row[j] = unsigned(j);
  for (size_t i = 1; i <= a.size(); ++i) {
    unsigned corner = row[0]++;
    for (size_t j = 1; j <= b.size(); ++j) {
      unsigned here = std::min(
          {row[j] + 1, row[j - 1] + 1, corner + (a[i - 1] != b[j - 1])});
      corner = row[j];
      row[j] = here;
    }
  }
  return row[b.size()];
}

static void listVariables() {
  std::string text = "xcc: variables of the environment\n";
  for (const Variable &v : variables()) {
    std::string name = v.name;
    name.resize(std::max<size_t>(name.size(), 18), ' ');
    text += name + " " + v.meaning + ": " + v.values + "\n";
  }
  for (size_t at = 0; at < text.size();) {
    ssize_t n = write(STDERR_FILENO, text.data() + at, text.size() - at);
    if (n <= 0)
      break;
    at += size_t(n);
  }
}

void helpWithEnvironment() {
  // A program with more rights than its user (setuid) ignores the variables.
  if (getauxval(AT_SECURE))
    return;
  const char *help = secure_getenv("XCC_HELP");
  if (help && !strcmp(help, "1"))
    listVariables();
  else if (help && *help && strcmp(help, "0") != 0)
    complain("XCC_HELP=%s: expected 1, to list the variables", help);
  // Others may use such names too, so only report likely typing errors.
  for (std::string_view name : unknownVariables())
    for (const Variable &v : variables())
      if (distance(name, v.name) <= 2) {
        complain("%.*s is set, and nothing reads it; did you mean %s? "
                 "(XCC_HELP=1 lists all)",
                 static_cast<int>(name.size()), name.data(), v.name);
        break;
      }
}

} // namespace xcc::rt
