// Host code that calls the library.
#include <cstdio>

extern "C" void run_add(int *p, int n);

int main() {
  int a[4] = {1, 2, 3, 4};
  run_add(a, 4);
  std::printf("result: %d %d %d %d\n", a[0], a[1], a[2], a[3]);
}
