// Code for the values of launches knows which of their pointers are into
// allocations of their own, and how they are aligned; where that is otherwise,
// there is other code, of the same results.
// REQUIRES: simulators
// RUN: %xcc %headers -std=c++20 -O2 -Wall -Wextra -Werror -offload-arch=generic %s -o %t
// RUN: rm -rf %t.apart %t.same && mkdir %t.apart %t.same
// RUN: env LD_LIBRARY_PATH=%build/simulator/cuda MOCK_CUDA_DEVICES=sm_90 XCC_DEVICE=cuda XCC_JIT_DUMP=%t.apart %t apart
// RUN: env LD_LIBRARY_PATH=%build/simulator/cuda MOCK_CUDA_DEVICES=sm_90 XCC_DEVICE=cuda XCC_JIT_DUMP=%t.same %t same
// RUN: sh -c "cat %t.apart/*sm_90-*.s" | FileCheck %s --check-prefix=APART
// RUN: sh -c "cat %t.same/*sm_90-*.s" | FileCheck %s --check-prefix=MAYBE
// The sum is written once, and its terms are read at once.
// APART: .entry
// APART: ld.global.v4
// APART: st.global
// APART-NOT: st.global
// APART: ret;
// MAYBE: .entry
// MAYBE-NOT: .v4
// MAYBE-COUNT-4: st.global
// RUN: env XCC_DEVICE=host %t | FileCheck %s
// RUN: env XCC_DEVICE=host XCC_JIT=adaptive %t | FileCheck %s
// RUN: env XCC_DEVICE=host XCC_CPU_SEPARATE=1 %t | FileCheck %s
// RUN: env LD_LIBRARY_PATH=%build/simulator/cuda MOCK_CUDA_DEVICES=sm_90 XCC_DEVICE=cuda %t | FileCheck %s
// RUN: env LD_LIBRARY_PATH=%build/simulator/hsa MOCK_HSA_AGENTS=gfx90a XCC_DEVICE=hsa %t | FileCheck %s
// CHECK: apart: right
// CHECK-NEXT: one in the other: right
// CHECK-NEXT: the same: right
// CHECK-NEXT: not aligned: right
// CHECK-NEXT: apart: right
// CHECK-NEXT: marked, in turns: right
// CHECK-NEXT: a closure's: right
// CHECK-NEXT: freed, and there again: right
// CHECK-NEXT: many launches: right
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>
#include <xcc/xcc.h>

using xcc::constant;

/// Every turn reads what the one before may have written.
static void add(const float *x, float *y, int n) {
  for (int k = 0; k < n; ++k)
    *y += x[k] * float(k + 1);
}
static void addMarked(const float *x, float *y, [[xcc::specialize]] int n) {
  add(x, y, n);
}

static bool isSum(const std::vector<float> &before, const std::vector<float> &after,
                  std::size_t x, std::size_t y) {
  std::vector<float> expected = before;
  add(expected.data() + x, expected.data() + y, 4);
  return expected == after;
}

static std::vector<float> numbers() {
  std::vector<float> all(64);
  for (std::size_t i = 0; i != all.size(); ++i)
    all[i] = float(i % 7) + 1;
  return all;
}

/// Within one buffer.
template <class Launch>
static void show(const char *what, std::size_t x, std::size_t y, Launch launch) {
  xcc::buffer<float> buffer(64);
  std::vector<float> before = numbers(), after(64);
  buffer.copy_from(before.data(), 64);
  launch(buffer.data() + x, buffer.data() + y);
  buffer.copy_to(after.data(), 64);
  std::printf("%s: %s\n", what, isSum(before, after, x, y) ? "right" : "WRONG");
}

/// In two, from a place on.
template <class Launch> static bool apart(std::size_t from, Launch launch) {
  xcc::buffer<float> x(64), y(64);
  std::vector<float> before = numbers(), after(64), expected = before;
  x.copy_from(before.data(), 64);
  y.copy_from(before.data(), 64);
  launch(x.data() + from, y.data() + from);
  y.copy_to(after.data(), 64);
  add(before.data() + from, expected.data() + from, 4);
  return after == expected;
}

int main(int count, char **arguments) {
  auto known = [](const float *x, float *y) {
    xcc::launch({{1}, {1}}, add, x, y, constant(4));
  };
  auto marked = [](const float *x, float *y) { xcc::launch({{1}, {1}}, addMarked, x, y, 4); };
  if (count > 1 && !std::strcmp(arguments[1], "apart"))
    return !apart(0, known);
  auto say = [](const char *what, bool right) {
    std::printf("%s: %s\n", what, right ? "right" : "WRONG");
  };
  if (count > 1) {
    show("the same", 0, 2, known);
    return 0;
  }
  say("apart", apart(0, known));
  show("one in the other", 0, 2, known);
  show("the same", 8, 8, known);
  say("not aligned", apart(3, known));
  say("apart", apart(0, known));

  bool right = true;
  for (int turn = 0; turn != 4; ++turn) {
    xcc::buffer<float> one(64), other(64);
    std::vector<float> before = numbers(), after(64), expected = before;
    one.copy_from(before.data(), 64);
    other.copy_from(before.data(), 64);
    marked(one.data(), other.data());
    marked(other.data(), one.data());
    marked(one.data(), one.data() + 1);
    one.copy_to(after.data(), 64);
    std::vector<float> second = before;
    add(before.data(), second.data(), 4);
    add(second.data(), expected.data(), 4);
    add(expected.data(), expected.data() + 1, 4);
    right &= after == expected;
  }
  say("marked, in turns", right);

  auto inClosure = [](const float *x, float *y) {
    auto body = [x, y](int n) { add(x, y, n); };
    xcc::launch({{1}, {1}}, body, constant(4));
  };
  right = apart(0, inClosure);
  xcc::buffer<float> same(64);
  std::vector<float> before = numbers(), after(64);
  same.copy_from(before.data(), 64);
  inClosure(same.data(), same.data() + 1);
  same.copy_to(after.data(), 64);
  say("a closure's", right && isSum(before, after, 0, 1));

  // The addresses are the same, what is there is not.
  right = apart(0, marked);
  for (int turn = 0; turn != 4; ++turn) {
    right &= apart(0, marked);
    auto whole = std::make_unique<xcc::buffer<float>>(128);
    std::vector<float> first(128, 1), last(128), expected = first;
    whole->copy_from(first.data(), 128);
    marked(whole->data() + 63, whole->data() + 64);
    whole->copy_to(last.data(), 128);
    add(expected.data() + 63, expected.data() + 64, 4);
    right &= last == expected;
  }
  say("freed, and there again", right);

  // As XCC_JIT=adaptive guesses.
  right = true;
  auto plain = [](const float *x, float *y) { xcc::launch({{1}, {1}}, add, x, y, 4); };
  for (int turn = 0; turn != 60; ++turn)
    right &= apart(0, plain);
  for (int turn = 0; turn != 4; ++turn) {
    same.copy_from(before.data(), 64);
    plain(same.data(), same.data() + 1);
    same.copy_to(after.data(), 64);
    right &= isSum(before, after, 0, 1);
  }
  say("many launches", right);
}
