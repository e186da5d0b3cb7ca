// nlohmann::json parses, is searched and is written.
//
// REQUIRES: json, simulators
// RUN: %xcc -std=c++20 -O0 %s -o %t && %t
// RUN: %xcc -std=c++20 -O2 %s -o %t && %t
// RUN: %xcc -std=c++20 -O2 %two-gpus %s -o %t && %on-nvidia %t && %on-amd %t
#include "Inputs/both.h"
#include <nlohmann/json.hpp>

int main() {
  const char text[] = R"({"a": 7, "b": [1, 2.5, null], "c": {"d": "hello"}})";
  std::vector<char> numbers(256, 0);
  std::copy(std::begin(text), std::end(text), numbers.begin());
  both("parsed", numbers, [](char *p) {
    nlohmann::json j = nlohmann::json::parse(p, nullptr, false);
    if (j.is_discarded())
      return;
    int a = j["a"].get<int>();
    j["e"] = {a, j["b"].size(), j["c"]["d"].get<std::string>().size()};
    j["f"] = j["b"][1].get<double>() * 1.1;
    std::string all = j.dump();
    std::copy(all.begin(), all.end() + 1, p);
  });
}
