// What a file may hold besides what kernels use: none of it is a reason to refuse the file, for any device. Wide integers,
// functions that a resolver chooses, all kinds of floating-point numbers, code that only the host's machine has.
// RUN: %xcc -w -std=c++20 -offload-arch=host,sm_90,gfx90a -foffload-no-cubin %s -c -o %t.o
// RUN: %xcc -std=c++20 -DMAIN -offload-arch=host,sm_90,gfx90a -foffload-no-cubin %s %t.o -o %t && %t
#include <xcc/xcc.h>
#ifdef MAIN
int fine(int);
int main() {
  xcc::buffer<int> one(1);
  int *p = one.data();
  xcc::launch({{1}, {1}}, [=] { *p = fine(1); });
  int value = 0;
  one.copy_to(&value, 1);
  return value != 2;
}
#else
#include <cstdarg>
#include <immintrin.h>
int fine(int x) { return x + 1; }

_BitInt(200) wide(_BitInt(200) a) { return a * a / 3; }
__int128 words(__int128 a, __int128 b) { return a / b * 3; }
long double longer(long double a) { return a * 2.5L + __builtin_sqrtl(a); }
__float128 longest(__float128 a) { return a * a + 1; }
_Complex long double complex(_Complex long double a) { return a / a; }
typedef int many __attribute__((vector_size(256)));
void vectors(many *a) { *a += *a; }

extern "C" int (*chosen_at_start())() { return nullptr; }
__attribute__((ifunc("chosen_at_start"))) int chosen();
__attribute__((target("avx512f"))) void lanes(float *p) { _mm512_storeu_ps(p, _mm512_loadu_ps(p)); }
__attribute__((target("aes,pclmul"))) __m128i keys(__m128i a, __m128i b) { return _mm_clmulepi64_si128(_mm_aesenc_si128(a, b), b, 0); }
__attribute__((target("rdrnd"))) int anything(unsigned *p) { return _rdrand32_step(p); }

int ways(int x) {
  static void *at[] = {&&a, &&b};
  goto *at[x & 1];
a:
  return 1;
b:
  return 2;
}
int flags(int x) {
  int equal;
  asm("cmp $1,%1" : "=@ccz"(equal) : "r"(x));
  return equal;
}
int jumps(int x) {
  asm goto("jmp %l0" : : : : out);
  return 1;
out:
  return x;
}
__attribute__((naked)) int bare() { asm("mov $1,%eax\n ret"); }
asm(".pushsection .text\n.globl of_assembly\nof_assembly: ret\n.popsection");
extern "C" void of_assembly();
void calls_it() { of_assembly(); }

int lengths(int n) {
  int a[n];
  a[n / 2] = n;
  return a[n / 2];
}
void *room(int n) { return __builtin_alloca(n); }
int sum(int n, ...) {
  va_list list;
  va_start(list, n);
  int s = 0;
  while (n--)
    s += va_arg(list, int);
  va_end(list);
  return s;
}
void *frame() { return __builtin_frame_address(0); }
int caught(int x) {
  try {
    if (x)
      throw x;
  } catch (int y) {
    return y;
  }
  return 0;
}
__attribute__((ms_abi)) int foreign(int a) { return a; }
__attribute__((vectorcall)) int registers(int a) { return a; }
thread_local int own = 3;
int next() { return ++own; }
#endif
