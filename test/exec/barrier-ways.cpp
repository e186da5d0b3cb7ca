// Barriers that threads of a warp come to on different paths: from each arm of a
// branch or switch, in loops of different lengths, in functions called from several
// places, after early returns and early ends with work of their own.
// RUN: %xcc -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O1 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 -g %s -o %t && %t | FileCheck %s
#include "Inputs/same.h"

constexpr unsigned n = 96;
using Block = xcc::block_shared<int[n]>;

// Each arm reads what the others wrote before their barrier, and the next one
// what they wrote behind it.
void three_arms(int *out, int rounds) {
  static Block a;
  const unsigned t = xcc::thread_idx().x;
  a[t] = t;
  int sum = 0;
  for (int round = 0; round < rounds; ++round) {
    if (t % 3 == 0) {
      xcc::sync_block();
      sum += a[(t + 1) % n];
      xcc::sync_block();
      a[t] += 1;
    } else if (t % 3 == 1) {
      const int before = a[t];
      xcc::sync_block();
      sum += 2 * a[(t + 2) % n];
      xcc::sync_block();
      a[t] = before + 1;
    } else {
      xcc::sync_block();
      sum += 3 * a[(t + 5) % n];
      xcc::sync_block();
      ++a[t];
    }
    xcc::sync_block();
  }
  out[t] = sum;
}
int three_arms_result(int t, int rounds) {
  int sum = 0;
  for (int r = 0; r < rounds; ++r)
    sum += t % 3 == 0   ? (t + 1) % int(n) + r
           : t % 3 == 1 ? 2 * ((t + 2) % int(n) + r)
                        : 3 * ((t + 5) % int(n) + r);
  return sum;
}

void switched(int *out, int) {
  static Block a;
  const unsigned t = xcc::thread_idx().x;
  a[t] = 0;
  int value = 7;
  switch (t % 5) {
  case 0:
    a[t] = 10;
    xcc::sync_block();
    value = a[t + 1 < n ? t + 1 : 0];
    break;
  case 1:
    a[t] = 20;
    [[fallthrough]];
  case 2:
    a[t] += 5;
    xcc::sync_block();
    value = a[(t + 2) % n] + 100;
    break;
  case 3:
    xcc::sync_block();
    value = 3;
    break;
  default:
    a[t] = 40;
    xcc::sync_block();
    out[t] = a[t - 1] + 1000;
    return;
  }
  out[t] = value;
}
int switched_result(int t, int) {
  auto a = [](int i) {
    switch (i % 5) {
    case 0:
      return 10;
    case 1:
      return 25;
    case 2:
      return 5;
    case 3:
      return 0;
    default:
      return 40;
    }
  };
  switch (t % 5) {
  case 0:
    return a(t + 1 < int(n) ? t + 1 : 0);
  case 1:
  case 2:
    return a((t + 2) % n) + 100;
  case 3:
    return 3;
  default:
    return a(t - 1) + 1000;
  }
}

// The k-th barrier of a thread is the k-th of all that have that many.
void lengths(int *out, int) {
  static Block a;
  const unsigned t = xcc::thread_idx().x;
  a[t] = 0;
  xcc::sync_block();
  int seen = 0;
  for (unsigned i = 0; i < t % 7; ++i) {
    a[t] = i + 1;
    xcc::sync_block();
    seen += a[(t / 7) * 7 + 6 < n ? (t / 7) * 7 + 6 : t];
    xcc::sync_block();
  }
  out[t] = seen;
}
int lengths_result(int t, int) {
  int seen = 0;
  for (int i = 0; i < t % 7; ++i)
    seen += i + 1;
  return seen;
}

[[gnu::noinline]] int exchanged(int *a, int value, unsigned from) {
  a[xcc::thread_idx().x] = value;
  xcc::sync_block();
  const int got = a[from];
  xcc::sync_block();
  return got;
}
// A thread that leaves a function has not ended: it waits at the next barrier.
[[gnu::noinline]] int skipping(int *a, unsigned t) {
  if (t % 2)
    return 0;
  a[t] += 100;
  xcc::sync_block();
  return a[t] * 7;
}
void functions(int *out, int) {
  static Block a, b;
  const unsigned t = xcc::thread_idx().x;
  int value;
  if (t % 4 < 2)
    value = exchanged(&a[0], t, n - 1 - t);
  else
    value = exchanged(&a[0], 1000 + t, (t + 1) % n);
  b[t] = t;
  value += skipping(&b[0], t);
  if (t % 2) {
    xcc::sync_block(); // with that in skipping
    value += 10000 * (b[t - 1] >= 100);
  }
  out[t] = value;
}
int functions_result(int t, int) {
  auto a = [](int i) { return i % 4 < 2 ? i : 1000 + i; };
  return a(t % 4 < 2 ? int(n) - 1 - t : (t + 1) % int(n)) +
         (t % 2 ? 10000 : 7 * (t + 100));
}

void ends(int *out, int) {
  static Block a, b;
  const unsigned t = xcc::thread_idx().x;
  a[t] = t;
  out[t] = 0;
  if (t % 8 == 1)
    return;
  if (t % 8 == 2) { // ends with work of its own
    for (unsigned i = 0; i < t; ++i)
      out[t] += i;
    return;
  }
  xcc::sync_block();
  out[t] = a[n - 1 - t];
  if (t % 8 == 3) {
    out[t] += 5;
    return;
  }
  b[t] = 2 * t;
  xcc::sync_block();
  if (t % 8 > 4)
    out[t] += b[t - 1];
}
int ends_result(int t, int) {
  if (t % 8 == 1)
    return 0;
  if (t % 8 == 2)
    return t * (t - 1) / 2;
  int out = n - 1 - t;
  if (t % 8 == 3)
    return out + 5;
  return t % 8 > 4 ? out + 2 * (t - 1) : out;
}

// Values of every kind live on across the barriers, in loops within arms.
void nested(int *out, int rounds) {
  static xcc::block_shared<long[n]> a;
  const unsigned t = xcc::thread_idx().x;
  double x = t * 0.5;
  long sum = 0;
  bool flip = t & 1;
  short small = -int(t);
  for (int i = 0; i < rounds; ++i) {
    if (flip) {
      for (int k = 0; k < 3; ++k) {
        a[t] = small + k;
        xcc::sync_block();
        sum += a[(t + k) % n];
        xcc::sync_block();
      }
      x += 1;
    } else {
      for (int k = 2; k >= 0; --k) {
        a[t] = long(x * 4);
        if (k == 1) {
          xcc::sync_block();
          sum -= a[n - 1 - t];
        } else {
          xcc::sync_block();
          sum += a[t];
        }
        xcc::sync_block();
      }
      x -= 2;
    }
    flip = !flip;
    small += 2;
  }
  out[t] = int(sum) * 3 + int(x * 8) + small;
}
struct Nested {
  double x;
  long sum;
  bool flip;
  short small;
};
int nested_result(int t, int rounds) {
  static Nested s[n];
  for (unsigned i = 0; i < n; ++i)
    s[i] = {i * 0.5, 0, bool(i & 1), short(-int(i))};
  long a[n];
  for (int r = 0; r < rounds; ++r) {
    for (int k = 0; k < 3; ++k) {
      for (unsigned i = 0; i < n; ++i)
        a[i] = s[i].flip ? s[i].small + k : long(s[i].x * 4);
      for (unsigned i = 0; i < n; ++i)
        if (s[i].flip)
          s[i].sum += a[(i + k) % n];
        else if (k == 1)
          s[i].sum -= a[n - 1 - i];
        else
          s[i].sum += a[i];
    }
    for (Nested &each : s) {
      each.x += each.flip ? 1 : -2;
      each.flip = !each.flip;
      each.small += 2;
    }
  }
  return int(s[t].sum) * 3 + int(s[t].x * 8) + s[t].small;
}

// A barrier in a virtual function, and one behind a pointer to a function.
struct Shape {
  virtual int meet(int *a, int value) const = 0;
};
struct Plus : Shape {
  int meet(int *a, int value) const override {
    a[xcc::thread_idx().x] = value;
    xcc::sync_block();
    return a[(xcc::thread_idx().x + 1) % n] + 1;
  }
};
struct Times : Shape {
  int meet(int *a, int value) const override {
    a[xcc::thread_idx().x] = -value;
    xcc::sync_block();
    return a[(xcc::thread_idx().x + 2) % n] * 2;
  }
};
void virtuals(int *out, int) {
  static Block a;
  const unsigned t = xcc::thread_idx().x;
  Plus plus;
  Times times;
  const Shape *shape = t % 3 ? static_cast<Shape *>(&plus) : &times;
  const int first = shape->meet(&a[0], t);
  xcc::sync_block();
  int (*function)(int *, int, unsigned) = exchanged;
  if (t % 2)
    out[t] = first + function(&a[0], t, n - 1 - t);
  else
    out[t] = first - function(&a[0], t + 1, (t + 3) % n);
}
int virtuals_result(int t, int) {
  auto a = [](int i) { return i % 3 ? i : -i; };
  auto b = [](int i) { return i % 2 ? i : i + 1; };
  const int first = t % 3 ? a((t + 1) % n) + 1 : a((t + 2) % n) * 2;
  return t % 2 ? first + b(n - 1 - t) : first - b((t + 3) % n);
}

[[gnu::noinline]] void not_inlined(int *out, int) {
  static Block a;
  const unsigned t = xcc::thread_idx().x;
  out[t] = -1;
  if (t % 3 == 1)
    return;
  a[t] = t;
  xcc::sync_block();
  out[t] = a[t / 3 * 3];
}
int not_inlined_result(int t, int) { return t % 3 == 1 ? -1 : t / 3 * 3; }

struct Functor {
  int add;
  void operator()(int *out, int) const {
    static Block a;
    const unsigned t = xcc::thread_idx().x;
    if (t >= 70) {
      out[t] = add;
      return;
    }
    a[t] = t + add;
    if (t & 4)
      xcc::sync_block();
    else
      xcc::sync_block();
    out[t] = a[69 - t];
  }
};

int main() {
  xcc::buffer<int> out(n);
  int host[n];
  auto test = [&](const char *name, auto kernel, auto result, int rounds) {
    out.fill_bytes(0x55);
    kernel(out.data(), rounds);
    out.copy_to(host, n);
    for (int t = 0; t < int(n); ++t)
      check(host[t] == result(t, rounds), name);
  };
#define TEST(kernel, rounds)                                                   \
  test(                                                                        \
      #kernel, [](int *p, int r) { xcc::launch({{1}, {n}}, kernel, p, r); },   \
      kernel##_result, rounds)
  TEST(three_arms, 1);
  TEST(three_arms, 4);
  TEST(switched, 0);
  TEST(lengths, 0);
  TEST(functions, 0);
  TEST(ends, 0);
  TEST(nested, 3);
  TEST(virtuals, 0);
  TEST(not_inlined, 0);
  auto functor_result = [](int t, int) { return t >= 70 ? 9 : 69 - t + 9; };
  test(
      "functor",
      [](int *p, int r) { xcc::launch({{1}, {n}}, Functor{9}, p, r); },
      functor_result, 0);
  test(
      "lambda",
      [](int *p, int r) {
        xcc::launch(
            {{1}, {n}},
            [r](int *out) {
              static Block a;
              const unsigned t = xcc::thread_idx().x;
              a[t] = t + r;
              if (t % 32 == 5)
                return;
              for (unsigned i = 0; i < 2; ++i)
                if (t % 2)
                  xcc::sync_block();
                else
                  xcc::sync_block();
              out[t] = a[n - 1 - t];
            },
            p);
      },
      [](int t, int r) {
        return t % 32 == 5 ? 0x55555555 : int(n) - 1 - t + r;
      },
      11);
  std::puts("all met"); // CHECK: all met
}
