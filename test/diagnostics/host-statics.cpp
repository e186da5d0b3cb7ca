// A static variable of the function that launches has its value on the host: a
// lambda that names it would find the device's own, which nothing initialises.
// RUN: not %xcc -std=c++20 -fsyntax-only %s 2>&1 | FileCheck %s --implicit-check-not=error:
// RUN: %xcc -std=c++20 -DCAPTURED %s -o %t && %t | FileCheck %s --check-prefix=PRINTS
// RUN: env XCC_CPU_SEPARATE=1 %t | FileCheck %s --check-prefix=PRINTS
// RUN: %xcc -std=c++20 -DCAPTURED -c --offload-arch=sm_90,gfx1100 %s -o %t.o
// RUN: not %xcc -std=c++20 -fsyntax-only --offload-arch=cpu,sm_90,gfx1100 %s 2>&1 | FileCheck %s --implicit-check-not=error:
#include <cstdio>
#include <string>
#include <vector>
#include <xcc/xcc.h>

struct Single {
  int value = 5;
  static Single &get() {
    static Single *one = new Single;
    return *one;
  }
};

// Constants, and what the device comes to by itself, are right.
int tabled(int i) {
  static const std::vector<int> table(4, i);
  return [&] { return table[1]; }();
}

template <class T> void inTemplate(int n, T &out) {
  static const T twice = T(n) * 2;
#ifndef CAPTURED
  // CHECK-DAG: host-statics.cpp:[[#@LINE+1]]:41: error: device code uses the static variable 'twice' of a function that runs on the host: the device's copy is never initialised
  xcc::launch({{1}, {1}}, [&] { out = T(twice); });
  // CHECK-DAG: [[#@LINE-4]]:18: note: declared here; capture its value, as in [twice = twice], or the host's object itself, as in [&twice = twice]
  // CHECK-DAG: [[#@LINE-2]]:3: note: in kernel {{.*}}, which is launched here
#else
  xcc::launch({{1}, {1}}, [&out, twice = twice] { out = T(twice); });
#endif
}

int main(int argc, char **) {
  std::vector<int> results(8);
  int *out = results.data();
  static const int scale = argc * 3;
  static std::vector<int> t(10, 4 + argc);
  static auto &single = Single::get();
  static const int known = 3 * 7;
  static std::string text = std::string(40, 'a');
  auto &alias = text;
#ifndef CAPTURED
  // CHECK-DAG: [[#@LINE+1]]:42: error: device code uses the static variable 't'
  xcc::launch({{1}, {1}}, [&] { out[1] = t[9]; });
  // CHECK-DAG: [[#@LINE+1]]:42: error: device code uses the static variable 'single'
  xcc::launch({{1}, {1}}, [&] { out[2] = single.value; });
  struct Local {
    // CHECK-DAG: [[#@LINE+1]]:57: error: device code uses the static variable 'scale'
    static void kernel(int *to) { *to = tabled(1) + 0 * scale; }
  };
  xcc::launch({{1}, {1}}, Local::kernel, out);
  // By a reference that the compiler knows, the variable itself is meant.
  // CHECK-DAG: [[#@LINE+1]]:33: error: device code uses the static variable 'text'
  xcc::launch({{1}, {1}}, [&] { alias += "x"; });
#else
  xcc::launch({{1}, {1}}, [&results, scale = scale] { results[0] = scale; });
  xcc::launch({{1}, {1}}, [&results, &t = t] { results[1] = t[9]++; });
  xcc::launch({{1}, {1}},
              [&results, &single = single] { results[2] = single.value++; });
  xcc::launch({{1}, {1}}, [&] { results[3] = known + tabled(2); });
  xcc::launch({{1}, {1}}, [&alias = alias] { alias[0] = 'b'; });
  // The address of 'plain' is a constant: a read is one of what was captured.
  static int plain = 3;
  plain = 7;
  auto generic = [&, &plain = plain](auto to) {
    results[to] = plain;
    plain = [&] { return plain + 1; }();
  };
  xcc::launch({{1}, {1}}, [&] { generic(5); });
  // So is that of a pointer which never changes, and which is captured.
  static int counts[2] = {3, 4};
  int *const first = counts;
  counts[0] = 7;
  xcc::map scope(counts);
  xcc::launch({{1}, {1}}, [&] {
    results[6] = *first;
    [=] { first[1] += *first; }();
  });
  xcc::launch({{1}, {1}}, [first, &results] { results[7] = first[1]; });
  scope.end();
#endif
  inTemplate(argc, results[4]);
  xcc::synchronize();
  // PRINTS: 3 5 5 23 2 7 6 6 b
  std::printf("%d %d %d %d %d %d %d %d %c\n", results[0], results[1], results[2],
              results[3], results[4], results[5], t[9], single.value, text[0]);
#ifdef CAPTURED
  // PRINTS: plain 8, counts 7 11, seen 7 11
  std::printf("plain %d, counts %d %d, seen %d %d\n", plain, counts[0],
              counts[1], results[6], results[7]);
#endif
}
