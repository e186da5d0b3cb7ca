// A class of the program says what belongs to it.
// RUN: %everywhere
#include "Inputs/check.h"

#include <string>
#include <utility>
#include <vector>

struct Node {
  int value;
  Node *left, *right;
};
struct Tree {
  Node *nodes;
  int n;
  Node *root;
};
template <> struct xcc::transfer<Tree> {
  template <class M> static void map(M &m, Tree &t) {
    m.range(t.nodes, t.n, t.n);
  }
};
static int sum(Node *n) {
  return n ? n->value + sum(n->left) + sum(n->right) : 0;
}
static void tree() {
  Node pool[7];
  for (int i = 0; i < 7; ++i)
    pool[i] = {i, 2 * i + 1 < 7 ? &pool[2 * i + 1] : nullptr,
               2 * i + 2 < 7 ? &pool[2 * i + 2] : nullptr};
  Tree t{pool, 7, &pool[0]};
  int s = 0;
  xcc::launch({{1}, {1}}, [&] {
    s = sum(t.root);
    t.root->left->value = 50;
  });
  xcc::synchronize();
  CHECK(s == 21);
  CHECK(pool[1].value == 50);
  CHECK(pool[0].left == &pool[1]);
  CHECK(t.root == pool);
}

/// Only the class knows which of the two there is.
struct Either {
  bool hasText;
  union {
    std::string text;
    std::vector<int> numbers;
  };
  explicit Either(std::string of) : hasText(true), text(std::move(of)) {}
  explicit Either(std::vector<int> of)
      : hasText(false), numbers(std::move(of)) {}
  ~Either() {
    if (hasText)
      text.~basic_string();
    else
      numbers.~vector();
  }
};
template <> struct xcc::transfer<Either> {
  static void map(xcc::mapper &m, Either &of) {
    if (of.hasText)
      m.part(of.text);
    else
      m.part(of.numbers);
  }
};
static void alternatives() {
  Either a(std::string("a text that is longer than its object")),
      b(std::vector<int>(5, 3));
  xcc::launch({{1}, {1}}, [&] {
    a.text[0] = char('A' + b.numbers[1]);
    b.numbers[4] = int(a.text.size());
  });
  xcc::synchronize();
  CHECK(a.text[0] == 'D' && b.numbers[4] == 37);
}

int main() {
  tree();
  alternatives();
}
