// A code object describes each kernel: its arguments as the host lays them out, the
// hidden ones that its body asks for, and what it takes of the device.
// RUN: %object -offload-arch=gfx90a %s -o %t.co
// RUN: llvm-readelf --notes %t.co | FileCheck --check-prefixes=CHECK,WAVE64 %s
// RUN: llvm-readelf --dyn-syms %t.co | FileCheck --check-prefix=SYMBOLS %s
// RUN: %object -offload-arch=gfx1100 %s -o %t.co
// RUN: llvm-readelf --notes %t.co | FileCheck --check-prefixes=CHECK,WAVE32 %s
// RUN: %object -offload-arch=gfx1100 -mwavefrontsize64 %s -o %t.co
// RUN: llvm-readelf --notes %t.co | FileCheck --check-prefixes=CHECK,WAVE64 %s
// RUN: %object -offload-arch=gfx1100 -mwavefrontsize64 -mno-wavefrontsize64 %s -o %t.co
// RUN: llvm-readelf --notes %t.co | FileCheck --check-prefixes=CHECK,WAVE32 %s
#include <xcc/xcc.h>

struct Pair { double a; char b; };
struct alignas(32) Wide { int v[8]; };

// CHECK: .offset: 0{{$}}
// CHECK-NEXT: .size: 4{{$}}
// CHECK-NEXT: .value_kind: by_value
// CHECK: .offset: 8{{$}}
// CHECK-NEXT: .size: 8{{$}}
// CHECK-NEXT: .value_kind: global_buffer
// CHECK: .offset: 16{{$}}
// CHECK-NEXT: .size: 16{{$}}
// CHECK-NEXT: .value_kind: by_value
// CHECK: .offset: 32{{$}}
// CHECK-NEXT: .size: 32{{$}}
// CHECK-NEXT: .value_kind: by_value
// CHECK: .offset: 64{{$}}
// CHECK-NEXT: .size: 2{{$}}
// CHECK: .offset: 72{{$}}
// CHECK-NEXT: .size: 8{{$}}
// CHECK-NEXT: .value_kind: global_buffer
// CHECK: .offset: 80{{$}}
// CHECK-NEXT: .size: 4{{$}}
// CHECK-NEXT: .value_kind: hidden_block_count_x
// CHECK: .offset: 92{{$}}
// CHECK-NEXT: .size: 2{{$}}
// CHECK-NEXT: .value_kind: hidden_group_size_x
// CHECK: .value_kind: hidden_dynamic_lds_size
// CHECK: .group_segment_fixed_size: 256{{$}}
// CHECK-NEXT: .kernarg_segment_align: 32{{$}}
// CHECK-NEXT: .kernarg_segment_size: 336{{$}}
// CHECK-NEXT: .max_flat_workgroup_size: 1024{{$}}
// CHECK-NEXT: .name: [[K:_ZN3xcc15function_kernel.*6kernel.*]]
// CHECK: .symbol: [[K]].kd
// CHECK: .uniform_work_group_size: 1
// CHECK: .uses_dynamic_stack: false
// WAVE32: .wavefront_size: 32
// WAVE64: .wavefront_size: 64
void kernel(int n, float *p, Pair s, Wide w, short h, const double &r) {
  static xcc::block_shared<float[64]> tile;
  tile[xcc::thread_idx().x] = n;
  xcc::sync_block();
  p[xcc::global_id()] = s.a + w.v[3] + h + r + tile[63 - xcc::thread_idx().x] +
                        xcc::dynamic_shared<float>()[xcc::dynamic_shared_bytes() / 8];
}
// A kernel that asks for nothing hidden is passed nothing hidden.
// CHECK: .offset: 0{{$}}
// CHECK-NEXT: .size: 24{{$}}
// CHECK-NOT: hidden
// CHECK: .kernarg_segment_size: 24{{$}}
// CHECK: .name: [[L:_ZN3xcc13object_kernel.*]]
void start(float *p) {
  double d = 0;
  xcc::launch({{1}, {64}, 256}, kernel, 1, p, Pair{}, Wide{}, short(1), d);
  Pair pair{};
  xcc::launch({{1}, {1}}, [=] { p[0] = pair.a; });
}
// The runtime finds a kernel by its descriptor, other programs by its code.
// SYMBOLS-DAG: FUNC GLOBAL PROTECTED {{.*}}6kernel{{[^.]*$}}
// SYMBOLS-DAG: OBJECT GLOBAL PROTECTED {{.*}}6kernel{{[^.]*}}.kd{{$}}
