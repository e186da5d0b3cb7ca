// A kernel is an entry with the launch's name, whose parameters lie as the
// host's do; nothing else can be seen from outside.
// RUN: %ptx -offload-arch=sm_90 %s | FileCheck %s
#include <xcc/xcc.h>

struct Pair { double a; char b; };
struct alignas(32) Wide { int v[8]; };
struct Empty {};

[[gnu::noinline]] int helper(int n) { return n * 7; }
// CHECK-NOT: .visible .func
// CHECK-NOT: .visible .global
int counter = 5;

// CHECK: .visible .entry [[K:_ZN3xcc15function_kernel[a-zA-Z0-9_]*6kernel[a-zA-Z0-9_]*]](
// CHECK-NEXT: .param .u32 [[K]]_param_0,
// CHECK-NEXT: .param .u64 .ptr .align 1 [[K]]_param_1,
// CHECK-NEXT: .param .align 8 .b8 [[K]]_param_2[16],
// CHECK-NEXT: .param .align 16 .b8 [[K]]_param_3[32],
// CHECK-NEXT: .param .u8 [[K]]_param_4,
// CHECK-NEXT: .param .u16 [[K]]_param_5,
// CHECK-NEXT: .param .u64 .ptr .align 1 [[K]]_param_6
// CHECK-NEXT: )
void kernel(int n, float *p, Pair s, Wide w, bool b, short h, const double &r) {
  p[n] = s.a + w.v[b] + h + r + helper(n) + counter++;
}

void start(float *p) {
  double d = 0;
  xcc::launch({{1}, {1}}, kernel, 1, p, Pair{}, Wide{}, true, short(1), d);
  // What a lambda holds is one parameter.
  // CHECK: .visible .entry [[L:_ZN3xcc13object_kernel[a-zA-Z0-9_]*]](
  // CHECK-NEXT: .param .align 8 .b8 [[L]]_param_0[24]
  // CHECK-NEXT: )
  Pair pair{};
  xcc::launch({{1}, {1}}, [=] { p[0] = pair.a; });
}
// CHECK-NOT: .visible
