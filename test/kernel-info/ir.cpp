// The host module: a constant descriptor for each kernel, an entry in
// llvm_offload_entries, and no code that registers kernels.
// RUN: %xcc -std=c++17 -O1 -S -emit-llvm -foffload-host-only %s -o - | FileCheck %s
// With device code the link must bring the unit's record.
// RUN: %xcc -std=c++17 -O1 -S -emit-llvm %s -o - | FileCheck --check-prefix=DEVICE %s
#include <xcc/xcc.h>

static void internal(int *p) {}
inline void shared(int *p) {}
void run(int *p) {
  xcc::launch({{1}, {1}}, internal, p);
  xcc::launch({{1}, {1}}, shared, p);
}
// CHECK-DAG: @__xcc_info_{{.*}}internal{{.*}} = internal global {{.*}} i32 1262699352, i32 {{[0-9]+}},
// CHECK-DAG: @__xcc_info_{{.*}}shared{{.*}} = weak_odr hidden constant {{.*}}, comdat
// CHECK-DAG: @.offloading.entry.{{.*}}internal{{.*}} section "llvm_offload_entries"
// CHECK-DAG: @.offloading.entry.{{.*}}shared{{.*}} section "llvm_offload_entries"
// CHECK-DAG: @__xcc_binary = extern_weak hidden global
// DEVICE-DAG: @__xcc_link_this_with_xcc = external hidden global
// CHECK-NOT: llvm.global_ctors
