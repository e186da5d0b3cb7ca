// Every form of diagnostics that Clang has; several passes make one document.
// RUN: not %xcc -DKERNEL=int -Wall -fdiagnostics-format=sarif -fsyntax-only %s 2> %t.sarif
// RUN: %python %S/Inputs/sarif.py %t.sarif | FileCheck %s
// CHECK: warning: unused variable 'unused'
// CHECK-NEXT: error: a kernel must return void, and 'kernel' returns 'int'
// CHECK-NOT: unused
// RUN: %xcc -fdiagnostics-format=sarif -Wall -c %s -o %t.o 2> %t.sarif
// RUN: %python %S/Inputs/sarif.py %t.sarif | FileCheck %s --check-prefix=PLAIN
// PLAIN: warning: unused variable 'unused'
// RUN: %xcc -fdiagnostics-format=msvc -Wall -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=MSVC
// MSVC: ({{[0-9]+,[0-9]+}}): warning: unused variable
// RUN: %xcc -fdiagnostics-format=vi -Wall -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=VI
// VI: +{{[0-9]+:[0-9]+}}: warning: unused variable
// Nothing but the user's lines, with every warning there is, and each once.
// RUN: %xcc -DKERNEL=void -Weverything -Wno-c++98-compat --offload-arch=host,sm_90,gfx90a -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=ALL --implicit-check-not=warning:
// RUN: %xcc -DKERNEL=void -Weverything -w --offload-arch=host,sm_90 -c %s -o %t.o 2>&1 | count 0
// RUN: not %xcc -DKERNEL=void -Wall -Werror -fcolor-diagnostics -fno-caret-diagnostics --offload-arch=host,sm_90 -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=COLOR
// ALL-DAG: warning: no previous prototype for function 'kernel'
// ALL-DAG: warning: unused variable 'unused'
// ALL: 2 warnings generated
// COLOR: error: {{.*}}unused variable 'unused' [-Werror,-Wunused-variable]
// COLOR-NEXT: 1 error generated
// RUN: %xcc -g -gmodules -c %s -o %t.o
// RUN: %xcc -DKERNEL=void -g -gmodules -O2 %s -o %t && %t
#ifdef KERNEL
#include <xcc/xcc.h>
KERNEL kernel(int) { return KERNEL(); }
#endif
int main() {
  int unused;
#ifdef KERNEL
  xcc::launch({{1}, {1}}, kernel, 1);
#endif
}
