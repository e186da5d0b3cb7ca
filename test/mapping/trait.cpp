// A class of the program says what belongs to it.
// RUN: %everywhere
#include "Inputs/check.h"

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

int main() { tree(); }
