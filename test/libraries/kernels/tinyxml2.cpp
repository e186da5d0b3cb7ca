// TinyXML-2 in a kernel: a text is parsed, changed and printed
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compare.h"
#include <tinyxml2.h>

static void work(char *text, unsigned long size) {
  tinyxml2::XMLDocument document;
  if (document.Parse("<a x='1'><b>hi &amp; ho</b><b y=\"2.5\"/><!-- c --></a>"))
    return;
  tinyxml2::XMLElement *root = document.RootElement();
  root->SetAttribute("n", root->IntAttribute("x") + 41);
  double y = root->LastChildElement("b")->DoubleAttribute("y");
  tinyxml2::XMLPrinter printer(nullptr, true);
  document.Print(&printer);
  std::snprintf(text, size, "%s %g", printer.CStr(), y);
}
int main() { return compare<work>(); }
