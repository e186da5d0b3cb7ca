// RapidXML in a kernel
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Inputs/both.h"
#include <cstring>
#include <rapidxml/rapidxml.hpp>
int main() {
  both("xml", std::vector<int>(16, 0), [](int *p) {
    char text[] = "<a x='1'><b>hi &amp; ho</b><b y=\"2\"/><!-- c --></a>";
    rapidxml::xml_document<> d;
    d.parse<0>(text);
    int n = 0;
    for (auto *c = d.first_node()->first_node("b"); c; c = c->next_sibling("b"))
      ++n;
    p[0] = n;
    p[1] = (int)std::strlen(d.first_node()->first_node()->value());
    p[2] = *d.first_node()->first_attribute("x")->value();
    try {
      char bad[] = "<a><b></a>";
      rapidxml::xml_document<> e;
      (void)e;
      p[3] = (int)sizeof bad;
    } catch (...) {
      p[3] = -1;
    }
  });
}
