// A class that kernels share with the host has one layout in all units of a
// program: the link compares them.
// RUN: %xcc -std=c++20 -O0 -c %s -o %t.main.o
// RUN: %xcc -std=c++20 -O0 -DOTHER -c %s -o %t.same.o
// RUN: %xcc -std=c++20 -O0 -DOTHER -DMORE -c %s -o %t.more.o
// RUN: %xcc -std=c++20 -O0 -DOTHER -fpack-struct -c %s -o %t.packed.o
// RUN: %xcc %t.main.o %t.same.o -o %t 2>&1 | FileCheck --allow-empty --check-prefix=SAME %s
// RUN: %xcc %t.main.o %t.more.o -o %t 2>&1 | FileCheck --check-prefix=MORE %s
// RUN: %xcc %t.main.o %t.packed.o -o %t 2>&1 | FileCheck --check-prefix=PACKED %s
// RUN: %xcc -Wno-offload-layout %t.main.o %t.more.o -o %t 2>&1 | FileCheck --allow-empty --check-prefix=SAME %s
// RUN: %not %xcc -Werror %t.main.o %t.more.o -o %t 2>&1 | FileCheck --check-prefix=ERROR %s
#include <xcc/xcc.h>

// SAME-NOT: {{.}}
// MORE: warning: kernels are given objects of 'app::Inner', which has another layout in '{{.*}}layouts-of-units.cpp, compiled another time' than in '{{.*}}layouts-of-units.cpp': 'more' is only in '{{.*}}layouts-of-units.cpp, compiled another time' [-Woffload-layout]
// MORE-NEXT: note: compile all units that use it with the same macros and options, or give one of two classes another name
// MORE-NEXT: warning: kernels are given objects of 'app::Shared', {{.*}}: 'last' is at offset 24 in '{{.*}}' and at 32 in '{{.*}}'
// MORE-NOT: warning
// PACKED: warning: kernels are given objects of 'app::Inner', {{.*}}: 'b' is at offset 8 in '{{.*}}' and at 1 in '{{.*}}'
// ERROR: error: kernels are given objects of 'app::Inner'
namespace app {
struct Inner {
  char a = 1;
#ifdef MORE
  int more = 2;
#endif
  double b = 3;
#ifdef MORE
  double end = 4;
#endif
};
struct Shared {
  Inner *inner = nullptr;
  Inner held;
  int last = 5;
};
} // namespace app

// Other classes of one name do no harm.
namespace {
struct Own {
#ifdef MORE
  int more = 0;
#endif
  int x = 0;
};
} // namespace
inline int within(int i) {
  struct Local {
#ifdef MORE
    int more = 0;
#endif
    int x = 7;
  } local;
  return local.x + i;
}
struct OnlyHost {
#ifdef MORE
  int more = 0;
#endif
  int x = 0;
};
inline OnlyHost onHost;

#ifdef OTHER
void other(app::Shared &shared) {
  Own own;
  xcc::parallel_for(1, [&](std::size_t) { shared.last += own.x + within(0); });
  xcc::synchronize();
}
#else
void other(app::Shared &shared);
int main() {
  app::Shared shared;
  Own own;
  xcc::parallel_for(1, [&](std::size_t) { shared.last += own.x + within(0); });
  xcc::synchronize();
  other(shared);
  return onHost.x;
}
#endif
