// mdds::flat_segment_tree in a kernel
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Inputs/both.h"
#include <mdds/flat_segment_tree.hpp>
int main() {
  both("trees", std::vector<int>(32, 0), [](int *p) {
    mdds::flat_segment_tree<int, int> t(0, 100, 0);
    t.insert_front(10, 30, 5);
    t.insert_back(20, 50, 7);
    t.insert_back(25, 26, 9);
    int n = 0;
    for (auto i = t.begin(); i != t.end() && n < 30; ++i) {
      p[n++] = i->first;
      p[n++] = i->second;
    }
  });
}
