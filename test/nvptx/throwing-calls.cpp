// A call of what may throw costs a test of what it returns: three instructions at
// most. A call of what cannot throw costs nothing. No state is passed on.
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %xcc -O2 -offload-arch=sm_90 -S -foffload-device-only %s -o - \
// RUN:   | FileCheck %s --check-prefix=NVIDIA
// RUN: %xcc -O2 -offload-arch=gfx1100 -S -foffload-device-only %s -o - \
// RUN:   | FileCheck %s --check-prefix=AMD
#include <xcc/xcc.h>

[[gnu::noinline]] int leaf(int x) {
  if (x > 1000)
    throw x;
  return x * 3;
}
[[gnu::noinline]] int quiet(int x) {
  asm volatile("");
  return x * 3;
}

// NVIDIA-LABEL: .func {{.*}} _Z5twicei({{$}}
// NVIDIA-NEXT: .param .b32 _Z5twicei_param_0{{$}}
// NVIDIA-NEXT: ){{$}}
// NVIDIA: st.param.b32
// NVIDIA-NEXT: call.uni (retval0), _Z4leafi, (param0);
// NVIDIA-NEXT: ld.param.v2.b32 {{{%r[0-9]+}}, [[PENDING:%r[0-9]+]]}, [retval0];
// NVIDIA-NEXT: ld.param.b32
// NVIDIA-NEXT: } // callseq
// NVIDIA-NEXT: setp.{{eq|ne}}.b32 [[TEST:%p[0-9]+]], [[PENDING]], 0;
// NVIDIA-NEXT: @[[TEST]] bra

// AMD-LABEL: _Z5twicei:
// AMD: s_swappc_b64
// AMD: s_mov_b32 s{{[0-9]+}}, exec_lo
// AMD-NEXT: v_cmpx_eq_u32_e32 0, v1
// AMD-NEXT: s_cbranch_execz
[[gnu::noinline]] int twice(int x) {
  int once = leaf(x);
  return leaf(once) + 1;
}

// NVIDIA-LABEL: .func {{.*}} _Z11twice_quieti({{$}}
// NVIDIA: call.uni (retval0), _Z5quieti,
// NVIDIA-NOT: setp
// NVIDIA: call.uni (retval0), _Z5quieti,
// NVIDIA-NOT: setp
// NVIDIA: ret;

// AMD-LABEL: _Z11twice_quieti:
// AMD-NOT: v_cmp
// AMD: s_setpc_b64
[[gnu::noinline]] int twice_quiet(int x) {
  int once = quiet(x);
  return quiet(once) + 1;
}

void kernel(int *p) {
  try {
    *p = twice(*p);
  } catch (int x) {
    *p = x;
  }
  *p += twice_quiet(*p);
}
int main() { xcc::launch({{1}, {1}}, kernel, static_cast<int *>(nullptr)); }
