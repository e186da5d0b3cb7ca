// Labels as values: goto *p, on every device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %compare %s --devices host,sm_90,gfx1100
#include <stdio.h>
static int run(const unsigned char *code, int x) {
  static const void *const ops[] = {&&end, &&inc, &&dbl, &&neg, &&loop};
  int n = 3; const unsigned char *start = code;
  goto *ops[*code++];
inc: ++x; goto *ops[*code++];
dbl: x *= 2; goto *ops[*code++];
neg: x = -x; goto *ops[*code++];
loop: if (--n) code = start; goto *ops[*code++];
end: return x;
}
int main(int argc, char **argv) {
  const unsigned char p[] = {1,2,3,4,1,0};
  printf("%d %d\n", run(p, argc), run(p, 7));
  void *t = argc > 5 ? &&a : &&b; goto *t; a: puts("a"); return 1; b: puts("b"); return 2;
}
