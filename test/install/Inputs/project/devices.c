#include <stdio.h>
#include <xcc/runtime.h>

int main(void) {
  int count = 0;
  xcc_device_properties first;
  if (xcc_device_count(&count) || xcc_device_get_properties(0, &first)) {
    fprintf(stderr, "%s\n", xcc_error_last());
    return 1;
  }
  printf("%d devices, the first is %s\n", count, first.kind);
}
