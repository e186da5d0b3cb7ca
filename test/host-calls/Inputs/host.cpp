// Compiled by a compiler that knows nothing of devices.
#include <cstdarg>
#include <cstdio>
#include <cstring>
struct Opaque;
extern "C" double total(const double *values, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += values[i];
  return sum;
}
void scale(float *values, int n, float by) {
  for (int i = 0; i < n; ++i)
    values[i] *= by;
}
int text(const char *s) { return int(std::strlen(s)); }
bool handle(Opaque *nothing, int &count) {
  count *= 7;
  return !nothing;
}
int print(const char *format, ...) {
  va_list args;
  va_start(args, format);
  int n = std::vprintf(format, args);
  va_end(args);
  std::fflush(stdout);
  return n;
}
