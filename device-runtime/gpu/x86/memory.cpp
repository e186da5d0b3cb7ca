// x86's instructions on memory: masked loads, gathers, fences, caches
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements that a mask excludes are not accessed in memory.

#include "vectors.h"

namespace {

template <class V, class M>
[[gnu::always_inline]] inline V load(const void *from, M mask) {
  return each<V>([&](int i) {
    return mask[i] < 0 ? ((const Element<V> *)from)[i] : Element<V>(0);
  });
}
template <class V, class M>
[[gnu::always_inline]] inline void store(void *to, M mask, V value) {
  for (int i = 0; i < Size<V>; ++i)
    if (mask[i] < 0)
      ((Element<V> *)to)[i] = value[i];
}

/// Loads elements from base + index * scale; elements without an index are 0.
template <class V, class T, class I, class M>
[[gnu::always_inline]] inline V gather(V a, const T *base, I index, M mask,
                                       char scale) {
  return each<V>([&](int i) {
    if (i >= Size<I>)
      return T(0);
    if (mask[i] >= 0)
      return a[i];
    T value;
    __builtin_memcpy(&value, (const char *)base + index[i] * (long long)scale,
                     sizeof(T));
    return value;
  });
}

} // namespace

#define MASKED(loads, stores, V, P, M)                                         \
  X86 V __xcc_ia32_##loads(const P *from, M mask) {                            \
    return load<V>(from, mask);                                                \
  }                                                                            \
  X86 void __xcc_ia32_##stores(P *to, M mask, V value) {                       \
    store(to, mask, value);                                                    \
  }
MASKED(maskloadps, maskstoreps, V4f, V4f, V4i)
MASKED(maskloadps256, maskstoreps256, V8f, V8f, V8i)
MASKED(maskloadpd, maskstorepd, V2d, V2d, V2q)
MASKED(maskloadpd256, maskstorepd256, V4d, V4d, V4q)
MASKED(maskloadd, maskstored, V4i, V4i, V4i)
MASKED(maskloadd256, maskstored256, V8i, V8i, V8i)
MASKED(maskloadq, maskstoreq, V2q, V2q, V2q)
MASKED(maskloadq256, maskstoreq256, V4q, V4q, V4q)
X86 void __xcc_ia32_maskmovdqu(V16c value, V16c mask, char *to) {
  store(to, mask, value);
}

#define GATHER(name, V, T, I, M, as)                                           \
  X86 V __xcc_ia32_##name(V a, const T *base, I index, V mask, char scale) {   \
    return gather(a, base, index, bits<as>(mask), scale);                      \
  }
GATHER(gatherd_ps, V4f, float, V4i, V4f, V4i)
GATHER(gatherd_ps256, V8f, float, V8i, V8f, V8i)
GATHER(gatherq_ps, V4f, float, V2q, V4f, V4i)
GATHER(gatherq_ps256, V4f, float, V4q, V4f, V4i)
GATHER(gatherd_pd, V2d, double, V4i, V2d, V2q)
GATHER(gatherd_pd256, V4d, double, V4i, V4d, V4q)
GATHER(gatherq_pd, V2d, double, V2q, V2d, V2q)
GATHER(gatherq_pd256, V4d, double, V4q, V4d, V4q)
GATHER(gatherd_d, V4i, int, V4i, V4i, V4i)
GATHER(gatherd_d256, V8i, int, V8i, V8i, V8i)
GATHER(gatherq_d, V4i, int, V2q, V4i, V4i)
GATHER(gatherq_d256, V4i, int, V4q, V4i, V4i)
GATHER(gatherd_q, V2q, long long, V4i, V2q, V2q)
GATHER(gatherd_q256, V4q, long long, V4i, V4q, V4q)
GATHER(gatherq_q, V2q, long long, V2q, V2q, V2q)
GATHER(gatherq_q256, V4q, long long, V4q, V4q, V4q)

X86 V16c __xcc_ia32_lddqu(const char *from) {
  V16c value;
  __builtin_memcpy(&value, from, sizeof(value));
  return value;
}
X86 V32c __xcc_ia32_lddqu256(const char *from) {
  V32c value;
  __builtin_memcpy(&value, from, sizeof(value));
  return value;
}

// x86 bypasses the caches with these.
X86 void __xcc_ia32_movnti(int *to, int value) { *to = value; }
X86 void __xcc_ia32_movnti64(long long *to, long long value) { *to = value; }

//===----------------------------------------------------------------------===//
// Fences, and instructions on the processor's state and caches
//===----------------------------------------------------------------------===//

X86 void __xcc_ia32_mfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
X86 void __xcc_ia32_lfence() { __atomic_thread_fence(__ATOMIC_ACQUIRE); }
X86 void __xcc_ia32_sfence() { __atomic_thread_fence(__ATOMIC_RELEASE); }
X86 void __xcc_ia32_serialize() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
X86 void __xcc_ia32_pause() {}
X86 void __xcc_ia32_emms() {}
X86 void __xcc_ia32_vzeroall() {}
X86 void __xcc_ia32_vzeroupper() {}
X86 void __xcc_ia32_clflush(const void *) {}
X86 void __xcc_ia32_clflushopt(const void *) {}
X86 void __xcc_ia32_clwb(const void *) {}

/// The state at program start: round to nearest, denormals kept, traps masked.
/// It cannot be changed.
X86 unsigned __xcc_ia32_stmxcsr() { return 0x1f80; }

/// Reads the device's own clock.
X86 unsigned long long __xcc_ia32_rdtsc() {
  return __builtin_readcyclecounter();
}
X86 unsigned long long __xcc_ia32_rdtscp(unsigned *processor) {
  *processor = 0;
  return __builtin_readcyclecounter();
}
