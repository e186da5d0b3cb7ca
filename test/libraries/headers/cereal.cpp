// cereal in a kernel
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Inputs/both.h"
#include <cereal/archives/binary.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/vector.hpp>
#include <sstream>
int main() {
  both("archive", std::vector<int>(16, 0), [](int *p) {
    std::stringstream s;
    {
      cereal::BinaryOutputArchive o(s);
      std::vector<int> v{1, 2, 3};
      std::string t = "hello";
      o(v, t, 5.5);
    }
    cereal::BinaryInputArchive i(s);
    std::vector<int> v;
    std::string t;
    double d;
    i(v, t, d);
    p[0] = v[2];
    p[1] = (int)t.size();
    p[2] = int(d * 2);
  });
}
