// Code objects are of version 6, or of 5 where it is asked for, and are ELF files
// that LLVM's tools read and link.
// RUN: %object -offload-arch=gfx90a %s -o %t6.co && llvm-readelf -hl --notes %t6.co | FileCheck --check-prefixes=CHECK,V6 %s
// RUN: %object -offload-arch=gfx90a -mcode-object-version=6 %s -o %t.co && cmp %t.co %t6.co
// RUN: %object -offload-arch=gfx90a -mcode-object-version=5 %s -o %t5.co && llvm-readelf -hl --notes %t5.co | FileCheck --check-prefixes=CHECK,V5 %s
// RUN: llvm-objdump -d %t6.co | FileCheck --check-prefix=CODE %s
// RUN: %amdgcn -offload-arch=gfx90a %s -o %t.s
// RUN: %clang --target=amdgcn-amd-amdhsa -mcpu=gfx90a -c %t.s -o %t.o && ld.lld -shared %t.o -o %t.so
// RUN: llvm-readelf --notes %t.so | FileCheck --check-prefix=NOTE %s
// RUN: %not %xcc -c -offload-arch=gfx90a -mcode-object-version=4 %s -o %t.bad 2>&1 | FileCheck --check-prefix=V4 %s
// RUN: %not %object -offload-arch=gfx11-generic -mcode-object-version=5 %s -o %t.bad 2>&1 | FileCheck --check-prefix=GENERIC5 %s
// RUN: test ! -e %t.bad
#include <xcc/xcc.h>
void kernel(float *p) { *p += 3; }
void start(float *p) { xcc::launch({{1}, {1}}, kernel, p); }
// CHECK: OS/ABI: AMDGPU - HSA
// V6: ABI Version: 4{{$}}
// V5: ABI Version: 3{{$}}
// CHECK: Type: DYN
// CHECK: Machine: EM_AMDGPU
// CHECK: Flags: {{.*}}gfx90a
// CHECK-NOT: RWE
// CHECK: amdhsa.version:
// CHECK-NEXT: - 1
// CHECK-NEXT: - 2
// CODE: global_store_dword
// CODE: s_endpgm
// NOTE: .name: {{.*}}6kernel
// V4: xcc: error: -mcode-object-version=4: xcc's runtime loads versions 5 and 6
// GENERIC5: xcc: error: the generic target gfx11-generic needs code object version 6; remove -mcode-object-version=5
