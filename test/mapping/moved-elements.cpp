// A vector that the host resizes while a scope holds it: the next launch says
// so, and so does the scope's end, which writes nothing where elements were.
// RUN: %everywhere
#include "Inputs/check.h"

#include <string>
#include <vector>

static void resizedBeforeLaunch() {
  std::vector<int> v(10, 1);
  xcc::map scope(v);
  xcc::launch({{1}, {1}}, [&] { v[0] += 1; });
  xcc::synchronize();
  v.assign(100, 7);
  CHECK(fails([&] { xcc::launch({{1}, {1}}, [&] { v[0] += 1; }); },
              "the host changed what 'v'", "moved-elements.cpp:11"));
  CHECK(fails([&] { scope.end(); }, "the end of a mapping", "'v'"));
  CHECK(v[0] == 7 || !separate());
}

static void resizedBeforeEnd() {
  std::vector<std::string> words(3, "some words that are longer than others");
  {
    xcc::map scope(words);
    xcc::parallel_for(3, [&](std::size_t i) { words[i][0] = 'S'; });
    xcc::synchronize();
    words.assign(1, "other words, as long as those before them");
  }
  CHECK(
      fails([] { xcc::synchronize(); }, "the end of a mapping", "'words'"));
  CHECK(words[0][0] == 'o');
}

// A kernel that repoints an object is no host that does.
static void repointed() {
  struct View {
    int *first;
  };
  std::vector<int> x(10, 1), y(10, 2);
  View view{x.data()};
  {
    xcc::map scope(x, y, view);
    xcc::launch({{1}, {1}}, [&] { view.first = y.data(); });
    scope.to_host(view);
    CHECK(view.first == y.data());
    xcc::launch({{1}, {1}}, [&] { view.first[3] = 50; });
  }
  CHECK(y[3] == 50 && x[3] == 1);
  xcc::launch({{1}, {1}}, [&] {
    if (x[0] == 1)
      view.first = x.data();
    (void)y.size();
  });
  xcc::launch({{1}, {1}}, [&] {
    if (x.size() == y.size())
      view.first[4] = 60;
  });
  xcc::synchronize();
  CHECK(x[4] == 60 && y[4] == 2 && view.first == x.data());
}

int main() {
  resizedBeforeLaunch();
  resizedBeforeEnd();
  repointed();
}
