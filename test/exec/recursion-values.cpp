// What a call returns is the callee's, also where that is another activation of the same function.
// RUN: %xcc -std=c++20 -O0 %s -o %t && %t
// RUN: %xcc -std=c++20 -O1 %s -o %t && %t
// RUN: %xcc -std=c++20 -O2 %s -o %t && %t
#include "Inputs/same.h"

using ulong = unsigned long;
typedef unsigned V2 __attribute__((ext_vector_type(2)));

struct Node {
  unsigned v;
  short k;
  ulong w[2];
  unsigned sum() const {
    return v * 3 + unsigned(k) + unsigned(w[0] >> 5) * 5 + unsigned(w[1] >> 9);
  }
};

[[gnu::noinline]] unsigned summed(const unsigned *p, unsigned n) {
  unsigned s = n;
  for (unsigned i = 0; i < n; ++i)
    s = s * 31 + p[i];
  return s;
}

// One structure is returned, made of its parts at the end.
[[gnu::noinline]] Node walk(Node n, unsigned depth) {
  if (!depth)
    return n;
  Node l =
      walk({n.v * 3 + 1, short(n.k + short(depth)), {n.w[1], n.w[0] + n.v}},
           depth - 1);
  l.w[depth & 1] ^= n.v;
  if (l.k & 4)
    return l;
  unsigned own[4] = {l.v, unsigned(l.k), n.v, depth};
  l.v += summed(own, 1 + (n.v & 3));
  return walk(l, depth / 2);
}

// All parts of what walk() returns are used, and nothing else of it.
unsigned used(unsigned t, unsigned w) {
  unsigned s = 1, sum = 2;
  for (unsigned i = 0; i < 2; ++i) {
    unsigned table[3][3] = {{t ^ sum}, {1, sum}};
    unsigned *cursor = &table[s % 3][0];
    cursor[t % 3] += 7;
    s ^= summed(table[sum % 3], 3);
    sum += walk({t, short(t), {t, ulong(w) << 6}}, (t + w) % 4).sum();
  }
  return s + sum;
}

struct Two {
  unsigned first, second;
};
[[gnu::noinline]] Two both(unsigned a, unsigned b, unsigned depth) {
  if (!depth)
    return {a, b};
  const Two inner = both(b + 1, a ^ depth, depth - 1);
  return {inner.first - a, inner.second * 3};
}
// Nothing is added on the way back.
[[gnu::noinline]] Two down(unsigned a, unsigned b, unsigned depth) {
  Two result = {a, b};
  if (depth)
    result = down(a * 3 + 1, b ^ a, depth - 1);
  return {result.first, b + result.second};
}
[[gnu::noinline]] V2 vector(V2 v, unsigned depth) {
  if (!depth)
    return v;
  const V2 inner = vector(v.yx + depth, depth - 1);
  return V2{inner.x ^ v.y, inner.y - v.x};
}
[[gnu::noinline]] unsigned scalar(unsigned n, unsigned depth) {
  unsigned result = n + 1;
  if (depth)
    result = scalar(n * 3, depth - 1) - n;
  return result + n;
}
// Through another function.
Two pong(unsigned a, unsigned b, unsigned depth);
[[gnu::noinline]] Two ping(unsigned a, unsigned b, unsigned depth) {
  if (!depth)
    return {a, b};
  const Two inner = pong(a * 5, b, depth - 1);
  return {inner.second + a, inner.first};
}
[[gnu::noinline]] Two pong(unsigned a, unsigned b, unsigned depth) {
  if (!depth)
    return {b, a};
  const Two inner = ping(a, b + 7, depth - 1);
  return {inner.first + b, inner.second};
}
// The same arguments from the kernel each time, and others from itself.
[[gnu::noinline]] Two constant(unsigned a, unsigned step, unsigned depth) {
  if (depth > 4)
    return {a, step};
  const Two inner = constant(a + step, step + 2, depth + 1);
  return {inner.first * 3 + step, inner.second};
}

int main() {
  same("structures", 256, [](unsigned i) {
    return walk({i, short(i), {i, ulong(i) << 6}}, i % 5).sum();
  });
  same("structures and arrays", 256, [](unsigned i) { return used(i, 3); });
  same("both", 256, [](unsigned i) {
    const Two r = both(i, i * 7, i % 6);
    return r.first * 31 + r.second;
  });
  same("down", 256, [](unsigned i) {
    const Two r = down(i, i * 7, i % 6);
    return r.first * 31 + r.second;
  });
  same("vectors", 256, [](unsigned i) {
    const V2 r = vector(V2{i, i * 7}, i % 6);
    return r.x * 31 + r.y;
  });
  same("scalars", 256, [](unsigned i) { return scalar(i, i % 6); });
  same("through another", 256, [](unsigned i) {
    const Two r = ping(i, i * 7, i % 6);
    return r.first * 31 + r.second;
  });
  same("constant", 256, [](unsigned i) {
    const Two r = constant(i, 3, 0);
    return r.first * 31 + r.second;
  });
}
