// tsl::robin_map in a kernel
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Inputs/both.h"
#include <string>
#include <tsl/robin_map.h>
#include <tsl/robin_set.h>
int main() {
  both("map", std::vector<int>(16, 3), [](int *p) {
    tsl::robin_map<int, int> m;
    for (int i = 0; i < 200; ++i)
      m[i * 37 % 101] += i;
    int s = 0;
    for (auto &[k, v] : m)
      s += k ^ v;
    p[0] = s;
    p[1] = (int)m.size();
    p[2] = m.at(5);
    tsl::robin_map<std::string, int> n;
    n["alpha"] = 1;
    n["beta"] = 2;
    n["alpha"] += 5;
    n.erase("beta");
    p[3] = n["alpha"] + (int)n.count("beta");
    tsl::robin_set<int> t(p, p + 16);
    p[4] = (int)t.size();
  });
}
