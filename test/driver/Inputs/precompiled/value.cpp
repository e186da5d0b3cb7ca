// What the host and the device take value() for.
#include <cstdio>

int main() {
#ifdef SAYS
#warning said once
#endif
  int device = 0, *out = &device;
  xcc::launch({{1}, {1}}, [out] { *out = value(); });
  xcc::synchronize();
  std::printf("host %d, device %d\n", value(), device);
}
