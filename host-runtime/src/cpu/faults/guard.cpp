// Leaving a kernel that fails
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// System V x86-64. The callee-saved registers are rbx, rbp and r12-r15. The
// control bits of mxcsr and the x87 control word are callee-saved too. A
// guarded call saves these, because a kernel may fail after it changed them. A
// switch between fibers of one kernel does not need to.

#include "guard.h"

#if !defined(__x86_64__)
#error "the CPU device is written for x86-64"
#endif

asm(R"(
  .text
  .p2align 4
  .hidden xcc_rt_guarded_call
  .globl xcc_rt_guarded_call
  .type xcc_rt_guarded_call, @function
xcc_rt_guarded_call:
  .cfi_startproc
  pushq %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  movq %rsp, %rbp
  .cfi_def_cfa_register %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  .cfi_offset %rbx, -24
  .cfi_offset %r12, -32
  .cfi_offset %r13, -40
  .cfi_offset %r14, -48
  .cfi_offset %r15, -56
  subq $8, %rsp
  stmxcsr (%rsp)
  fnstcw 4(%rsp)
  movq %rsp, (%rdi)
  movq %rdx, %rdi
  callq *%rsi
  xorl %eax, %eax
.Lxcc_rt_guarded_return:
  ldmxcsr (%rsp)
  fldcw 4(%rsp)
  addq $8, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  .cfi_def_cfa %rsp, 8
  retq
  .cfi_endproc
  .size xcc_rt_guarded_call, .-xcc_rt_guarded_call

  .p2align 4
  .hidden xcc_rt_guarded_leave
  .globl xcc_rt_guarded_leave
  .type xcc_rt_guarded_leave, @function
xcc_rt_guarded_leave:
  cld
  movq %rdi, %rsp
  fninit
  movl $1, %eax
  jmp .Lxcc_rt_guarded_return
  .size xcc_rt_guarded_leave, .-xcc_rt_guarded_leave

  .p2align 4
  .hidden xcc_rt_switch
  .globl xcc_rt_switch
  .type xcc_rt_switch, @function
xcc_rt_switch:
  .cfi_startproc
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  .cfi_def_cfa_offset 56
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  .cfi_def_cfa_offset 8
  retq
  .cfi_endproc
  .size xcc_rt_switch, .-xcc_rt_switch

  .p2align 4
  .hidden xcc_rt_fiber_start
  .globl xcc_rt_fiber_start
  .type xcc_rt_fiber_start, @function
xcc_rt_fiber_start:
  .cfi_startproc
  .cfi_undefined %rip
  xorl %ebp, %ebp
  movq %r12, %rdi
  callq *%rbx
  ud2
  .cfi_endproc
  .size xcc_rt_fiber_start, .-xcc_rt_fiber_start
)");
