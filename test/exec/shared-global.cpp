// xcc::shared_global: one object for the host and the device.
// RUN: %xcc -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 -Werror %s -o %t && %t | FileCheck %s
#include <atomic>
#include <cstdio>
#include <xcc/xcc.h>

struct totals {
  int sum, launches;
  float values[8];
};
xcc::shared_global<totals> shared;
static xcc::shared_global<int> first(40), second(2);
inline xcc::shared_global<std::atomic<int>> count;
template <class T> struct holder {
  static inline xcc::shared_global<T> value{T(7)};
};

void kernel() {
  int i = int(xcc::global_id());
  shared->values[i] = float(i) / 2 + float(*first);
  if (i == 0) {
    shared->launches += 1;
    *second += 1;
    *holder<long>::value += *holder<short>::value;
  }
}
void counts() { count->fetch_add(1); }

int main() {
  shared->launches = 10;
  for (int i = 0; i < 2; ++i)
    xcc::launch({1, 8}, kernel);
  xcc::synchronize();
  std::printf("%d %g %d %ld\n", shared->launches, shared->values[3], *second,
              *holder<long>::value);
  // CHECK: 12 41.5 4 21
  *first = 1;
  shared->values[7] = 0;
  xcc::launch({1, 8}, kernel);
  xcc::synchronize();
  std::printf("%g\n", shared->values[7]); // CHECK: 4.5
  xcc::launch({4, 32}, counts);
  xcc::synchronize();
  std::printf("%d\n", count->load()); // CHECK: 128
}
