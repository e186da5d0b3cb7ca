// Lanes come to a warp operation on several paths and are together: after jumps out
// of nested arms, in a `case` that others fall into, on either side of ||, after
// loops that are left in several places, in loops whose heads hold nothing, and
// after barriers in the arms of a branch.
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %xcc -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
#include "Inputs/lanes.h"
#include "Inputs/same.h"

static int leave(unsigned lane) {
  int bad = 0;
  if (lane & 1) {
    if (lane % 3 == 0)
      return here() != those([](unsigned l) { return l % 6 == 3; });
    bad += here() != those([](unsigned l) { return l & 1 && l % 3; });
  }
  bad += here() != those([](unsigned l) { return l % 6 != 3; });
  if (lane % 5 == 0) {
    if (lane & 2)
      return bad;
  }
  return bad + (here() != those([](unsigned l) {
                  return l % 6 != 3 && (l % 5 || !(l & 2));
                }));
}
static int returns(unsigned lane) { return leave(lane) + (here() != all()); }

[[gnu::noinline]] static int apart(unsigned lane) { return leave(lane); }
static int returns_from_a_call(unsigned lane) {
  int bad = 0;
  for (unsigned i = 0; i < 3; ++i)
    bad += apart(lane) + (here() != all());
  return bad;
}

static int falls(unsigned lane) {
  int bad = 0;
  for (unsigned i = 0; i < 6; ++i) {
    auto which = [i](unsigned l) { return (l + i) % 6; };
    switch (which(lane)) {
    case 4:
      bad += here() != those([&](unsigned l) { return which(l) == 4; });
      [[fallthrough]];
    case 1:
    case 3:
      bad += here() != those([&](unsigned l) {
               return which(l) == 4 || which(l) == 1 || which(l) == 3;
             });
      if (lane & 1)
        break;
      [[fallthrough]];
    case 0:
      bad += here() != those([&](unsigned l) {
               unsigned w = which(l);
               return w == 0 || (!(l & 1) && (w == 4 || w == 1 || w == 3));
             });
      continue;
    default:
      bad += here() !=
             those([&](unsigned l) { return which(l) == 2 || which(l) == 5; });
    }
    bad += here() != those([&](unsigned l) {
             unsigned w = which(l);
             return w == 2 || w == 5 || (l & 1 && w != 0);
           });
  }
  return bad + (here() != all());
}

static int either(unsigned lane, const volatile int *zero) {
  int bad = 0;
  for (unsigned i = 0; i < 4; ++i) {
    auto in = [i](unsigned l) { return l % 3 == i || l % 7 < i; };
    if (lane % 3 == i || lane % 7 + *zero < i)
      bad += here() != those(in);
    else if ((lane & 1 && lane % 5 + *zero < 3) || lane % 8 + *zero == i)
      bad += here() != those([&](unsigned l) {
               return !in(l) && ((l & 1 && l % 5 < 3) || l % 8 == i);
             });
    bad += here() != all();
  }
  return bad;
}

static int leaves_in_places(unsigned lane, int &how) {
  int bad = 0;
  unsigned i = 0;
  for (; i < lane % 5; ++i) {
    if (lane % 7 == i)
      break;
    for (unsigned j = 0; j < 3; ++j) {
      if (lane % 11 == i * 3 + j)
        goto found;
      if (lane % 13 == i * 3 + j) {
        how = 1;
        return bad;
      }
    }
  }
  how = 2;
  bad += here() != those([](unsigned l) {
           for (unsigned i = 0; i < l % 5 && l % 7 != i; ++i)
             if (l % 11 / 3 == i || l % 13 / 3 == i)
               return false;
           return true;
         });
found:
  return bad + (here() != those([](unsigned l) {
                  for (unsigned i = 0; i < l % 5 && l % 7 != i; ++i)
                    for (unsigned j = 0; j < 3; ++j) {
                      if (l % 11 == i * 3 + j)
                        return true;
                      if (l % 13 == i * 3 + j)
                        return false;
                    }
                  return true;
                }));
}
static int several_ways_out(unsigned lane) {
  int bad = 0, how = 0;
  for (unsigned i = 0; i < 2; ++i)
    bad += leaves_in_places(lane, how) + (here() != all());
  return bad;
}

static int empty_heads(unsigned lane) {
  int bad = 0;
  unsigned i = 0, j = 0;
  while (true) {
    while (j < (lane + i) % 3) {
      bad += here() != those([i, j](unsigned l) {
               return l % 4 >= i && (l + i) % 3 > j;
             });
      ++j;
    }
    j = 0;
    if (i++ == lane % 4)
      break;
  }
  return bad + (here() != all());
}

static int work_before_leaving(unsigned lane) {
  int bad = 0;
  for (unsigned i = 0;; ++i) {
    for (unsigned j = 0;; ++j) {
      // Some have left by the goto when j is 2.
      auto breaks = [i, j](unsigned l) {
        return l % 3 == j && (j == 2 ? l % 5 > i : l % 5 >= i);
      };
      if (lane % 3 == j) {
        if ((lane + j) & 1)
          bad += here() !=
                 those([&](unsigned l) { return breaks(l) && (l + j) & 1; });
        bad += here() != those(breaks);
        break;
      }
      if (lane % 5 == i && j == 1) {
        bad += here() !=
               those([i](unsigned l) { return l % 5 == i && l % 3 == 2; });
        goto out;
      }
    }
    bad += here() != those([i](unsigned l) {
             return l % 5 > i || (l % 5 == i && l % 3 != 2);
           });
    if (lane % 5 == i)
      break;
  }
out:
  return bad + (here() != all());
}

/// Barriers in both arms of a branch make states of a kernel; the one behind
/// them is come to from one arm by a loop with several ways in.
static int behind_barriers(unsigned lane, const volatile int *zero) {
  int bad = 0;
  for (unsigned round = 0; round < 2; ++round) {
    if (lane % 4 == round) {
      xcc::sync_block();
      unsigned i = 0, sum = 0;
      switch ((lane / 4 + *zero) % 3) {
      case 0:
        do {
          sum += i + *zero;
          [[fallthrough]];
        case 2:
          sum ^= i * 2 + 1;
          [[fallthrough]];
        case 1:;
        } while (++i < 2u + *zero);
      }
      bad += sum > 3;
    } else {
      xcc::sync_block();
    }
    bad += here() != all();
  }
  return bad;
}

static int in_front_of_barriers(unsigned lane, const volatile int *zero) {
  if (lane % 4 == 0) {
    unsigned i = 0, sum = 0;
    switch ((lane / 4 + *zero) % 4) {
    case 0:
    case 3:
      do {
        for (unsigned j = 0; j < (lane + *zero) % 3; ++j)
          sum += i + *zero;
        [[fallthrough]];
      case 2: {
        unsigned table[8] = {sum, lane};
        table[(lane + *zero) % 8] += 3;
        for (unsigned each : table)
          sum += each;
      }
        [[fallthrough]];
      case 1:;
      } while (++i < 6u + *zero);
    }
    if (sum == 1u + *zero)
      return 1;
    xcc::sync_block();
  } else {
    xcc::sync_block();
  }
  return here() != all();
}

#define TEST(f, ...)                                                           \
  for (unsigned threads : {64u, 1u, 31u, 150u})                                \
    test(                                                                      \
        #f,                                                                    \
        [](int *wrong, const int *zero) {                                      \
          (void)zero;                                                          \
          wrong[xcc::thread_idx().x] =                                         \
              f(xcc::lane_id() __VA_OPT__(, ) __VA_ARGS__);                    \
        },                                                                     \
        threads);

int main() {
  TEST(returns)
  TEST(returns_from_a_call)
  TEST(falls)
  TEST(either, zero)
  TEST(several_ways_out)
  TEST(empty_heads)
  TEST(work_before_leaving)
  TEST(behind_barriers, zero)
  TEST(in_front_of_barriers, zero)
  std::puts("all lanes meet"); // CHECK: all lanes meet
}
