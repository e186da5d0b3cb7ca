// A variable that only functions of the host use is no kernel's, also when a kernel
// calls these on the host.
// RUN: %xcc -std=c++20 -Werror -fsyntax-only %s
// RUN: not %xcc -std=c++20 -Werror -fsyntax-only -DPLAIN %s 2>&1 | FileCheck %s
// CHECK: error: a kernel writes the device's own 'calls'
#include <map>
#include <xcc/xcc.h>

static std::map<int, int> votes;
static int calls;
XCC_HOST int vote(int v) { return ++votes[v]; }
static void count(int n) { calls += n; }
void kernel() {
  vote(1);
  xcc::host_call(count, 2);
  xcc::host_call([] { ++calls; });
#ifdef PLAIN
  count(3);
#endif
}
int main() {
  xcc::launch({{1}, {1}}, kernel);
  xcc::synchronize();
  return calls + int(votes.size());
}
