// A kernel that reaches a global variable by another name than its own is warned
// of as one that names it: by references, pointers and tables that the compiler
// knows, by functions that return it, in destructors and virtual functions.
// RUN: %xcc -std=c++20 -fsyntax-only %s 2>&1 | FileCheck %s --implicit-check-not=warning:
// RUN: %xcc -std=c++20 -DINITIALISED -fsyntax-only %s 2>&1 | FileCheck %s --check-prefix=INIT --implicit-check-not=warning:
// RUN: %xcc -std=c++20 -Werror -DREADS -fsyntax-only %s
#include <functional>
#include <vector>
#include <xcc/xcc.h>

static int a = 1, b, c, d, e, f, g, h, k;
struct Data {
  int x;
  static int count;
};
int Data::count = 2;
static Data global = {3};
int *const pointer = &global.x;
static int *changing = &c;
int *const table[] = {nullptr, &d};
static void store(int n) { e = n; }
void (*const functions[])(int) = {store};
struct Node {
  int *value;
  int &other;
};
static constexpr Node node = {&f, g};
struct Guard {
  ~Guard() { ++h; }
};
struct Base {
  virtual void go() = 0;
};
struct Derived : Base {
  void go() override { ++k; }
};
static const int &constant = a;
struct Settings {
  int size = 1;
  static Settings &get() {
    static Settings one;
    return one;
  }
  static const Settings &look() { return get(); }
};
static int *counters() {
  static int counts[4];
  return counts + 1;
}
// A state of both sides is each side's own.
inline int draw() {
  static int seed = 1;
  return seed = seed * 5 + 1;
}

#ifdef READS
// What kernels and host only read is the same for both.
int host() {
  return a + Data::count + global.x + *pointer + *changing + f + g +
         Settings::get().size + Settings::look().size + counters()[2] + draw();
}
int main() {
  int &i = a;
  static int &m = Data::count;
  xcc::launch({1, 1}, [&i](int *out) {
    *out = i + m + constant + *pointer + *changing + *node.value + node.other +
           global.x + Settings::get().size + Settings::look().size +
           counters()[1] + draw();
  }, static_cast<int *>(nullptr));
  xcc::synchronize();
}
#elif !defined(INITIALISED)
int main() {
  int o = 0;
  int &i = a;
  static int &m = Data::count;
  // CHECK: [[#@LINE+1]]:41: warning: a kernel writes the device's copy of 'a': the host's variable does not change [-Woffload-globals]
  xcc::launch({1, 1}, [&i, &o] { o = i; i = 4; });
  // CHECK: [[#@LINE+1]]:29: warning: a kernel writes the device's copy of 'count'
  xcc::launch({1, 1}, [&] { m = 5; });
  // CHECK: [[#@LINE+1]]:30: warning: a kernel writes the device's copy of 'global'
  xcc::launch({1, 1}, [&] { *pointer = 6; });
  // CHECK: [[#@LINE+1]]:35: warning: a kernel reads the device's copy of 'c'
  xcc::launch({1, 1}, [&] { o += *changing; });
  // CHECK: [[#@LINE+1]]:30: warning: a kernel writes the device's copy of 'd'
  xcc::launch({1, 1}, [&] { *table[1] = 7; });
  // CHECK: [[#@LINE+2]]:30: warning: a kernel writes the device's copy of 'f'
  // CHECK: [[#@LINE+1]]:30: warning: a kernel writes the device's copy of 'g'
  xcc::launch({1, 1}, [&] { *node.value = node.other; });
  // CHECK: [[#@LINE+1]]:34: warning: a kernel reads the device's copy of 'one': it does not get what the host writes to its variable
  xcc::launch({1, 1}, [&] { o += Settings::get().size; });
  // CHECK: [[#@LINE+1]]:29: warning: a kernel writes the device's copy of 'counts'
  xcc::launch({1, 1}, [&] { counters()[2] = 1; });
  // CHECK: [[#@LINE-73]]:28: warning: a kernel writes the device's copy of 'e'
  xcc::launch({1, 1}, [&] { functions[0](8); });
  // CHECK: [[#@LINE-67]]:16: warning: a kernel writes the device's copy of 'h'
  xcc::launch({1, 1}, [&] { Guard guard; });
  // CHECK: [[#@LINE-63]]:26: warning: a kernel writes the device's copy of 'k'
  xcc::launch({1, 1}, [&] {
    Derived made;
    Base &base = made;
    base.go();
  });
  xcc::synchronize();
  Settings::get().size = 5;
  o += counters()[2];
  c = 9;
  return o + a + b + c + d + e + f + g + h + k + global.x + Data::count +
         constant;
}
#else
// Initialisers that run on the device leave addresses of the device's own there.
static int r, s, t, u, v, quiet;
static const std::vector<int *> elements{&r};
struct Keeps {
  int *first;
  Keeps(int &first) : first(&first) { ++quiet; }
};
static const Keeps keeps(s);
static int *const returned = [] { return &t; }();
static std::function<int()> calls = [] { return u; };
static int (*const converted)() = [] { return v; };
static Data pair = {3};
static auto &[bound] = pair;
void initialised(int *o) {
  // INIT-DAG: [[#@LINE+1]]:36: warning: a kernel reads the device's copy of 'r': it does not get what the host writes to its variable
  xcc::launch({1, 1}, [o] { *o += *elements[0]; });
  // INIT-DAG: [[#@LINE+1]]:36: warning: a kernel reads the device's copy of 's'
  xcc::launch({1, 1}, [o] { *o += *keeps.first; });
  // INIT-DAG: [[#@LINE+1]]:36: warning: a kernel reads the device's copy of 't'
  xcc::launch({1, 1}, [o] { *o += *returned; });
  // INIT-DAG: [[#@LINE-11]]:49: warning: a kernel reads the device's copy of 'u'
  xcc::launch({1, 1}, [o] { *o += calls(); });
  // INIT-DAG: [[#@LINE-12]]:47: warning: a kernel reads the device's copy of 'v'
  xcc::launch({1, 1}, [o] { *o += converted(); });
  // INIT-DAG: [[#@LINE+1]]:35: warning: a kernel reads the device's copy of 'pair'
  xcc::launch({1, 1}, [o] { *o += bound; });
  // A captured binding leads to the host's.
  static Data other = {3};
  auto &[captured] = other;
  xcc::launch({1, 1}, [&captured, o] { *o += captured; });
  r = s = t = u = v = pair.x = other.x = quiet = 8;
}
#endif
