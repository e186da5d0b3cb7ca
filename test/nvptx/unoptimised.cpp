// -O0 and -O1 compile too, whatever a kernel is made of.
// RUN: %xcc -std=c++20 -O0 -S -foffload-device-only -offload-arch=sm_90 -o - %s | FileCheck %s
// RUN: %xcc -std=c++20 -O1 -S -foffload-device-only -offload-arch=sm_90 -o - %s | FileCheck %s
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <optional>
#include <tuple>
#include <xcc/xcc.h>

// CHECK-LABEL: .entry {{.*}}6kernel{{.*}}({{$}}
// CHECK: {{^}}}
// CHECK-NOT: .extern .func
template <class T> void kernel(T *p, std::array<int, 3> a, int n) {
  static xcc::block_shared<T[64]> s;
  unsigned i = xcc::thread_idx().x;
  s[i] = p[i];
  xcc::sync_block();
  std::sort(a.begin(), a.end());
  auto [low, high] = std::minmax({a[0], a[1], n});
  std::optional<T> found;
  if (n > 3)
    found = s[63 - i] + xcc::shuffle_down(s[i], 1);
  p[i] = found.value_or(high - low) + std::abs(p[i]);
  std::atomic_ref<T>(p[0]).exchange(3);
}
void start(float *p) { xcc::launch({{1}, {64}}, kernel<float>, p, std::array{1, 2, 3}, 4); }
