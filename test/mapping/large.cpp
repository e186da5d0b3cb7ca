// Ranges larger than what travels together, and twenty thousand small ones.
// RUN: %everywhere
#include "Inputs/check.h"

#include <string>
#include <vector>

static void words() {
  std::vector<std::string> words;
  for (int i = 0; i < 20000; ++i)
    words.push_back(i % 3 ? std::to_string(i)
                          : std::to_string(i) +
                                " and a tail that is long enough");
  std::vector<std::size_t> len(words.size());
  xcc::parallel_for(words.size(),
                    [&](std::size_t i) { len[i] = words[i].size(); });
  xcc::synchronize();
  for (std::size_t i = 0; i < words.size(); ++i)
    CHECK(len[i] == words[i].size());
}

static void large() {
  std::vector<float> x(10000, 1), y(10000, 2);
  float a = 2;
  xcc::parallel_for(x.size(), [&](std::size_t i) { y[i] += a * x[i]; });
  xcc::synchronize();
  for (float v : y)
    CHECK(v == 4);
}

int main() {
  words();
  large();
}
