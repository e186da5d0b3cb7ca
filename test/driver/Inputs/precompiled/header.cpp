#include <cstdio>
#include <xcc/xcc.h>
import "plain.h";
int main() {
  static int n = 1;
  n = twice(n);
  xcc::launch({{1}, {1}}, [](int *p) { *p = thrice(*p) + 1; }, &n);
  xcc::synchronize();
  std::printf("%d\n", n);
}
