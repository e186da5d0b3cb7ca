// Compiled by a compiler that knows nothing of devices.
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
