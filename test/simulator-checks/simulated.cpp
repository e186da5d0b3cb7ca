// XCC_DEVICE=sim:ARCH: the devices that a program gets, one or several, and what
// is said where there can be none.
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %xcc -O1 -offload-arch=sm_90,gfx1100 %s -o %t
// RUN: env XCC_DEVICE=sim:sm_90 %t | FileCheck %s --check-prefix=NVIDIA
// NVIDIA: 0: sim:sm_90 cuda sm_90 Simulated sm_90, 42
// NVIDIA-NEXT: 1: host host
// RUN: env XCC_DEVICE=sim:gfx1100 %t | FileCheck %s --check-prefix=AMD
// AMD: 0: sim:gfx1100 hsa gfx1100 Simulated gfx1100, 42
//
// The first that is named is current.
// RUN: env XCC_DEVICE=sim:gfx1100,sm_90,sm_100 %t | FileCheck %s --check-prefix=SEVERAL
// SEVERAL: 0: sim:sm_90 cuda
// SEVERAL-NEXT: 1: sim:sm_100 cuda sm_100 Simulated sm_100
// SEVERAL-NEXT: 2: sim:gfx1100 hsa gfx1100 Simulated gfx1100, 42
// SEVERAL-NEXT: 3: host
// RUN: env XCC_DEVICE=sim:all %t | FileCheck %s --check-prefix=ALL
// ALL: 0: sim:sm_90 {{.*}}, 42
// ALL-NEXT: 1: sim:gfx1100
//
// RUN: not --crash env XCC_DEVICE=sim:sm_91 %t 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: XCC_DEVICE=sim:sm_91: {{.*}}it does not know sm_91; it simulates sm_70,
// RUN: not --crash env XCC_DEVICE=sim:cpu %t 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: XCC_DEVICE=sim:cpu: 'cpu' is no GPU's arch; write one such as sim:sm_90
// RUN: not --crash env XCC_DEVICE=sim:sm_90 XCC_SIMULATORS=%S %t 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: the simulator of CUDA devices cannot be opened ({{.*}}); install xcc's simulators, or name the folder
//
// Cubins are for GPUs alone; portable code is generated for the simulated one.
// RUN: %if ptxas %{ %xcc -O1 -offload-arch=host,sm_90 -foffload-ptx=none %s -o %t.cubin %}
// RUN: %if ptxas %{ not --crash env XCC_DEVICE=sim:sm_90 %t.cubin 2>&1 | FileCheck %s --check-prefix=CUBIN %}
// CUBIN: sm_90 (needs PTX on a simulator: compile with -foffload-ptx=all)
// RUN: %xcc -O1 -offload-arch=host %s -o %t.host
// RUN: not --crash env XCC_DEVICE=sim:gfx1100 %t.host 2>&1 | FileCheck %s --check-prefix=CODE
// CODE: XCC_DEVICE=sim:gfx1100: the program has no code for AMD (HSA) devices; compile it with --offload-arch=gfx1100
// RUN: %xcc -O1 -offload-arch=generic %s -o %t.generic
// RUN: env XCC_CACHE_SIZE=0 XCC_DEVICE=sim:all %t.generic | FileCheck %s --check-prefix=PORTABLE
// PORTABLE: 0: sim:sm_90 {{.*}}, 42
// PORTABLE-NEXT: 1: sim:gfx1100
//
// A program without kernels uses the devices that are named. It does not know where the compiler is.
// RUN: %xcc -O1 -DCOPIES -offload-arch=sm_90 %s -o %t.copies
// RUN: env XCC_SIMULATORS=%build/lib XCC_DEVICE=sim:gfx1100,sm_90 %t.copies | FileCheck %s --check-prefix=COPIES
// COPIES: 0: sim:sm_90 cuda
// COPIES-NEXT: 1: sim:gfx1100 hsa gfx1100 Simulated gfx1100, 42
// RUN: not --crash env XCC_DEVICE=sim:all %t.copies 2>&1 | FileCheck %s --check-prefix=NO-KERNELS
// NO-KERNELS: XCC_DEVICE=sim:all: the program has no kernels, {{.*}}; name archs, as in sim:sm_90,gfx1100
// RUN: not --crash env XCC_DEVICE=sim:sm_90 XCC_SIMULATORS=%S %t.copies 2>&1 | FileCheck %s --check-prefix=MISSING
//
// RUN: %xcc-info --devices | FileCheck %s --check-prefix=LISTED
// LISTED: simulated cuda: XCC_DEVICE=sim:ARCH, ARCH one of
// LISTED-NEXT: sm_70, sm_72
// LISTED-NEXT: simulated hsa:
// LISTED-NEXT: gfx906

#include <cstdio>
#include <xcc/xcc.h>

int main() {
  int answer = 0;
#ifdef COPIES
  const int wanted = 42;
  xcc::buffer<int> there(1);
  there.copy_from(&wanted, 1);
  there.copy_to(&answer, 1);
#else
  xcc::parallel_for(1, [&](std::size_t) { answer = 42; });
  xcc::synchronize();
#endif
  for (int i = 0; i != xcc::device::count(); ++i) {
    xcc::device d = xcc::device::get(i);
    std::printf("%d: %s %s %s %s", i, d.id(), d.kind(), d.arch(), d.name());
    if (i == xcc::device::current().ordinal())
      std::printf(", %d", answer);
    std::puts("");
  }
}
