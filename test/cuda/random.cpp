// cuRAND's generators: the numbers that cuRAND makes for seeds, subsequences and offsets, and skips of them.
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
#include <cstdio>
#include <xcc/cuda.h>
#include <xcc/cuda/random.h>

struct numbers {
  unsigned bits[7];
  float uniform, normal[2];
  double uniform_double, normal_double;
};

template <class State>
__global__ void draw(numbers *out, unsigned long long seed) {
  const unsigned long long subsequences[] = {0, 7, 123456789},
                           offsets[] = {0, 6, 1ull << 40};
  numbers &mine = out[threadIdx.x];
  State state;
  curand_init(seed, subsequences[threadIdx.x], offsets[threadIdx.x], &state);
  for (int i = 0; i < 5; ++i)
    mine.bits[i] = curand(&state);
  mine.uniform = curand_uniform(&state);
  mine.normal[0] = curand_normal(&state);
  mine.normal[1] = curand_normal(&state);
  mine.uniform_double = curand_uniform_double(&state);
  mine.normal_double = curand_normal_double(&state);
  skipahead(1000003, &state);
  mine.bits[5] = curand(&state);
  skipahead_sequence(5, &state);
  mine.bits[6] = curand(&state);
}

template <class State> void show(unsigned long long seed) {
  numbers *out;
  cudaMallocManaged(&out, 3 * sizeof(numbers));
  xcc::cuda::launch(draw<State>, 1, 3)(out, seed);
  cudaDeviceSynchronize();
  for (int row = 0; row < 3; ++row) {
    for (unsigned value : out[row].bits)
      printf("%08x ", value);
    printf("%a %.3f %.3f %a %.4f\n", out[row].uniform, out[row].normal[0],
           out[row].normal[1], out[row].uniform_double, out[row].normal_double);
  }
  cudaFree(out);
}

int main() {
  show<curandState>(1234);
  show<curandStateMRG32k3a_t>(0);
  show<curandStateMRG32k3a_t>(0xdeadbeef12345678);
  show<curandStatePhilox4_32_10_t>(0xdeadbeef12345678);
}
// CHECK: 253d5e15 6f558604 dee6daf2 7485b394 db6a6a85 4e5614c3 610babd2 0x1.2a32b8p-1 -1.743 0.410 0x1.77970dbfecdabp-2 -0.8530
// CHECK: 360b2b5f 72bd0fd9 570419ab c7e2f8d7 6f66e388 1fcd903a c7eb7601 0x1.d498e2p-4 0.522 -0.082 0x1.c2f4174e1d59ap-1 -1.0163
// CHECK: 627d1f33 ddca491b 930c5eb0 295b00fc c0ab8697 85fbb207 85b63239 0x1.59dd6p-2 2.177 0.071 0x1.bd540a2a1a046p-1 -1.7209
// CHECK: 2083cd07 518b05c4 4f26d091 d36ab334 38bcbcf8 9eabe72f 94f2e8e4 0x1.111934p-1 0.954 -0.745 0x1.1681177b5f643p-3 -0.3420
// CHECK: fa44b06a c5cdc1f8 d559422b d8c8413c 1bfe8f37 6988d014 1c353831 0x1.092a92p-1 0.230 0.602 0x1.57987cd4837dfp-2 -0.3963
// CHECK: c47ff70e c6b9c005 e9eb9f8b bb822071 822ae2e4 36f1e756 95441580 0x1.c6c0eep-1 -1.447 0.849 0x1.b3b73ac7b897p-1 -0.8849
// CHECK: ffa0a53f 88717a41 ed5838c9 fec27da5 038f9e64 ff16db0b 070c31fd 0x1.adb5d2p-1 0.415 -0.410 0x1.ea87c7c678da2p-1 -0.6137
// CHECK: 4a0396e4 c394df64 6ed30f3f c029a5d9 c8d0591e 235c75aa 347a7fcc 0x1.4781fcp-2 -1.972 0.493 0x1.3c48221236e3dp-2 -0.3842
// CHECK: 095025ee d30f74ee 0d344d68 44c3f640 0cbedf0a 2d1ee02e 2a56b9e1 0x1.5dfcf6p-1 -0.312 -1.241 0x1.6db337f28f50bp-2 0.7303
// CHECK: f3563715 9e820925 0f3b1b5e 856633cd 1a5d017b 0035fdc4 8d0bc256 0x1.49bc7ap-1 -0.625 0.753 0x1.9640f78ep-1 1.1513
// CHECK: cbdce4f2 a2297f72 c215dd50 c1a2ddc9 b1374f1a 57fa4d5c a355e481 0x1.ce3e82p-1 0.889 -1.704 0x1.2ee3baep-4 0.2281
// CHECK: a48a17d5 a8a716f1 32fc1a55 d94d456e 9df33dd9 cf05c514 e4c391db 0x1.fb6b18p-1 -0.505 -0.358 0x1.89d0692p-1 -0.4770
