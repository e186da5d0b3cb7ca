// pugixml in a kernel: a document is read and queried
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compare.h"
#include <pugixml.hpp>

static void work(char *text, unsigned long size) {
  const char document[] =
      "<a><b x='1.5'>one</b><b x='2.5'>two</b><b x='0.5'/><!-- c --></a>";
  pugi::xml_document read;
  int status = read.load_buffer(document, sizeof document - 1).status;
  double sum = 0;
  for (pugi::xpath_node found : read.select_nodes("/a/b[@x > 1]"))
    sum += found.node().attribute("x").as_double();
  std::snprintf(text, size, "%d %g %s", status, sum,
                read.child("a").child("b").next_sibling("b").child_value());
}
int main() { return compare<work>(); }
