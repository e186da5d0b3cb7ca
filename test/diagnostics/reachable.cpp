// What a device cannot run is an error where it stands, with the chain of
// calls from the launch to it.
// RUN: not %xcc -offload-arch=gfx90a -fsyntax-only %s 2>&1 | FileCheck %s
#include <csetjmp>
#include <cstdio>
#include <vector>
#include <xcc/xcc.h>

thread_local int per_thread;
jmp_buf buffer;
int dynamic = std::puts("hi") + setjmp(buffer);
std::vector<int> vector{int(xcc::device::count())};
extern int elsewhere; // another file's, perhaps
static int undefined(int);

int deep(int i) { return per_thread + i; }
template <class T> T middle(T i) { return deep(i) + 1; }
void k1(int *p) { *p = middle(3); }
// CHECK-DAG: :16:26: error: device code uses the thread_local variable 'per_thread'
// CHECK-DAG: :9:18: note: declared here; a local variable is already one per device thread
// CHECK-DAG: :17:43: note: 'deep' is called by 'middle<int>' here
// CHECK-DAG: :18:24: note: 'middle<int>' is called by 'k1' here
// CHECK-DAG: :53:3: note: in kernel 'k1', which is launched here

void k2(int *p) { *p = dynamic; }
// CHECK-DAG: :11:33: error: setjmp and longjmp cannot run on a device
// CHECK-DAG: :[[#@LINE-2]]:24: note: 'dynamic', whose initialiser runs on the device too, is used by 'k2' here

void k3(int *p) { *p = vector.size(); }
// CHECK-DAG: :12:29: error: device code cannot use the host's runtime
// CHECK-DAG: :[[#@LINE-2]]:24: note: 'vector', whose initialiser runs on the device too, is used by 'k3' here

void k4(int *p) { *p = elsewhere; }

void k5(int *p) { *p = undefined(1); }
// CHECK-DAG: :[[#@LINE-1]]:24: error: device code calls 'undefined', which is not defined in this translation unit
// CHECK-DAG: :14:12: note: declared here

void k6(int *p) { xcc::block_shared<int[3]> s; *p = s[0]; }
// CHECK-DAG: :[[#@LINE-1]]:45: error: a block_shared variable must be static

void k7(int *p) { jmp_buf b; *p = setjmp(b); }
// CHECK-DAG: :[[#@LINE-1]]:35: error: setjmp and longjmp cannot run on a device

void k8(int *p) { xcc::launch({{1}, {1}}, k2, p); }
// CHECK-DAG: :[[#@LINE-1]]:19: error: a kernel cannot launch a kernel

void k9(int *p) { xcc::synchronize(); }
// CHECK-DAG: :[[#@LINE-1]]:19: error: device code cannot use the host's runtime

int main() {
  int x, *p = &x;
  xcc::launch({{1}, {1}}, k1, p);
  xcc::launch({{1}, {1}}, k2, p);
  xcc::launch({{1}, {1}}, k3, p);
  xcc::launch({{1}, {1}}, k4, p);
  xcc::launch({{1}, {1}}, k5, p);
  xcc::launch({{1}, {1}}, k6, p);
  xcc::launch({{1}, {1}}, k7, p);
  xcc::launch({{1}, {1}}, k8, p);
  xcc::launch({{1}, {1}}, k9, p);
}
struct owner {
  int v;
  owner(const int &v) : v(v) {}
  ~owner() {}
};
void k10(int *p) { delete[] (*p ? new owner[1]{{3}} : nullptr); }
// CHECK-DAG: :[[#@LINE-1]]:35: error: this GPU's code cannot throw this, or make an object of members with destructors or an array of such objects, in a part of an expression that is evaluated conditionally; write an if statement instead
void last(int *p) { xcc::launch({{1}, {1}}, k10, p); }
// CHECK-DAG: 9 errors generated.
