// What cannot be called on the host soundly is refused, and why.
// RUN: not %xcc -std=c++20 -foffload-host-calls \
// RUN:   -offload-arch=gfx90a,host %s -o %t 2>&1 | FileCheck %s
//
// Where the memory is shared, addresses are as good there.
// RUN: not %xcc -std=c++20 -foffload-host-calls %s -o %t 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SHARED
// SHARED-NOT: points to
// SHARED: parameter 'callback' is a callback
// SHARED-NOT: address of host memory
#include <xcc/xcc.h>

struct Node {
  int value;
  Node *next;
};
// CHECK-DAG: note: it cannot become a call of the host by itself: parameter 'first' points to the pointer 'next', and what that points to would not be copied
void list(const Node *first);
// CHECK-DAG: note: {{.*}}: parameter 'callback' is a callback, which the host cannot call
void sort(int (*callback)(int));
// CHECK-DAG: note: {{.*}}: it returns an address of host memory
const char *name(int);
// CHECK-DAG: note: {{.*}}: parameter 'texts' points to a pointer
void all(const char **texts);
// CHECK-DAG: note: {{.*}}: it is variadic, and not called by its name
void print(const char *format, ...);

static void kernel() {
  list(nullptr);
  sort(nullptr);
  name(1);
  all(nullptr);
  void (*pointer)(const char *, ...) = print;
  pointer("");
}
int main() { xcc::launch({1, 1}, kernel); }
