// A program with more rights than its user reads no variable, and says nothing of names that are nearly one.
// REQUIRES: root
// RUN: %xcc %s -o %t
// RUN: env XCC_PROFIL=1 %t anyhow 2>&1 | %FileCheck %s --check-prefix=SAID
// RUN: %python -c "import os, sys; os.chown(sys.argv[1], 65534, 65534); os.chmod(sys.argv[1], 0o6755)" %t
// RUN: env XCC_PROFIL=1 XCC_HELP=1 %t 2>&1 | %FileCheck %s --implicit-check-not=XCC_
// SAID: XCC_PROFIL is set
// CHECK: done
#include <cstdio>
#include <sys/auxv.h>
#include <xcc/xcc.h>

void nothing() {}

int main(int count, char **) {
  // File systems and containers may grant no such rights: nothing to see there.
  if (count > 1 || getauxval(AT_SECURE)) {
    xcc::launch({{1}, {1}}, nothing);
    xcc::synchronize();
  }
  puts("done");
}
