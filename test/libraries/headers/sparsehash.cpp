// sparsehash in a kernel
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Inputs/both.h"
#include <sparsehash/dense_hash_map>
#include <sparsehash/sparse_hash_map>
int main() {
  both("maps", std::vector<int>(16, 0), [](int *p) {
    google::dense_hash_map<int, int> m;
    m.set_empty_key(-1);
    google::sparse_hash_map<int, int> s;
    for (int i = 0; i < 300; ++i) {
      m[i * 31 % 97] += i;
      s[i * 17 % 89] ^= i;
    }
    int x = 0;
    for (auto &e : m)
      x += e.first * e.second;
    for (auto &e : s)
      x ^= e.first + e.second;
    p[0] = x;
    p[1] = (int)m.size();
    p[2] = (int)s.size();
  });
}
