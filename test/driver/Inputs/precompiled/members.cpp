#include <cstdio>
#include <xcc/xcc.h>
import members;
void kernel(int *out) {
  counter c;
  counter::inner i;
  out[0] = c.add(2);
  out[1] = counter::twice(4);
  out[2] = c.sum(1);
  out[3] = i.get();
  out[4] = hundred(c);
  out[5] = nine();
}
int main() {
  int out[6];
  xcc::launch({1, 1}, kernel, out);
  xcc::synchronize();
  for (int x : out)
    std::printf("%d ", x);
}
