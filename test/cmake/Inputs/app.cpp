#include <cstdio>
#include <xcc/xcc.h>
void high(int *p);
extern "C" int from_c(void);
static void kernel(int *p) { *p += 100; }
int main() {
  int a = from_c();
  high(&a);
  xcc::launch({{1}, {1}}, kernel, &a);
  xcc::synchronize();
  std::printf("app: %d\n", a);
}
