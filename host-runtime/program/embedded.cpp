// The main of a program whose main runs on a device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "run.h"

#include <cstdlib>

extern "C" __attribute__((visibility("hidden"))) xcc_binary __xcc_binary;

int main(int argc, char **argv) {
  using namespace xcc::program;
  Options options;
  if (const char *given = secure_getenv("XCC_RUN_OPTIONS")) {
    std::vector<std::string> args = words(given);
    std::string error;
    size_t used = parse(args, options, error);
    if (error.empty() && used != args.size())
      error = "'" + args[used] + "' is no option";
    if (!error.empty()) {
      complain(("XCC_RUN_OPTIONS: " + error).c_str());
      return CannotRun;
    }
    unsetenv("XCC_RUN_OPTIONS"); // the program's environment is without
  }
  run(__xcc_binary, options, argc, argv);
}
