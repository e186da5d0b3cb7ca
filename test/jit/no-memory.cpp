// Without memory for the code, or with a library that cannot be linked: an error
// that says so, or the generic code; the process goes on.
// RUN: %xcc %headers -std=c++20 -O2 -offload-arch=generic:x86_64 %s -o %t
// RUN: env XCC_DEVICE=host %t 0 1000 20000 22000 25000 28000 30000 35000 | FileCheck %s
// CHECK: before: right
// CHECK-NEXT: error: {{.*}}kernel 'k<2>' cannot run: generating its code for native failed: no {{thread to generate it on|pipe for what is linked}}
// CHECK-COUNT-7: {{^(error: .*generating its code for native failed: .*|generated: right)$}}
// CHECK-NEXT: {{^(error: .*this process generates no more code, because it ran out of memory before.*|after: right)$}}
// CHECK-NEXT: for a value: right

// RUN: rm -rf %t.libraries && mkdir %t.libraries && cp /lib/x86_64-linux-gnu/libm.so.6 %t.libraries/
// RUN: env XCC_DEVICE=host LD_LIBRARY_PATH=%t.libraries %t %t.libraries/libm.so.6 | FileCheck %s --check-prefix=LIBRARY
// LIBRARY: before: right
// LIBRARY-NEXT: error: {{.*}}kernel 'k<2>' cannot run: generating its code for native failed: {{.*}}libm.so.6
// LIBRARY-NEXT: after: right
// LIBRARY-NEXT: for a value: right
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sys/resource.h>
#include <vector>
#include <xcc/xcc.h>

template <int N> void k(float *to, int n) {
  float r = 0;
  for (int i = 0; i < n; ++i)
    r += std::sin(float(i + N)) + std::lgamma(float(i + N));
  *to = r;
}

template <int N, class Number>
static void show(const char *what, xcc::buffer<float> &to, Number n) {
  try {
    xcc::launch({{1}, {1}}, k<N>, to.data(), n);
    float host = 0, expected = 0;
    to.copy_to(&host, 1);
    for (int i = 0; i < int(n); ++i)
      expected += std::sin(float(i + N)) + std::lgamma(float(i + N));
    std::printf("%s: %s\n", what,
                std::abs(host - expected) < 1e-3f ? "right" : "WRONG");
  } catch (const xcc::error &e) {
    std::printf("error: %s\n", e.what());
  }
}

static long addresses() {
  long pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * 4096;
}

static rlim_t setLimit(rlim_t to) {
  rlimit limit;
  getrlimit(RLIMIT_AS, &limit);
  rlim_t before = limit.rlim_cur;
  limit.rlim_cur = to;
  setrlimit(RLIMIT_AS, &limit);
  return before;
}

using Show = void (*)(const char *, xcc::buffer<float> &, int);
template <int... N> constexpr auto shows(std::integer_sequence<int, N...>) {
  return std::vector<Show>{show<N + 2, int>...};
}

int main(int count, char **arguments) {
  std::setvbuf(stdout, nullptr, _IONBF, 0);
  xcc::buffer<float> to(1);
  show<1>("before", to, 3);
  auto all = shows(std::make_integer_sequence<int, 8>());
  std::filesystem::path library = arguments[1];
  if (library.has_parent_path()) {
    std::filesystem::path aside = library.string() + ".aside";
    std::filesystem::rename(library, aside);
    std::vector<char> start(100); // and that is all of it
    std::ifstream(aside, std::ios::binary).read(start.data(), 100);
    std::ofstream(library, std::ios::binary).write(start.data(), 100);
    all[0]("NOT generated", to, 3);
    std::filesystem::rename(aside, library);
  } else {
    for (int i = 1; i != count; ++i) {
      rlim_t before =
          setLimit(rlim_t(addresses() + std::atol(arguments[i]) * 1024));
      all[i - 1]("generated", to, 3);
      setLimit(before);
    }
  }
  show<20>("after", to, 3);
  show<1>("for a value", to, xcc::constant(5));
}
