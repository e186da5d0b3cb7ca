// Containers that grow: on the host between launches, and in a kernel.
// RUN: %everywhere
#include "Inputs/check.h"

#include <string>
#include <utility>
#include <vector>

static void hostBetween() {
  std::vector<int> v(10, 0);
  for (int k = 0; k < 5; ++k) {
    xcc::parallel_for(10, [&](std::size_t i) { v[i] += 1; });
    xcc::synchronize();
    v[k] += 100;
    v.push_back(k);
  }
  for (int i = 0; i < 5; ++i)
    CHECK(v[i] == 105);
  CHECK(v[10] == 0 && v.size() == 15);
}

static void resized() {
  std::vector<int> v(10, 1);
  for (int k = 0; k < 6; ++k) {
    v.resize(v.size() * 3, 1);
    xcc::parallel_for(v.size(), [&](std::size_t i) { v[i] *= 2; });
    xcc::synchronize();
  }
  CHECK(v[0] == 64);
  CHECK(v.back() == 2);
}

static void added() {
  std::vector<int> v;
  v.reserve(16);
  v.push_back(1);
  xcc::launch({{1}, {1}}, [&] {
    v.push_back(2);
    v.push_back(3);
  });
  xcc::synchronize();
  CHECK(v.size() == 3 && v[2] == 3);
  v.push_back(4);
  CHECK(v[3] == 4);
}

static void objectsAdded() {
  if (!separate())
    return;
  std::vector<std::string> words;
  words.reserve(2);
  words.push_back("first");
  CHECK(fails(
      [&] {
        xcc::launch({{1}, {1}}, [&] { words.emplace_back("second"); });
        xcc::synchronize();
      },
      "added elements to 'words'", "add them on the host"));
  // And the vector is what it was.
  CHECK(words[0] == "first" && words.size() == 1);
  words.assign(2, "more");
}

/// Not what grew: room that moves with a vector.
static void roomSwapped() {
  std::vector<std::string> a, b;
  a.reserve(10), b.reserve(20);
  a.assign(2, "a"), b.assign(3, "b");
  xcc::launch({{1}, {1}}, [&] { std::swap(a, b); });
  xcc::synchronize();
  CHECK(a == std::vector<std::string>(3, "b") && a.capacity() == 20);
  CHECK(b == std::vector<std::string>(2, "a") && b.capacity() == 10);
  a.resize(20, "c");
}

int main() {
  objectsAdded();
  roomSwapped();
  hostBetween();
  resized();
  added();
}
