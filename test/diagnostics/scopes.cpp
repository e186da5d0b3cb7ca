// What an xcc::map is given is looked at where it is given.
// RUN: %xcc -std=c++20 -fsyntax-only %s 2>&1 | count 0
// RUN: %not %xcc -std=c++20 -fsyntax-only -ferror-limit=0 -offload-arch=host,gfx90a %s 2>&1 | %FileCheck %s
// RUN: %not %xcc -std=c++20 -fsyntax-only -DCONSTANT %s 2>&1 | %FileCheck %s --check-prefix=CONSTANT
#include <xcc/xcc.h>

#include <future>
#include <functional>
#include <future>
#include <span>
#include <vector>

struct job {
  std::vector<int> items;
  std::function<void()> done;
};
template <class T> void hold(T &object) {
  xcc::map scope(object); // see below
}

void scopes(std::future<float> &queue, std::vector<job> &jobs,
            std::vector<int> &fine, const std::vector<float> &constant,
            int *plain) {
  // CHECK: scopes.cpp:[[#@LINE+1]]:24: error: 'queue' of type 'std::future<float>' cannot be mapped to a device with memory of its own: nothing says what memory belongs to it
  xcc::map first(fine, queue, constant);
  // CHECK: scopes.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: 'jobs' -> element -> member 'done' of type 'std::function<void ()>' cannot be mapped
  xcc::map second(xcc::in(jobs), std::span(fine), *plain);
  std::shared_future<char> list;
  hold(list);
#ifdef CONSTANT
  // CONSTANT: scopes.cpp:[[#@LINE+1]]:23: error: kernels cannot write a const object
  xcc::map third(xcc::out(constant));
#endif
}
// CHECK: scopes.cpp:18:18: error: 'object' of type 'std::shared_future<char>' cannot be mapped
// CHECK: 3 errors generated.
