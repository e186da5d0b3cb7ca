// toml++ in a kernel
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Inputs/both.h"
#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>
int main() {
  both("toml", std::vector<int>(16, 0), [](int *p) {
    toml::parse_result r =
        toml::parse("a = 1\n[b]\nc = [1, 2, 3]\nd = \"text\"\ne = 1.5\n");
    if (!r) {
      p[0] = -1;
      return;
    }
    toml::table t = std::move(r).table();
    p[0] = t["a"].value_or(0);
    p[1] = t["b"]["c"][2].value_or(0);
    p[2] = (int)t["b"]["d"].value_or(std::string_view()).size();
    p[3] = int(t["b"]["e"].value_or(0.) * 10);
  });
}
