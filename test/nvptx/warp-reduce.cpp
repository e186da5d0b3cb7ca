// One instruction for a match from sm_70 on, for a reduction of 32 bits from
// sm_80 on; before, and for other types, votes and shuffles. The clock is read
// each time.
// RUN: %ptx -offload-arch=sm_90 %s | FileCheck --check-prefixes=CHECK,NEW %s
// RUN: %ptx -offload-arch=sm_75 %s | FileCheck --check-prefixes=CHECK,OLD %s
// RUN: %ptx -offload-arch=sm_60 %s | FileCheck --check-prefix=VOTES %s
#include <xcc/xcc.h>

// CHECK-LABEL: .entry {{.*}}7matches{{.*}}({{$}}
// CHECK: match.any.sync.b32 {{.*}}, -1;
// CHECK: match.any.sync.b64 {{.*}}, -1;
// CHECK: ret;
// VOTES-LABEL: .entry {{.*}}7matches{{.*}}({{$}}
// VOTES-NOT: match.any
// VOTES-COUNT-64: vote.sync.ballot.b32
// VOTES: ret;
void matches(std::uint64_t *p, const unsigned *x, const double *y) {
  const unsigned i = xcc::thread_idx().x;
  p[i] = xcc::match_any(x[i]).bits + xcc::match_any(y[i]).bits;
}
// CHECK-LABEL: .entry {{.*}}4sums{{.*}}({{$}}
// NEW-NOT: shfl
// NEW: mov.b32 [[ALL:%r[0-9]+]], -1;
// NEW: redux.sync.add.s32 {{.*}}, [[ALL]];
// NEW: redux.sync.min.s32 {{.*}}, [[ALL]];
// NEW: redux.sync.max.u32 {{.*}}, [[ALL]];
// NEW: redux.sync.xor.b32 {{.*}}, [[ALL]];
// NEW-NOT: shfl
// OLD-NOT: redux
// OLD: shfl.sync.bfly
// CHECK: ret;
// VOTES-NOT: redux
void sums(int *p, unsigned *q) {
  const unsigned i = xcc::thread_idx().x;
  p[i] = xcc::warp_reduce_add(p[i]) + xcc::warp_reduce_min(p[i] * 3);
  q[i] = xcc::warp_reduce_max(q[i]) + xcc::warp_reduce_xor(q[i] * 3);
}
// CHECK-LABEL: .entry {{.*}}5times{{.*}}({{$}}
// CHECK-COUNT-2: clock64;
// CHECK: ret;
void times(std::uint64_t *p) {
  const std::uint64_t begin = xcc::clock64();
  p[0] = p[1];
  p[2] = xcc::clock64() - begin;
}

void start(std::uint64_t *p, unsigned *x, double *y, int *z) {
  xcc::launch({{1}, {32}}, matches, p, x, y);
  xcc::launch({{1}, {32}}, sums, z, x);
  xcc::launch({{1}, {32}}, times, p);
}
