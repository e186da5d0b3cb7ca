// picojson in a kernel
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Inputs/both.h"
#define PICOJSON_USE_INT64
#include <picojson.h>
int main() {
  both("json", std::vector<char>(128, 0), [](char *p) {
    picojson::value v;
    std::string e, t = "{\"a\":[1,2.5,\"x\"],\"b\":null}";
    picojson::parse(v, t.begin(), t.end(), &e);
    std::string s = v.serialize();
    for (std::size_t i = 0; i < s.size() && i < 120; ++i)
      p[i] = s[i];
    p[120] = (char)v.get("a").get<picojson::array>().size();
  });
}
