// Portable images: what is embedded, chosen, generated and refused.
// RUN: %xcc %headers -std=c++20 -O2 -offload-arch=generic %s -o %t
// RUN: %xcc-info %t | FileCheck %s --check-prefix=INFO
// INFO: 3 images
// INFO-DAG: x86_64-pc-linux-gnu generic:x86_64, bitcode, {{.*}} 1 kernel
// INFO-DAG: nvptx64-nvidia-cuda generic:nvptx64, bitcode, {{.*}} 1 kernel
// INFO-DAG: amdgcn-amd-amdhsa generic:amdgcn, bitcode, {{.*}} 1 kernel

// No image of its own: code is generated, also in a process that has closed its
// standard streams.
// RUN: env XCC_DEVICE=host XCC_LOG=load %t 2>&1 | FileCheck %s --check-prefix=GENERATED
// RUN: sh -c "XCC_DEVICE=host %t <&-" | FileCheck %s --check-prefix=RIGHT
// GENERATED: loaded the native image, {{[0-9]+}} bytes (generated here in {{[0-9]+}} ms)
// GENERATED: sum 4950
// RIGHT: sum 4950

// One of its own is taken, unless the user wants otherwise.
// RUN: %xcc %headers -std=c++20 -O2 -offload-arch=x86-64-v2,generic %s -o %t-both
// RUN: env XCC_DEVICE=host XCC_LOG=load %t-both 2>&1 | FileCheck %s --check-prefix=OWN
// RUN: env XCC_DEVICE=host XCC_JIT=always XCC_LOG=load %t-both 2>&1 | FileCheck %s --check-prefix=GENERATED
// OWN: loaded the x86-64-v2 image, {{[0-9]+}} bytes{{$}}
// OWN: sum 4950

// The code generator is opened only where it is needed.
// RUN: env XCC_DEVICE=host XCC_JIT_LIBRARY=/none.so %t-both | FileCheck %s --check-prefix=RIGHT
// RUN: %not --crash env XCC_DEVICE=host XCC_JIT_LIBRARY=/none.so %t 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: %not --crash env XCC_JIT_LIBRARY=/none.so %t 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: its code has to be generated here, and libxcc-jit.so.0 does not open (/none.so: {{.*}}); install xcc's code generator, libxcc-jit
// RUN: %not --crash env XCC_DEVICE=host XCC_JIT_LIBRARY=libm.so.6 %t 2>&1 | FileCheck %s --check-prefix=FOREIGN
// FOREIGN: (libm.so.6: it is of another version of xcc)
// RUN: %not --crash env XCC_DEVICE=host XCC_JIT=never %t 2>&1 | FileCheck %s --check-prefix=NEVER
// NEVER: kernel '{{.*}}' has no image that device {{.*}} can run; the program holds generic:x86_64, generic:nvptx64, generic:amdgcn
// RUN: %not --crash env XCC_JIT=sometimes %t 2>&1 | FileCheck %s --check-prefix=SETTING
// SETTING: XCC_JIT=sometimes: expected auto, adaptive, always or never

// In steps, and a target alone.
// RUN: %xcc %headers -std=c++20 -O2 -offload-arch=generic:x86_64 -c %s -o %t.o
// RUN: %xcc %t.o -o %t-steps && env XCC_LOG=load %t-steps 2>&1 | FileCheck %s --check-prefix=GENERATED
// RUN: %xcc-info %t-steps | FileCheck %s --check-prefix=ALONE
// ALONE: 1 image
// ALONE-NEXT: generic:x86_64
// RUN: %xcc -### -offload-arch=sm_90,generic %s 2>&1 | FileCheck %s --check-prefix=PLAN
// PLAN: "xcc-device-link" "-arch" "sm_90"
// PLAN: "xcc-device-link" "-arch" "generic:x86_64"
// PLAN: "xcc-device-link" "-arch" "generic:nvptx64"
// PLAN: "xcc-device-link" "-arch" "generic:amdgcn"
// RUN: %xcc -print-offload-archs | FileCheck %s --check-prefix=ARCHS
// ARCHS: generic
// ARCHS: generic:amdgcn

// What it is made of can be had, but no assembly.
// RUN: %xcc %headers -std=c++20 -O2 -offload-arch=generic:x86_64 -foffload-device-only -S -emit-llvm %s -o - | FileCheck %s --check-prefix=IR
// IR: "xcc.cpu_kernel"
// IR-NOT: target-cpu"="x86-64-v3"
// RUN: %not %xcc -std=c++20 -offload-arch=generic:x86_64 -foffload-device-only -S %s -o - 2>&1 | FileCheck %s --check-prefix=ASSEMBLY
// ASSEMBLY: error: {{.*}}a portable image has no assembly; -S needs another arch, or -emit-llvm

// What no device could run is an error when the program is built.
// RUN: %not %xcc %headers -std=c++20 -O2 -DLACKS -offload-arch=generic %s -o %t-lacks 2>&1 | FileCheck %s --check-prefix=LACKS
// LACKS-DAG: device code uses 'nowhere()', which nothing in this link defines for a device
#include <atomic>
#include <cstdio>
#include <xcc/xcc.h>

int nowhere();

int main() {
  xcc::buffer<int> sum(1);
  int zero = 0;
  sum.copy_from(&zero, 1);
  int *to = sum.data();
  xcc::parallel_for(100, [=](std::size_t i) {
#ifdef LACKS
    i = std::size_t(nowhere());
#endif
    std::atomic_ref(*to).fetch_add(int(i));
  });
  sum.copy_to(&zero, 1);
  std::printf("sum %d\n", zero);
}
