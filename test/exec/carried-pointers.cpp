// A pointer that a loop moves on is moved for lanes that found nothing, whichever of
// the loop's paths they took there.
// RUN: %xcc -std=c++20 -O2 %s -o %t && %t | FileCheck %s
// CHECK: 5 -1 2 5
#include <cstdio>
#include <xcc/xcc.h>

static const int texts[4][11] = {
    {'W', 'i', 'd', 'e', ' ', 'T', 'e', 'x', 't', '!', 0},
    {'N', 'o', 't', 'h', 'i', 'n', 'g', 0},
    {'Z', 'Z', 'T', 'e', 0},
    {'T', 'o', 'T', 't', 'T', 'T', 'e', 0}};
static const int part[] = {'T', 'e', 0};

static int order(const int *a, const int *b, unsigned long n) {
  for (; n; --n, ++a, ++b)
    if (*a != *b || !*a)
      return *a == *b ? 0 : *a < *b ? -1 : 1;
  return 0;
}

[[gnu::noinline]] static const int *find(const int *text) {
  for (;; ++text) {
    if (order(text, part, 2) == 0)
      return text;
    if (!*text)
      return nullptr;
  }
}

void search(int *places, int count) {
  for (int i = 0; i < count; ++i) {
    const int *found = find(texts[i]);
    places[i] = found ? int(found - texts[i]) : -1;
  }
}

int main() {
  xcc::buffer<int> places(4);
  int found[4];
  xcc::launch({{1}, {1}}, search, places.data(), 4);
  xcc_memory_copy(found, places.data(), sizeof found);
  std::printf("%d %d %d %d\n", found[0], found[1], found[2], found[3]);
}
