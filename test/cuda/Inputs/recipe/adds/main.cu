#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include "kernel.h"

int main(int argc, char *argv[]) {
  if (argc != 2) {
    printf("Usage: %s <elements>\n", argv[0]);
    return 1;
  }
  const int n = atoi(argv[1]);
  int *values = (int *)malloc(n * sizeof(int)), *sums, *d;
  for (int i = 0; i < n; i++)
    values[i] = i;
  cudaMalloc((void **)&d, n * sizeof(int));
  cudaMalloc((void **)&sums, n * sizeof(int));
  cudaMemset(sums, 0, n * sizeof(int));
  cudaMemcpy(d, values, n * sizeof(int), cudaMemcpyHostToDevice);
  add<<<(n + 255) / 256, 256>>>(sums, d, n);
  add<int><<<dim3((n + 255) / 256), dim3(256)>>>(sums, d, n);
  cudaMemcpy(values, sums, n * sizeof(int), cudaMemcpyDeviceToHost);
  bool ok = true;
  for (int i = 0; i < n; i++)
    ok = ok && values[i] == 2 * i;
  printf("%s\n", ok ? "PASS" : "FAIL");
  return 0;
}
