// UTF8-CPP in a kernel
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Inputs/both.h"
#include <iterator>
#include <utf8.h>
int main() {
  both("text", std::vector<int>(64, 0), [](int *p) {
    const char text[] = "gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80";
    std::string s(text);
    p[0] = (int)utf8::distance(s.begin(), s.end());
    int n = 1;
    for (auto i = s.begin(); i != s.end();)
      p[n++] = (int)utf8::next(i, s.end());
    std::u16string w;
    utf8::utf8to16(s.begin(), s.end(), std::back_inserter(w));
    p[30] = (int)w.size();
    p[31] = w.back();
    std::string bad = "a\xff";
    p[32] = int(utf8::find_invalid(bad.begin(), bad.end()) - bad.begin());
    std::string fixed;
    utf8::replace_invalid(bad.begin(), bad.end(), std::back_inserter(fixed));
    p[33] = (int)fixed.size();
  });
}
