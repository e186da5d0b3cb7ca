// What of C is rare: labels as values, arrays of variable length, setjmp, alloca
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %compare %s --options=-Wno-deprecated-non-prototype --run '' --run one
#include <stdio.h>
#include <alloca.h>
#include <stdarg.h>
#include <complex.h>
#include <setjmp.h>
static int sum(int n, ...){ va_list a; va_start(a,n); int s=0; while(n--) s+=va_arg(a,int); va_end(a); return s;}
struct B { unsigned a:3; int b:5; unsigned long long c:40; } __attribute__((packed));
struct S { char c[37]; }; 
static struct S ps(struct S s){ s.c[3]++; return s; }
typedef int v4 __attribute__((vector_size(16)));
int kr(a,b) int a; char b; { return a+b; }
extern int real_name(int) __asm__("other_name");
int real_name(int x){ return x*2; }
int strong(int x){ return x+1; }
int alias_of(int) __attribute__((alias("strong")));
int weakfn(int) __attribute__((weak));
extern int undefd __attribute__((weak));
__attribute__((weak)) int wk(void){ return 5; }
static jmp_buf jb;
static int labels(int from) {
  static void *table[] = {&&a, &&b, &&c};
  int i = 0;
  goto *table[from];
a:
  printf("a");
  if (++i < 3)
    goto *table[i];
  return 1;
b:
  printf("b");
  if (++i < 3)
    goto *table[i];
  return 2;
c:
  printf("c\n");
  return 0;
}
int main(int argc,char**argv){
  int n=argc+4; int v[n][n]; for(int i=0;i<n;i++)for(int j=0;j<n;j++)v[i][j]=i*j;
  char *p=alloca(n); p[0]=1;
  double _Complex z = 1+2*I; z*=z;
  struct B b={5,-3,123456789}; struct S s={{0}}; s=ps(s);
  v4 x={1,2,3,4}; x=x*x+x;
  printf("%d %d %g %g %d %d %lld %d %d %d %d %d %d %d %zu\n", v[n-1][n-1], sum(3,1,2,3), creal(z), cimag(z), b.a,b.b,(long long)b.c,s.c[3],x[2],kr(1,2),real_name(4),alias_of(3),weakfn==0,wk(), sizeof v);
  printf("%d\n", &undefd==0);
  int r=setjmp(jb); if(r<3) longjmp(jb,r+1); printf("r %d\n", r);
  long double ld=1.0L/3; printf("%.20Lg %d\n", ld, (int)sizeof ld);
  __int128 q=(__int128)1<<100; printf("%llx\n",(unsigned long long)(q>>64));
  _Float16 h=1.5f; __float128 f=2; printf("%g %g\n",(double)(float)h,(double)f);
  __asm__ volatile("movl $7, %0":"=r"(r)); printf("%d %s\n", r, __func__);
  return labels(argc);
}
