// muParser in a kernel: formulas are read and computed
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compare.h"
#include <muParser.h>

static void work(char *text, unsigned long size) {
  double x = 2, y = 0.5;
  mu::Parser parser;
  parser.DefineVar("x", &x);
  parser.DefineVar("y", &y);
  parser.SetExpr("x^3 + sin(y) * sqrt(x) - (x > y ? 1 : 2)");
  double sum = 0;
  for (int i = 0; i != 5; ++i, x += 0.25)
    sum += parser.Eval();
  std::snprintf(text, size, "%.12g", sum);
}
int main() { return compare<work>(); }
