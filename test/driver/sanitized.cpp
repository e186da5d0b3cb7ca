// Programs with sanitizers run and end, with kernels that have them too; the library has not.
// RUN: %xcc -std=c++17 -fsanitize=thread %s -o %t && env TSAN_OPTIONS=report_bugs=0 %t
// RUN: %xcc -std=c++17 -fsanitize=address,undefined %s -o %t && %t
#include <xcc/xcc.h>

int main() {
  xcc::buffer<int> b(64);
  xcc::launch({{2}, {32}}, [p = b.data()] { p[xcc::global_id()] = 3; });
  xcc::synchronize();
  int host[64];
  b.copy_to(host, 64);
  return host[0] != 3 || host[63] != 3;
}
