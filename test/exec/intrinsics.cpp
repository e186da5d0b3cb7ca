// x86's intrinsics, with the instructions that every x86-64 has: on GPUs too,
// bit by bit.
// RUN: %xcc -std=c++20 -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -std=c++20 -O2 %s -o %t && %t | FileCheck %s
#include "Inputs/same.h"
#include <cmath>
#include <cstring>

// Directly before the header: the parser reads its first token before it leaves
// this function.
[[maybe_unused]] static int before_the_header(int x) { return x; }
#include <emmintrin.h>
#include <x86intrin.h>

struct four {
  float v[4];
  bool operator==(const four &other) const {
    return !std::memcmp(v, other.v, sizeof(v));
  }
};
struct sixteen {
  unsigned char v[16];
  bool operator==(const sixteen &other) const {
    return !std::memcmp(v, other.v, sizeof(v));
  }
};

static __m128 some_floats(std::size_t i) {
  const float special[] = {0.0f, -0.0f, 1.5f,  -2.5f,       3e9f,
                           -3e9f, 0.5f, INFINITY, -INFINITY, 7.25f};
  return _mm_setr_ps(special[i % 10], special[(i + 3) % 10],
                     special[i / 10 % 10], special[(i + 7) % 10]);
}
static __m128i some_bytes(std::size_t i) {
  return _mm_setr_epi32(int(i * 2654435761u), int(i) - 20, int(i * 40503u) << 7,
                        i % 3 ? -1 : 0x7fff8000);
}
static four stored(__m128 v) {
  four result;
  _mm_storeu_ps(result.v, v);
  return result;
}
static sixteen stored(__m128i v) {
  sixteen result;
  _mm_storeu_si128(reinterpret_cast<__m128i *>(result.v), v);
  return result;
}

// A function for CPUs that have more, which GPUs take like any other.
__attribute__((target("avx2"))) static int with_avx2(int a) {
  __m128i v = _mm_set1_epi32(a);
  return _mm_cvtsi128_si32(_mm_add_epi32(v, v));
}

int main() {
  same("minima", 100, [](std::size_t i) {
    return stored(_mm_min_ps(some_floats(i), some_floats(i + 1)));
  });
  same("maxima", 100, [](std::size_t i) {
    return stored(_mm_max_ps(some_floats(i), some_floats(i + 5)));
  });
  same("to integers, to nearest and out of range", 100, [](std::size_t i) {
    return stored(_mm_cvtps_epi32(some_floats(i)));
  });
  same("one to an integer", 100, [](std::size_t i) {
    return _mm_cvttss_si32(some_floats(i)) + _mm_cvtss_si32(some_floats(i));
  });
  same("comparison", 100, [](std::size_t i) {
    __m128 a = some_floats(i), b = some_floats(i + 2);
    return _mm_movemask_ps(_mm_cmple_ps(a, b)) * 2 + _mm_comigt_ss(a, b);
  });
  same("shuffles", 100, [](std::size_t i) {
    __m128 a = some_floats(i), b = some_floats(i + 2);
    return stored(_mm_shuffle_ps(_mm_unpacklo_ps(a, b), _mm_movehl_ps(a, b),
                                 _MM_SHUFFLE(0, 3, 1, 2)));
  });
  same("shifts", 100, [](std::size_t i) {
    __m128i a = some_bytes(i);
    return stored(_mm_xor_si128(
        _mm_slli_epi16(a, int(i) % 20),
        _mm_add_epi32(_mm_sra_epi32(a, _mm_cvtsi32_si128(int(i) % 40)),
                      _mm_srl_epi64(a, _mm_cvtsi64_si128(long(i) << 30)))));
  });
  same("saturation", 100, [](std::size_t i) {
    __m128i a = some_bytes(i), b = some_bytes(i + 1);
    return stored(_mm_xor_si128(_mm_packs_epi32(a, b),
                                _mm_adds_epi8(_mm_packus_epi16(a, b), b)));
  });
  same("products", 100, [](std::size_t i) {
    __m128i a = some_bytes(i), b = some_bytes(i + 1);
    return stored(_mm_xor_si128(_mm_madd_epi16(a, b),
                                _mm_add_epi64(_mm_mul_epu32(a, b),
                                              _mm_sad_epu8(a, b))));
  });
  same("rounded as one instruction is", 100, [](std::size_t i) {
    __m128 a = _mm_set1_ps(1 + float(i) / 7), b = _mm_set1_ps(1 / 3.0f);
    return stored(_mm_sub_ps(_mm_mul_ps(a, b), _mm_mul_ps(a, b)));
  });
  same("streamed past caches", 100, [](std::size_t i) {
    alignas(16) four to;
    _mm_stream_ps(to.v, some_floats(i));
    _mm_sfence();
    _mm_prefetch(reinterpret_cast<const char *>(to.v), _MM_HINT_T0);
    _mm_pause();
    return to;
  });
  same("fences and hints", 10, [](std::size_t i) {
    int value = int(i);
    _mm_mfence();
    _mm_lfence();
    _mm_clflush(&value);
    return value;
  });
  same("the clock and the control register", 10, [](std::size_t) {
    const unsigned long long before = __rdtsc();
    constexpr unsigned flags = 0x3f; // of the host's thread, so far
    return int(__rdtsc() >= before) + int(_mm_getcsr() & ~flags);
  });
  same("a target's", 10, [](std::size_t i) { return with_avx2(int(i)); });
  same("a choice by CPU", 10, [](std::size_t i) {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") || __builtin_cpu_is("intel")
               ? with_avx2(int(i))
               : int(i) * 2;
  });
  std::puts("all the same");
}
// CHECK: all the same
