// What xcc::symbol cannot name, and what warnings of global variables say to write
// instead.
// RUN: not %xcc -fsyntax-only %s 2>&1 | FileCheck %s --implicit-check-not="the device's own 'counter'"
#include <xcc/xcc.h>

int counter, plain, table[4];
thread_local int own;
template <class T> auto passed(T &variable) { return xcc::symbol(variable); }
// CHECK-DAG: :[[#@LINE-1]]:66: error: xcc::symbol needs the name of a global or static variable, which each device has one of
// CHECK-DAG: :[[#@LINE-2]]:66: note: name the whole variable; a function that is given one takes it as a template parameter

void kernel() {
  ++counter;
  ++plain;
}
// CHECK-DAG: :[[#@LINE-2]]:5: warning: a kernel writes the device's copy of 'plain'

int main() {
  int local = 0;
  xcc::launch({1, 1}, kernel);
  xcc::symbol(counter).to_host();
  passed(counter);
  xcc::symbol(local);
  // CHECK-DAG: :[[#@LINE-1]]:15: error: xcc::symbol needs the name of a global or static variable
  xcc::symbol(own);
  // CHECK-DAG: :[[#@LINE-1]]:15: error: xcc::symbol needs the name of a global or static variable
  xcc::symbol(table[1]);
  // CHECK-DAG: :[[#@LINE-1]]:15: error: xcc::symbol needs the name of a global or static variable
  return counter + plain;
  // CHECK-DAG: :[[#@LINE-1]]:20: note: the host uses its own here; copy the device's with xcc::symbol(plain), declare an xcc::shared_global for both, or pass the address of memory that both can access
}
