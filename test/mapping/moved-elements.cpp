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

// Objects that refer to each other: what the scope names is the program's.
struct Right;
struct Left {
  std::vector<int> elements;
  Right &other;
};
struct Right {
  std::vector<int> elements;
  Left &other;
};

static void inACycle() {
  struct Both {
    Left left;
    int between[16]; // so that they are no one range
    Right right;
  };
  for (bool right : {false, true}) {
    Both both{{std::vector<int>(20, 1), both.right},
              {},
              {std::vector<int>(20, 2), both.left}};
    {
      xcc::map scope(both.left);
      xcc::parallel_for(20, [&l = both.left](std::size_t i) {
        l.elements[i] += 10;
        l.other.elements[i] += 10;
      });
      xcc::synchronize();
      (right ? both.right.elements : both.left.elements).assign(500, 7);
    }
    CHECK(fails([] { xcc::synchronize(); }, "the end of a mapping",
                right ? "other" : "both.left"));
    CHECK((right ? both.right.elements : both.left.elements)[3] == 7);
    CHECK((right ? both.left.elements : both.right.elements)[3] ==
          (right ? 11 : 12));
  }
}

int main() {
  resizedBeforeLaunch();
  resizedBeforeEnd();
  repointed();
  inACycle();
}
