// Barriers however they are written: in members, destructors, operators and conversions, by templates, references,
// tables, pointers to functions and members, virtual functions, std::function, std::bind and default arguments.
// RUN: %xcc -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
#include <cstdio>
#include <functional>
#include <xcc/xcc.h>

struct team {
  void wait() const { xcc::sync_block(); }
  static void all() { xcc::sync_block(); }
  void arrive_and_wait() const { wait(); }
  void operator~() const { wait(); }
  void operator()() const { wait(); }
  explicit operator bool() const {
    wait();
    return true;
  }
  int operator[](int i) const {
    wait();
    return i;
  }
};
struct scoped {
  scoped() { xcc::sync_block(); }
  ~scoped() { xcc::sync_block(); }
};
struct waits {
  virtual void wait() const = 0;
};
struct waits_for_block : waits {
  void wait() const override { xcc::sync_block(); }
};
struct waits_for_nobody : waits {
  void wait() const override {}
};
template <auto function> void apply() { function(); }
template <class Function> void call(Function &&function) { function(); }
using function = void (*)();
static const function table[2] = {xcc::sync_block, team::all};
static void (&reference)() = xcc::sync_block;
constexpr auto closure = [] { xcc::sync_block(); };
namespace other = xcc;

constexpr int n = 64;

/// Threads of two warps read what the other's wrote, and write again.
template <class Barrier> void check(const char *name, Barrier barrier) {
  xcc::buffer<int> out(n);
  xcc::launch({1, n}, [barrier, p = out.data()] {
    static xcc::block_shared<int[n]> shared;
    const int i = xcc::thread_idx().x;
    int sum = 0;
    for (int turn = 0; turn < 3; ++turn) {
      shared[i] = 7 * i + turn;
      barrier(turn);
      sum += shared[(i + 33) % n];
      barrier(turn);
    }
    p[i] = sum;
  });
  int result[n], wrong = 0;
  out.copy_to(result, n);
  for (int i = 0; i < n; ++i)
    wrong += result[i] != 3 * 7 * ((i + 33) % n) + 3;
  if (wrong)
    std::printf("%s: %d wrong\n", name, wrong);
}

int main() {
  check("member", [](int) { team().wait(); });
  check("static member", [](int) { team::all(); });
  check("member that calls", [](int) { team().arrive_and_wait(); });
  check("constructor and destructor", [](int) { scoped both; });
  check("virtual", [](int turn) {
    waits_for_block block;
    waits_for_nobody nobody;
    const waits *one = turn < 9 ? static_cast<waits *>(&block) : &nobody;
    one->wait();
  });
  check("table", [](int turn) { table[turn & 1](); });
  check("reference", [](int) { reference(); });
  check("pointer", [](int) {
    function pointer = xcc::sync_block;
    asm("" : "+r"(pointer));
    pointer();
  });
  check("pointer to member", [](int) {
    void (team::*member)() const = &team::wait;
    (team().*member)();
  });
  check("template argument", [](int) { apply<&xcc::sync_block>(); });
  check("template argument, a member", [](int) { apply<&team::all>(); });
  check("argument", [](int) { call(xcc::sync_block); });
  check("argument, an object", [](int) { call(team()); });
  check("invoke", [](int) { std::invoke(xcc::sync_block); });
  check("invoke, a member", [](int) { std::invoke(&team::wait, team()); });
  check("closure", [](int) { closure(); });
  check("std::function", [](int) {
    std::function<void()> object = xcc::sync_block;
    object();
  });
  check("std::function of a closure", [](int) {
    std::function<void()> object = [] { xcc::sync_block(); };
    object();
  });
  check("bind", [](int) { std::bind(&team::wait, team())(); });
  check("mem_fn", [](int) { std::mem_fn (&team::wait)(team()); });
  check("operator", [](int) { ~team(); });
  check("subscript", [](int) { (void)team()[2]; });
  check("conversion", [](int) {
    if (team())
      return;
  });
  check("conversion in a condition",
        [](int turn) { (void)(team() && turn < 9); });
  check("alias of a namespace", [](int) { other::sync_block(); });
  check("default argument", [](int) {
    auto with = [](int = (xcc::sync_block(), 1)) {};
    with();
  });
  std::puts("done"); // CHECK-NOT: wrong
  // CHECK: done
}
