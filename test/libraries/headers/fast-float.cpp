// fast_float in a kernel
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Inputs/both.h"
#include <fast_float/fast_float.h>
int main() {
  both("numbers", std::vector<double>(8, 0), [](double *p) {
    const char *t[] = {"3.14159",
                       "1e300",
                       "-0.000123456789012345678901234567890",
                       "1.7976931348623157e308",
                       "nan",
                       "9007199254740993"};
    for (int i = 0; i < 6; ++i) {
      if (i == 4)
        continue;
      const char *e = t[i];
      while (*e)
        ++e;
      auto r = fast_float::from_chars(t[i], e, p[i]);
      p[7] += r.ec == std::errc() ? 1 : 100;
    }
  });
}
