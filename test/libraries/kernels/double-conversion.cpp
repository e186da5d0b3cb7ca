// double-conversion in a kernel: numbers to text and back
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compare.h"
#include <double-conversion/double-conversion.h>

static void work(char *text, unsigned long size) {
  using namespace double_conversion;
  const DoubleToStringConverter &converter =
      DoubleToStringConverter::EcmaScriptConverter();
  StringBuilder builder(text, static_cast<int>(size));
  StringToDoubleConverter back(0, 0, 0, "inf", "nan");
  const char number[] = "1.7976931348623157e308";
  int used;
  converter.ToShortest(1.0 / 3, &builder);
  builder.AddCharacter(' ');
  converter.ToFixed(1e8 / 3, 4, &builder);
  builder.AddCharacter(' ');
  converter.ToShortest(back.StringToDouble(number, sizeof number - 1, &used),
                       &builder);
  builder.Finalize();
}
int main() { return compare<work>(); }
