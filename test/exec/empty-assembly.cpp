// Assembly without text, with operands as x86 has them, is a barrier for the
// compiler on every device.
// RUN: %xcc -std=c++20 -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -std=c++20 -O2 %s -o %t && %t | FileCheck %s
#include "Inputs/same.h"
#include <emmintrin.h>

struct pair {
  long a, b;
};
template <class T> void keep(const T &value) {
  asm volatile("" : : "r,m"(value) : "memory");
}
template <class T> void change(T &value) {
  asm volatile("# nothing" : "+m,r"(value) : : "memory");
}

int main() {
  same("numbers", 40, [](std::size_t i) {
    int a = int(i), b = 5;
    asm volatile("" ::: "memory", "cc");
    asm("" : "+r"(a));
    asm("" : "+rm"(b) : : "rax");
    char c = char(a);
    asm("" : "+q"(c));
    short s = short(b);
    asm("" : "+g"(s));
    bool even = i % 2 == 0;
    asm("" : "+r"(even));
    return a * 1000 + b * 100 + c + s + even;
  });
  same("floating point", 40, [](std::size_t i) {
    float a = float(i);
    asm("" : "+x"(a));
    double b = a / 3, c;
    asm volatile("" : "=x"(c) : "0"(b));
    __m128 v = _mm_set1_ps(a);
    asm("" : "+x"(v));
    return a + c + double(_mm_cvtss_f32(v));
  });
  same("in the place of an output", 40, [](std::size_t i) {
    int a, b;
    asm("" : "=a"(a), "=d"(b) : "1"(int(i)), "0"(7));
    long c;
    asm("" : [out] "=r"(c) : "[out]"(long(i) + 1));
    return a * 100 + b + c;
  });
  same("what is only written stays", 40, [](std::size_t i) {
    pair p{long(i), 2};
    int array[3] = {int(i), 4, 5}, kept = int(i);
    asm volatile("" : "=m"(p), "=m"(array), "=m"(kept));
    return p.a + p.b + array[0] + array[2] + kept;
  });
  same("templates", 40, [](std::size_t i) {
    pair p{long(i), 3};
    float f = float(i);
    keep(p), keep(f), keep(i);
    change(p), change(f), change(i);
    int x = int(i), *q = &x;
    asm volatile("" : "+r"(q) : "r"(p.a), "i"(3), "g"(x + 1), "X"(f));
    *q += 5;
    return p.a + p.b + long(f) + x;
  });
  // What libraries write where they could have an intrinsic.
  same("instructions", 40, [](std::size_t i) {
    __m128 a = _mm_set_ps(1, float(i), -0.0f, 20), b = _mm_set1_ps(0);
    __m128d c = _mm_set1_pd(double(i)), d = _mm_set_pd(17, 3);
    asm("minps %1, %0" : "+x"(b) : "x"(a));
    asm("maxpd %[from], %[to]" : [to] "+x"(c) : [from] "x"(d));
    asm volatile("pause");
    return double(_mm_cvtss_f32(_mm_shuffle_ps(b, b, 1))) + _mm_cvtsd_f64(c);
  });
  same("cpuid, whose answer is each device's", 4, [](std::size_t i) {
    unsigned a = 0, b, c, d;
    asm volatile("cpuid" : "+a"(a), "=b"(b), "=c"(c), "=d"(d));
    return int(i) + int((a | b | c | d) == 1);
  });
  std::puts("all the same");
}
// CHECK: all the same
