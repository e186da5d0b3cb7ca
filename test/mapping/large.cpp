// Ranges larger than what travels together, twenty thousand small ones, and ranges of all sizes between.
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

/// What travels together, in one way or another, and what by itself.
struct Sizes {
  std::vector<std::vector<unsigned char>> rows;
  std::vector<std::string> names; // with addresses
};

static void sizes() {
  Sizes all;
  for (std::size_t n = 1; n < 200'000; n = n * 3 / 2 + 1) {
    all.rows.emplace_back(n, (unsigned char)(n));
    all.names.push_back(std::string(n % 5000, 'a'));
  }
  const Sizes before = all;
  for (int step = 0; step != 2; ++step)
    xcc::parallel_for(all.rows.size(), [&](std::size_t i) {
      auto &row = all.rows[i];
      for (std::size_t k = 0; k != row.size(); ++k)
        row[k] = (unsigned char)(row[k] + k + i);
      all.names[i][0] = 'b';
    });
  xcc::synchronize();
  for (std::size_t i = 0; i != all.rows.size(); ++i) {
    for (std::size_t k = 0; k != all.rows[i].size(); ++k)
      CHECK(all.rows[i][k] == (unsigned char)(before.rows[i][k] + 2 * (k + i)));
    CHECK(all.names[i].empty() || (all.names[i][0] == 'b' && all.names[i].substr(1) == before.names[i].substr(1)));
  }
}

int main() {
  words();
  large();
  sizes();
}
