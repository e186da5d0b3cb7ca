// What one pass made of a source, another cannot use: kernels in preprocessed text,
// behind precompiled headers and modules, in ASTs and in another compiler's IR are errors.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %xcc -E -foffload-host-only %s -o a.ii
// RUN: not %xcc -c a.ii -o a.o 2>&1 | FileCheck %s
// RUN: test ! -e a.o
// CHECK: error: kernel 'kernel(int*)' cannot be compiled for a device: its launch comes from preprocessed text
// CHECK: note: compile the source file itself
// RUN: %xcc -emit-ast %s -o a.ast && not %xcc -c a.ast -o a.o 2>&1 | FileCheck %s
// RUN: %xcc -std=c++20 --precompile %S/Inputs/kernels.cppm -o m.pcm
// RUN: not %xcc -std=c++20 -c m.pcm -o a.o 2>&1 | FileCheck %s --check-prefix=MODULE
// MODULE: error: kernel 'kernel@m(int*)' cannot be compiled
// RUN: %clangxx -I%build/include -S -emit-llvm %s -o a.ll && not %xcc -c a.ll -o a.o 2>&1 | FileCheck %s
// RUN: test ! -e a.o

// For the host alone it is all there.
// RUN: %xcc -c -foffload-host-only a.ii -o a.o && llvm-objdump -t a.o | FileCheck %s --check-prefix=TABLE
// TABLE: __xcc_info_

// A program may import modules whose own files launch kernels; what it would
// have to compile itself is an error.
// RUN: %xcc -std=c++20 -fmodule-output=m.pcm -c %S/Inputs/kernels.cppm -o m.o
// RUN: %xcc -std=c++20 -fmodule-file=m=m.pcm %S/Inputs/imports.cpp m.o -o imports && ./imports
// RUN: not %xcc -std=c++20 -DINLINE -fmodule-file=m=m.pcm -c %S/Inputs/imports.cpp 2>&1 | FileCheck %s --check-prefix=INLINE
// INLINE: error: kernel '{{.*}}in_header{{.*}}lambda{{.*}}' cannot be compiled for a device

// RUN: not %xcc -c -Xclang -disable-llvm-passes %s -o a.o 2>&1 | FileCheck %s --check-prefix=PASSES
// PASSES: [[@LINE+4]]:20: error: a kernel's descriptor is written by a pass over LLVM's IR
// PASSES: note: -O0 optimises nothing
#include <xcc/xcc.h>
void kernel(int *p) { *p = 1; }
void run(int *p) { xcc::launch({{1}, {1}}, kernel, p); }
