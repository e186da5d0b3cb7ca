// nlohmann::json: what is read from standard input is printed in two forms, or refused
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %compare %s --input %S/Inputs/data.json --run "" --run "name" --run "nothing" --run "bad"
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>

int main(int argc, char **argv) {
  std::string text;
  char part[64];
  while (size_t got = std::fread(part, 1, sizeof part, stdin))
    text.append(part, got);
  std::string wanted = argc > 1 ? argv[1] : "";
  if (wanted == "bad")
    text.resize(text.size() / 2);
  try {
    auto value = nlohmann::json::parse(text);
    if (!wanted.empty())
      value = value.at(wanted);
    std::printf("%s\n%s\n", value.dump().c_str(), value.dump(2).c_str());
  } catch (const nlohmann::json::exception &e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 3;
  }
  return 0;
}
