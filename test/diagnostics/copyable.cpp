// Arguments and captures are copied bit by bit; what cannot be is refused.
// RUN: not %xcc -fsyntax-only %s 2>&1 | FileCheck %s
#include <xcc/xcc.h>
#include <string>
#include <tuple>
#include <vector>

void by_value(std::string text) {}
void fine(std::tuple<int, float> t, std::pair<int, int> p) {}

int main() {
  std::vector<float> v;
  // CHECK: :[[#@LINE+1]]:27: error: parameter 'text' of type 'std::string' cannot be copied to a device: the type has a non-trivial destructor
  xcc::launch({{1}, {1}}, by_value, "a");
  // CHECK: :8:27: note: declared here; pass a pointer or std::span to its elements
  // CHECK: :[[#@LINE+1]]:27: error: capture 'v' of type 'std::vector<float>' cannot be copied to a device
  xcc::launch({{1}, {1}}, [=] { (void)v.size(); });
  // CHECK: :[[#@LINE+1]]:24: error: capture 'v' of type 'std::vector<float>' cannot be copied to a device
  xcc::parallel_for(3, [=](std::size_t) { (void)v.size(); });
  xcc::launch({{1}, {1}}, fine, std::tuple<int, float>{}, std::pair<int, int>{});
  std::tuple<int, float> captured;
  xcc::launch({{1}, {1}}, [=] { (void)std::get<0>(captured); });
}
// CHECK: 3 errors generated.
