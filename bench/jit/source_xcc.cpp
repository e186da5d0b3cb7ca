// Compiles source as the program runs: xcc, for the arch of the first argument;
// with another, source that no process before compiled
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "source.h"
#include <unistd.h>
#include <xcc/source.h>
#include <xcc/xcc.h>

int main(int count, char **arguments) {
  int from = count > 2 ? int(getpid()) * 16 : 0;
  measure([&](int number) {
    number += from;
    xcc::jit::compile_source("#include <math.h>\n" +
                                 textOf("", "xcc::global_id()", number),
                             {.arch = arguments[1]});
  });
}
