// Compiles source as the program runs: xcc, for the arch of the first argument
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "source.h"
#include <xcc/source.h>
#include <xcc/xcc.h>

int main(int, char **arguments) {
  measure([&](int number) {
    xcc::jit::compile_source("#include <math.h>\n" +
                                 textOf("", "xcc::global_id()", number),
                             {.arch = arguments[1]});
  });
}
