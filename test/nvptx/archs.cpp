// .target is the arch and .version the oldest that has it, so that older
// drivers and assemblers take the PTX.
// RUN: %ptx -offload-arch=sm_60 %s | FileCheck %s -DARCH=sm_60 -DPTX=6.3
// RUN: %ptx -offload-arch=sm_70 %s | FileCheck %s -DARCH=sm_70 -DPTX=7.8
// RUN: %ptx -offload-arch=sm_75 %s | FileCheck %s -DARCH=sm_75 -DPTX=7.8
// RUN: %ptx -offload-arch=sm_90 %s | FileCheck %s -DARCH=sm_90 -DPTX=7.8
// RUN: %ptx -offload-arch=sm_90a %s | FileCheck %s -DARCH=sm_90a -DPTX=8.0
// RUN: %ptx -offload-arch=sm_100 %s | FileCheck %s -DARCH=sm_100 -DPTX=8.6
// RUN: %ptx -offload-arch=sm_100f %s | FileCheck %s -DARCH=sm_100f -DPTX=8.8
// RUN: %ptx -offload-arch=sm_120 %s | FileCheck %s -DARCH=sm_120 -DPTX=8.7
#include <xcc/xcc.h>
// CHECK: .version [[PTX]]{{$}}
// CHECK-NEXT: .target [[ARCH]]{{$}}
// CHECK-NEXT: .address_size 64
void kernel(int *p) { *p += 3; }
void start(int *p) { xcc::launch({{1}, {1}}, kernel, p); }
