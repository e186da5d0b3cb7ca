template <typename T> __global__ void add(T *sums, const T *values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    sums[i] += values[i];
}
