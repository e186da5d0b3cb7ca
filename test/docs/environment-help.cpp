// XCC_HELP=1 lists the variables that a program reads, each name that the runtime asks for among them; a name that is
// nearly one of them is said, and so is a wrong value. Simulators have a list of their own.
// RUN: %xcc %s -o %t
// RUN: env XCC_HELP=1 %t 2>&1 | %FileCheck %s
// RUN: env XCC_PROFIL=1 XCC_SOMETHING_ELSE=1 XCC_HELP=yes %t 2>&1 | %FileCheck %s --check-prefix=SLIP
// RUN: env XCC_HELP=1 %t 2>&1 | grep -o '^XCC_[A-Z_]*' | sort -u > %t.listed
// RUN: grep -rohE '(getenv|setting|read)\("XCC_[A-Z_]+|{"XCC_[A-Z_]+|= {"XCC_[A-Z_]+|Setting [a-z]+\("XCC_[A-Z_]+' %S/../../host-runtime/src %S/../../host-runtime/program %S/../../formats --include=*.cpp --include=*.h > %t.found
// RUN: grep -oE 'XCC_[A-Z_]+' %t.found | grep -v XCC_SIM_ | sort -u > %t.read
// RUN: comm -13 %t.listed %t.read | count 0
// CHECK: XCC_DEVICE {{.*}} host, cuda
// CHECK: XCC_PROFILE {{.*}} FILE.json
// SLIP: XCC_HELP=yes: expected 1
// SLIP: XCC_PROFIL is set, and nothing reads it; did you mean XCC_PROFILE? (XCC_HELP=1 lists all)
// SLIP-NOT: XCC_SOMETHING_ELSE
#include <xcc/xcc.h>

void nothing() {}

int main() {
  xcc::launch({{1}, {1}}, nothing);
  xcc::synchronize();
}
