// Lanes take part in a warp operation together if they come to it by the same calls and in the same
// iteration of each loop around it, whatever the optimiser makes of it.
// RUN: %xcc -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O1 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O3 %s -o %t && %t | FileCheck %s
#include "Inputs/lanes.h"
#include "Inputs/same.h"

#include <cstring>

static int second_in_a_loop(unsigned lane) {
  int bad = 0;
  for (int i = 0; i < 5; ++i) {
    bad += here() != all();
    if (lane & 1)
      bad += here() != those([](unsigned l) { return l & 1; });
  }
  return bad;
}

static int continues(unsigned lane) {
  int bad = 0;
  for (unsigned i = 0; i < 6; ++i) {
    if ((lane + i) % 4 == 0)
      continue;
    bad += here() != those([i](unsigned l) { return (l + i) % 4 != 0; });
  }
  return bad + (here() != all());
}

static int unlikely(unsigned lane) {
  int bad = 0;
  for (unsigned i = 0; i < 6; ++i) {
    if (lane % 7 == i) [[unlikely]]
      bad += here() != those([i](unsigned l) { return l % 7 == i; });
    bad += here() != all();
  }
  return bad;
}

static int nested(unsigned lane) {
  int bad = 0;
  for (unsigned i = 0; i < lane % 5; ++i) {
    for (unsigned j = 0; j < (lane + i) % 3; ++j)
      bad += here() !=
             those([i, j](unsigned l) { return i < l % 5 && j < (l + i) % 3; });
    bad += here() != those([i](unsigned l) { return i < l % 5; });
  }
  return bad + (here() != all());
}

static int descend(unsigned lane, unsigned depth, int bad) {
  auto deeper = [depth](unsigned l) { return l % 5 >= depth; };
  bad += here() != those(deeper);
  if (lane % 5 > depth)
    bad += descend(lane, depth + 1, 0);
  return bad + (here() != those(deeper));
}
static int recursion(unsigned lane) {
  return descend(lane, 0, 0) + (here() != all());
}

// Lanes that recurse to different depths, and in two places.
[[gnu::noinline]] static unsigned fall(unsigned depth, unsigned v) {
  if (!depth)
    return v;
  const unsigned first = fall(depth - 1, v * 3 + depth);
  return first & 4 ? first : fall(depth / 2, first + v) + 1;
}
[[gnu::noinline]] static unsigned rise(unsigned depth, unsigned v);
[[gnu::noinline]] static unsigned sink(unsigned depth, unsigned v) {
  return depth ? rise(depth - 1, v * 5 + 1) ^ v : v;
}
static unsigned rise(unsigned depth, unsigned v) {
  return depth ? sink(depth - 1, v + 3) * 3 : v;
}
static unsigned calls_others(unsigned depth, unsigned v) {
  return sink(depth, v) + fall(depth, v);
}

static int behind_recursion(unsigned lane) {
  int bad = 0;
  unsigned v = lane;
  for (unsigned i = 0; i < 4; ++i) {
    v += fall((lane + i) % 4, v);
    bad += here() != all();
    v += rise((lane * 3 + i) % 5, v);
    bad += here() != all();
    if ((lane + i) & 1) {
      v += calls_others(lane % 3, v);
      bad += here() != those([i](unsigned l) { return (l + i) & 1; });
      v += sink(lane % 4, v);
    } else if (lane & 2) {
      v -= fall(2, v);
    }
    bad += here() != all();
  }
  return bad + (v == 0x12345678u);
}

static int loops_with_recursion(unsigned lane) {
  int bad = 0;
  unsigned v = lane;
  for (unsigned i = 0; i < lane % 4; ++i) {
    v += fall((v + i) % 4, v);
    bad += here() != those([i](unsigned l) { return i < l % 4; });
    if (lane % 3 == i) {
      v += sink(lane % 5, v);
      continue;
    }
    bad += here() != those([i](unsigned l) { return i < l % 4 && l % 3 != i; });
  }
  bad += here() != all();
  if (lane < 9 || fall(lane % 4, lane) == 0x12345678u)
    v += sink(lane % 3, v);
  bad += here() != all();
  while (lane % 6 != v % 7)
    v = v % 7 + 1 + (fall(lane % 3, v) == 0x12345678u);
  return bad + (here() != all());
}

struct link {
  const link *next;
  virtual int down(unsigned left) const {
    return left ? next->down(left - 1) : 0;
  }
};
struct counted final : link {
  int down(unsigned left) const override {
    return left ? next->down(left - 1) + 1 : 0;
  }
};
static int recursion_through_pointers(unsigned lane) {
  unsigned (*const functions[])(unsigned, unsigned) = {fall, rise, sink};
  link a;
  counted b;
  a.next = &b;
  b.next = &a;
  int bad = 0;
  unsigned v = 0;
  for (unsigned i = 0; i < 3; ++i) {
    v += functions[(lane + i) % 3]((lane ^ i) % 4, v);
    bad += here() != all();
    const link &first = lane & 1 ? a : b;
    bad += first.down(lane % 5) != int((lane % 5 + !(lane & 1)) / 2);
    bad += here() != all();
  }
  return bad + (v == 0x12345678u);
}

static int breaks_from_an_arm(unsigned lane) {
  int bad = 0;
  for (unsigned i = 0; i < 20; ++i) {
    if (lane & 1) {
      if (lane / 2 == i)
        break;
    }
    bad += here() != those([i](unsigned l) { return !(l & 1) || l / 2 > i; });
  }
  return bad + (here() != all());
}

static int before_a_break(unsigned lane) {
  int bad = 0;
  unsigned i = 0;
  while (true) {
    if (lane % 4 == i) {
      bad += here() != those([i](unsigned l) { return l % 4 == i; });
      break;
    }
    ++i;
    bad += here() != those([i](unsigned l) { return l % 4 >= i; });
  }
  return bad + (here() != all());
}

static int find(unsigned lane) {
  for (unsigned i = 0;; ++i) {
    if (lane % 6 == i)
      return here() == those([i](unsigned l) { return l % 6 == i; }) ? 0 : 1;
    if (i > lane)
      return 2;
  }
}
static int returns(unsigned lane) { return find(lane) + (here() != all()); }

static int short_circuit(unsigned lane) {
  int bad = 0;
  if (lane < 8 || xcc::ballot(true) == those([](unsigned l) { return l >= 8; }))
    bad += here() != all();
  if (lane > 3 && here() == those([](unsigned l) { return l > 3; }) && lane & 1)
    bad += here() != those([](unsigned l) { return l > 3 && l & 1; });
  const mask m = lane & 2 ? here() : here() + 1;
  bad += m != (lane & 2 ? those([](unsigned l) { return l & 2; })
                        : those([](unsigned l) { return !(l & 2); }) + 1);
  return bad + (here() != all());
}

static int falls_through(unsigned lane) {
  int bad = 0;
  switch (lane % 4) {
  case 0:
    bad += here() != those([](unsigned l) { return l % 4 == 0; });
    [[fallthrough]];
  case 1:
    bad += here() != those([](unsigned l) { return l % 4 < 2; });
    break;
  default:
    bad += here() != those([](unsigned l) { return l % 4 == 3; });
    break;
  case 2:
    bad += here() != those([](unsigned l) { return l % 4 == 2; });
  }
  return bad + (here() != all());
}

static int jumps(unsigned lane) {
  int bad = 0;
  unsigned turn = 0;
again:
  bad += here() != those([turn](unsigned l) { return l % 3 >= turn; });
  if (turn++ < lane % 3)
    goto again;
  for (unsigned i = 0; i < 3; ++i)
    for (unsigned j = 0; j < 3; ++j)
      if (i * 3 + j == lane % 11)
        goto out;
  bad +=
      here() != those([](unsigned l) { return l % 11 == 9 || l % 11 == 10; });
out:
  return bad + (here() != all());
}

struct shape {
  virtual mask met() const = 0;
};
struct oval final : shape {
  mask met() const override { return here(); }
};
struct square final : shape {
  mask met() const override { return here() << 1; }
};
static mask plain(unsigned) { return here(); }
static mask shifted(unsigned n) { return here() << n; }
static int indirect(unsigned lane) {
  const oval r;
  const square s;
  const shape *const shapes[] = {&r, &s, &r};
  mask (*const functions[])(unsigned) = {plain, shifted};
  int bad = 0;
  const mask ones = those([](unsigned l) { return l % 3 == 1; });
  bad += shapes[lane % 3]->met() != (lane % 3 == 1 ? ones << 1 : all() & ~ones);
  const mask odd = those([](unsigned l) { return l & 1; });
  bad += functions[lane & 1](3) != (lane & 1 ? odd << 3 : all() & ~odd);
  return bad + (here() != all());
}

// One lane takes places for all that append together; all lanes sum.
static int append(unsigned lane) {
  int bad = 0;
  unsigned sum = 0;
  for (unsigned i = 0; i < 4; ++i) {
    if ((lane ^ i) % 3 == 0) {
      const mask m = here();
      const unsigned first = unsigned(__builtin_ctzll(m));
      const unsigned count =
          xcc::shuffle(unsigned(__builtin_popcountll(m)), first);
      bad += m != those([i](unsigned l) { return (l ^ i) % 3 == 0; });
      bad += count != unsigned(__builtin_popcountll(m));
    }
    unsigned v = lane + i;
    for (unsigned step = 16; step > 0; step /= 2)
      v += xcc::shuffle_xor(v, step);
    sum += v;
  }
  // A warp with fewer lanes sums something else.
  return bad + (lanes() == 32 && sum != 4 * 496 + 32 * 6) + (here() != all());
}

struct at_end {
  int &bad;
  mask wanted;
  ~at_end() { bad += here() != wanted; }
};
static int destructors(unsigned lane) {
  int bad = 0;
  for (unsigned i = 0; i < 4; ++i) {
    at_end end{bad, those([i](unsigned l) { return l % 4 >= i; })};
    if (lane % 4 == i)
      break;
    if (lane & 1)
      continue;
    bad += here() != those([i](unsigned l) { return l % 4 > i && !(l & 1); });
  }
  return bad + (here() != all());
}

#define TEST(f)                                                                \
  for (unsigned threads : {32u, 1u, 31u, 70u})                                 \
    test(                                                                      \
        #f,                                                                    \
        [](int *wrong, const int *) {                                          \
          wrong[xcc::thread_idx().x] = f(xcc::lane_id());                      \
        },                                                                     \
        threads);

int main() {
  TEST(second_in_a_loop)
  TEST(continues)
  TEST(unlikely)
  TEST(nested)
  // On an H200, lanes of behind_recursion are apart.
  const xcc::device on = xcc::device::current();
  if (std::strcmp(on.kind(), "cuda") || std::strstr(on.name(), "imulat")) {
    TEST(recursion)
    TEST(behind_recursion)
    TEST(loops_with_recursion)
    TEST(recursion_through_pointers)
  }
  TEST(breaks_from_an_arm)
  TEST(before_a_break)
  TEST(returns)
  TEST(short_circuit)
  TEST(falls_through)
  TEST(jumps)
  TEST(indirect)
  TEST(append)
  TEST(destructors)
  std::puts("all lanes meet"); // CHECK: all lanes meet
}
