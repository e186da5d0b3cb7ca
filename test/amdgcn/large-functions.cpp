// A function of many blocks calls others, since the time to compile it grows faster than it does. Small functions
// become part of it.
// RUN: %xcc -O2 -S -foffload-device-only -offload-arch=gfx1100 %s -o - | FileCheck %s
#include <xcc/xcc.h>

#define FOUR(step, n) step(4 * n) step(4 * n + 1) step(4 * n + 2) step(4 * n + 3)
#define STEP(n)                                                                                                        \
  if (p[n] > n)                                                                                                        \
    q[n] = p[n] * n;
#define TWENTY(n) FOUR(STEP, n) FOUR(STEP, (n + 1)) FOUR(STEP, (n + 2)) FOUR(STEP, (n + 3)) FOUR(STEP, (n + 4))

static void medium(const int *p, int *q) { TWENTY(0) }

template <int Count> static void large(const int *p, int *q) {
  medium(p, q);
  medium(q, q + 100);
  if constexpr (Count > 0)
    large<Count - 1>(p + 200, q + 200);
}

static void small(const int *p, int *q) {
  if (*p > 3)
    *q = *p;
}

// CHECK-LABEL: {{^_Z[^ ]*few[^ ]*}}:
// CHECK-NOT: s_swappc_b64
// CHECK: s_endpgm
void few(const int *p, int *q) { large<0>(p, q); }

// CHECK-LABEL: {{^_Z[^ ]*many[^ ]*}}:
// CHECK: s_swappc_b64
// CHECK: s_endpgm
void many(const int *p, int *q) { large<9>(p, q); }

// CHECK-LABEL: {{^_Z[^ ]*crowded[^ ]*}}:
// CHECK-NOT: s_swappc_b64
// CHECK: s_endpgm
void crowded(const int *p, int *q) {
  TWENTY(0) TWENTY(5) TWENTY(10) TWENTY(15) TWENTY(20)
  small(p + 300, q + 300);
  small(p + 400, q + 400);
}

void launches(const int *p, int *q) {
  xcc::launch({{1}, {32}}, few, p, q);
  xcc::launch({{1}, {32}}, many, p, q);
  xcc::launch({{1}, {32}}, crowded, p, q);
}
