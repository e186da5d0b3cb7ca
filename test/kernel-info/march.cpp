// Types that depend on what -march= chose are the same for GPUs.
// RUN: %xcc -c %s -march=haswell -offload-arch=sm_70,gfx90a,host -o %t.o
// RUN: %xcc -c %s -mavx512f -offload-arch=sm_70,gfx90a,host -o %t.o
// RUN: %xcc -c %s -offload-arch=sm_70,gfx90a,host -o %t.o
#include <xcc/xcc.h>

#if defined(__AVX512F__)
struct alignas(64) pack { float v[16]; };
#elif defined(__AVX2__) && defined(__FMA__)
struct alignas(32) pack { float v[8]; };
#else
struct alignas(16) pack { float v[4]; };
#endif
void kernel(pack value, float *to) { *to = value.v[0]; }
void run(float *to) { xcc::launch({{1}, {1}}, kernel, pack{}, to); }
