// What no kernel can contain runs on the host, with a warning that says why.
// RUN: %xcc -O1 -std=c++17 -foffload-stdpar --offload-arch=host,sm_90,gfx90a -foffload-no-cubin %s -o %t 2>&1 | FileCheck --check-prefix=WARN %s
// RUN: not %xcc -O1 -std=c++17 -foffload-stdpar -Werror=offload-stdpar %s -o %t2 2>&1 | FileCheck --check-prefix=ERROR %s
// RUN: env XCC_CPU_SEPARATE=1 XCC_LOG=stdpar %t 2>&1 | FileCheck --check-prefixes=CHECK,CPU %s
// RUN: env LD_LIBRARY_PATH=%build/simulator/cuda MOCK_CUDA_DEVICES=sm_90 XCC_DEVICE=cuda XCC_LOG=stdpar %t 2>&1 | FileCheck --check-prefixes=CHECK,GPU %s
// RUN: env LD_LIBRARY_PATH=%build/simulator/hsa MOCK_HSA_AGENTS=gfx90a XCC_DEVICE=hsa XCC_LOG=stdpar %t 2>&1 | FileCheck --check-prefixes=CHECK,GPU %s
// WARN-DAG: fallback.cpp:{{.*}}: warning: an algorithm of the standard runs on the host, and not on this device: device code uses the thread_local variable 'calls' [-Woffload-stdpar]
// WARN-DAG: inline assembly of the host cannot run on this device [-Woffload-stdpar]
// WARN-DAG: setjmp and longjmp cannot run on a device [-Woffload-stdpar]
// WARN-DAG: device code uses 'pthread_mutex_lock', which nothing in this link defines for a device [-Woffload-stdpar]
// WARN-DAG: it uses the variable 'total', of which a device has its own [-Woffload-stdpar]
// WARN-DAG: it uses the variable 'start', of which a device has its own [-Woffload-stdpar]
// WARN-DAG: fallback.cpp:{{.*}} device code cannot use the host's runtime{{.*}} [-Woffload-stdpar]
// ERROR: error: an algorithm of the standard runs on the host
// CPU: xcc: stdpar: sort runs on the device
// GPU: xcc: stdpar: sort runs on the host: no code of it could be made for this device
// GPU: xcc: stdpar: count_if runs on the host: no code
// GPU: xcc: stdpar: any_of runs on the host: no code
// GPU: xcc: stdpar: for_each runs on the host: no code
// CHECK: xcc: stdpar: fill runs on the host: no code
// CHECK: xcc: stdpar: reduce runs on the device
// CHECK: all as on the host
#include <algorithm>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <execution>
#include <mutex>
#include <numeric>
#include <vector>
thread_local int calls;
struct key {
  int number;
  friend bool operator<(const key &a, const key &b) {
    return ++calls, a.number < b.number;
  }
};
static int failures, total;
static int *const address = &total;
static void check(bool right, const char *what) {
  if (!right)
    std::printf("wrong: %s\n", what), ++failures;
}
struct from_static {
  int value = 0;
  template <class T> from_static &operator=(T v) { return value = v(), *this; }
};

int main() {
  constexpr int n = 5000;
  static int start = std::getenv("NO_SUCH_VARIABLE") ? 1 : 7;
  const auto par = std::execution::par;
  std::vector<key> keys(n);
  for (int i = 0; i < n; ++i)
    keys[i].number = (i * 7919) % n;
  std::sort(par, keys.begin(), keys.end());
  check(keys[0].number == 0 && keys[n - 1].number == n - 1, "sort");
  std::vector<int> v(n, 1);
  check(std::count_if(par, v.begin(), v.end(),
                      [](int x) {
                        asm volatile("incl %0" : "+r"(x));
                        return x == 2;
                      }) == n,
        "inline assembly");
  check(!std::any_of(par, v.begin(), v.end(),
                     [](int x) {
                       std::jmp_buf place;
                       if (!setjmp(place))
                         std::longjmp(place, 1);
                       return x != 1;
                     }),
        "setjmp");
  std::for_each(par, v.begin(), v.end(), [](int &x) {
    __atomic_fetch_add(&total, x, __ATOMIC_RELAXED);
  });
  check(total == n, "a variable");
  total = 3;
  std::for_each(par, v.begin(), v.end(), [](int &x) { x = *address - 2; });
  check(v[n - 1] == 1, "a constant that leads to a variable");
  struct {
    std::mutex lock;
    int total = 0;
  } own;
  std::for_each(par, v.begin(), v.end(), [&](int &x) {
    std::lock_guard<std::mutex> held(own.lock);
    own.total += x;
  });
  check(own.total == n, "a lock");
  std::for_each(par, v.begin(), v.end(), [](int &) {
    std::mutex local;
    std::lock_guard<std::mutex> held(local);
  });
  std::for_each(par, v.begin(), v.end(), [&](int &x) { x = start; });
  check(v[0] == 7 && v[n - 1] == 7, "static variable");
  std::vector<from_static> s(n);
  std::fill(par, s.begin(), s.end(), [] {
    int few[] = {3, 1, 2};
    std::sort(std::execution::par, few, few + 3);
    return few[2];
  });
  check(s[n - 1].value == 3, "an algorithm in an algorithm");
  check(std::reduce(par, v.begin(), v.end()) == 7 * n, "reduce");
  if (!failures)
    std::printf("all as on the host\n");
  return failures != 0;
}
