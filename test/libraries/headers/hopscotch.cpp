// tsl::hopscotch_map in a kernel
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Inputs/both.h"
#include <tsl/bhopscotch_set.h>
#include <tsl/hopscotch_map.h>
int main() {
  both("map", std::vector<int>(16, 3), [](int *p) {
    tsl::hopscotch_map<int, int> m;
    for (int i = 0; i < 200; ++i)
      m[i * 37 % 101] += i;
    int s = 0;
    for (auto it = m.begin(); it != m.end(); ++it)
      s += it->first ^ it->second;
    p[0] = s;
    p[1] = (int)m.size();
    p[2] = m.at(5);
    tsl::bhopscotch_set<int> t;
    for (int i = 0; i < 100; ++i)
      t.insert(i * i % 64);
    p[4] = (int)t.size();
  });
}
