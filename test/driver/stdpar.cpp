// -foffload-stdpar puts xcc's form of <execution> before the library's.
// RUN: %xcc -### -foffload-stdpar -c %s 2>&1 | FileCheck --check-prefix=ON %s
// RUN: %xcc -### -fplugin-arg-xcc-offload-stdpar -c %s 2>&1 | FileCheck --check-prefix=ON %s
// RUN: %xcc -### -foffload-stdpar -fno-offload-stdpar -c %s 2>&1 | FileCheck --check-prefix=OFF %s
// RUN: not %xcc -foffload-stdpar=1 -c %s 2>&1 | FileCheck --check-prefix=BAD %s
// RUN: %xcc -std=c++17 -foffload-stdpar -fsyntax-only %s
// RUN: %xcc -std=c++17 -D_GLIBCXX_USE_TBB_PAR_BACKEND=0 -DPLAIN -fsyntax-only %s
// ON: xcc/stdpar/overlay
// OFF-NOT: stdpar/overlay
// BAD: error: unknown argument: '-foffload-stdpar=1'
#include <execution>
#if defined(XCC_STDPAR_FUNCTIONS_H) == defined(PLAIN)
#error "not the expected header"
#endif
#ifdef TBB_VERSION_MAJOR
#error "TBB is included"
#endif
