// What kernels read and write through pointers that are hard to follow.
// RUN: %xcc %headers -std=c++20 -O2 -w -offload-arch=host,sm_90,gfx1100 -foffload-no-cubin %s -o %t
// RUN: %python %S/Inputs/access.py %xcc-info %s %t | FileCheck %s
// RUN: %xcc -std=c++20 -O0 -w -offload-arch=host,sm_90 -foffload-no-cubin %s -o %t
// RUN: %python %S/Inputs/access.py %xcc-info %s %t --covers | FileCheck %s
// CHECK: checked, 0 wrong
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>
#include <xcc/xcc.h>

struct Node {
  int value;
  Node *next;
};
struct Tree {
  Tree *left, *right;
  int value;
};
int total(const Tree *t) { return t ? t->value + total(t->left) + total(t->right) : 0; }
struct Shape {
  virtual int area() const = 0;
};
struct Square : Shape {
  int *side;
  explicit Square(int *of) : side(of) {}
  int area() const override { return *side * *side; }
};
[[gnu::noinline]] void set(int *to, int value) { *to = value; }
[[gnu::noinline]] void add(int *to, int value) { *to += value; }
int onHost(const int *value) { return *value; }
int *kept;

int main() {
  std::size_t n = 100;
  int *p = nullptr, *q = nullptr, **pp = nullptr;
  Node *list = nullptr;
  Tree *tree = nullptr;
  std::uint64_t number = 0;

  // access: 0:w,8:r
  xcc::launch({{1}, {1}}, [=] { *p = *q; });
  // access: 0:w
  xcc::launch({{1}, {1}}, [=] { std::fill(p, p + n, 3); });
  // access: 0:r,8:w
  xcc::launch({{1}, {1}}, [=] { std::copy(p, p + 9, q); });
  // access: 0:rw,0.8:rw,0.8.8:rw,0.8.8.8:rw,0.8.8.8.8:rw,0.8.8.8.8.8+:rw
  xcc::launch({{1}, {1}}, [=] { for (Node *at = list; at; at = at->next) ++at->value; });
  // access: 0:w,8+:r
  xcc::launch({{1}, {1}}, [=] { *p = total(tree); });
  // access: 0:r,8:w
  xcc::launch({{1}, {1}}, [=] { Square square(p); Shape *shape = &square; *q = shape->area(); });
  // access: 0:rw
  xcc::launch({{1}, {1}}, [=] { auto f = xcc::block_idx().x & 1 ? set : add; f(p, 3); });
  // access: 0:rw,8:w
  xcc::launch({{1}, {1}}, [=] { *pp = p; std::swap(pp[0], pp[1]); *p = 3; });
  // access: 0+:rw
  xcc::launch({{1}, {1}}, [=] { kept = p; });
  // access: unknown
  xcc::launch({{1}, {1}}, [=] { *kept = 3; });
  // access: unknown
  xcc::launch({{1}, {1}}, [=] { *reinterpret_cast<int *>(number) = 3; });
  // access: unknown
  xcc::launch({{1}, {1}}, [=] { *p = xcc::host_call(onHost, q); });
  // access: 0:w,8+:rw
  xcc::launch({{1}, {1}}, [=] { *p = std::printf("%s\n", (const char *)q); });
  // access: 0:w
  xcc::launch({{1}, {64}}, [=] {
    static xcc::block_shared<int *[64]> shared;
    shared[xcc::thread_idx().x] = p;
    xcc::sync_block();
    *shared[xcc::thread_idx().x ^ 1] = 3;
  });
  // access: 0:w,8:w
  xcc::launch({{1}, {1}}, [=] { std::vector<int *> own{p, q}; for (int *each : own) *each = 1; });
  // access: none
  xcc::launch({{1}, {1}}, [=] { if (p == q) __builtin_trap(); });
}
