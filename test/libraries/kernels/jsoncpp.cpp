// JsonCpp in a kernel: a text is read, changed and written
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compare.h"
#include <json/json.h>

#include <memory>

static void work(char *text, unsigned long size) {
  const std::string source = "{\"a\": [1, 2.25, \"x\\ty\"], \"b\": {\"c\": null}} // end";
  Json::CharReaderBuilder how;
  const std::unique_ptr<Json::CharReader> reader(how.newCharReader());
  Json::Value all;
  std::string errors;
  const bool read = reader->parse(source.data(), source.data() + source.size(), &all, &errors);
  all["b"]["d"] = all["a"][1].asDouble() * 2;
  all["a"].append(Json::Value(true));
  Json::StreamWriterBuilder writer;
  writer["indentation"] = " ";
  const std::string written = Json::writeString(writer, all);
  Json::Value none;
  const char *broken = "[1,";
  const bool wrong = reader->parse(broken, broken + 3, &none, &errors);
  std::snprintf(text, size, "%d %s %d %u", read, written.c_str(), wrong, all["a"].size());
}
int main() { return compare<work>(); }
