// What is wrong with a call of xcc::visit_members is said with the member for
// which it is wrong, and with where the call is.
// RUN: %not %xcc -std=c++20 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not %xcc -std=c++20 -DENDLESS -c %s -o %t.o 2>&1 \
// RUN:   | %FileCheck %s --check-prefix ENDLESS
#include <xcc/xcc.h>

struct Pair {
  int a;
  double *b;
};
struct Never;

#ifndef ENDLESS
void takesInt(Pair &pair) {
  xcc::visit_members(pair, [](xcc::member, int &value) { value = 0; });
  // CHECK: error: no matching function for call to object of type '(lambda
  // CHECK: visit-errors.cpp:[[@LINE-2]]:{{.*}}: note: in instantiation of {{.*}}'xcc::visit_members<Pair, (lambda
  // CHECK: note: candidate function not viable: no known conversion from 'double *' to 'int &'
  // CHECK: visit-errors.cpp:10:{{.*}}: note: the visitor is called here for 'b'
}
void body(Pair &pair) {
  xcc::visit_members(pair, [](xcc::member, auto &value) { *value = 0; });
  // CHECK: visit-errors.cpp:[[@LINE-1]]:{{.*}}: error: indirection requires pointer operand ('int' invalid)
  // CHECK: note: in instantiation of {{.*}}'xcc::visit_members<Pair, (lambda
}
template <class T> void generic(T &object) {
  xcc::visit_members(object, [](xcc::member, auto &) {});
  // CHECK: visit-errors.cpp:[[@LINE-1]]:{{.*}}: error: xcc::visit_members shows the members of a class's object, and 'int' is no class
  // CHECK: visit-errors.cpp:[[@LINE+2]]:{{.*}}: note: in instantiation of {{.*}}'generic<int>' requested here
}
void ofInt(int &i) { generic(i); }
template <class T> bool asks() { return xcc::holds_addresses<T>(); }
// CHECK: error: the type 'Never' is incomplete here, so it is not known whether it holds addresses
// CHECK: visit-errors.cpp:[[@LINE-2]]:{{.*}}: note: in instantiation of {{.*}}'xcc::holds_addresses<Never>' requested here
// CHECK: visit-errors.cpp:[[@LINE+1]]:{{.*}}: note: in instantiation of {{.*}}'asks<Never>' requested here
bool asked = asks<Never>();
// Said at the end, until when the class may be defined.
void ofNever(Never &never) {
  xcc::visit_members(never, [](xcc::member, auto &) {});
  // CHECK: visit-errors.cpp:[[@LINE-1]]:{{.*}}: error: xcc::visit_members is used for 'Never', which is never defined
}
#else
template <int N> struct More {
  int value;
  template <class T> void operator()(xcc::member, T &) const {
    More<N + 1> more{};
    xcc::visit_members(more, More<N + 1>());
  }
};
void endless(Pair &pair) { xcc::visit_members(pair, More<0>{}); }
// ENDLESS: fatal error: recursive template instantiation exceeded maximum depth of 1024
// ENDLESS: note: in instantiation of {{.*}}'More<0>::operator()<int>' requested here
#endif
