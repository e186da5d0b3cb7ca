; A loop by the size of the grid that counts down is one that counts the
; complement of its counter up, which all threads take together.
;
; Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; RUN: %block %s | %FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define internal void @down.block
; CHECK: %own.index = add nsw i64
; CHECK: xor i64 %own.index, -1
; CHECK: icmp slt i64 %next.iteration, 0
define void @down(ptr %args) "xcc.cpu_kernel"="1" {
entry:
  %n = load i32, ptr %args
  %pa = getelementptr i8, ptr %args, i64 8
  %p = load ptr, ptr %pa
  %b = call i32 @__xcc_block_idx_x()
  %d = call i32 @__xcc_block_dim_x()
  %before = mul i32 %d, %b
  %t = call i32 @__xcc_thread_idx_x()
  %i = add i32 %before, %t
  %not = xor i32 %i, -1
  %first = add i32 %n, %not
  %any = icmp sgt i32 %first, -1
  br i1 %any, label %work, label %done
work:
  %g = call i32 @__xcc_grid_dim_x()
  %step = mul i32 %g, %d
  br label %turn
turn:
  %k = phi i32 [ %first, %work ], [ %next, %turn ]
  %k64 = zext nneg i32 %k to i64
  %at = getelementptr inbounds float, ptr %p, i64 %k64
  %v = load float, ptr %at
  %w = fadd float %v, 1.0
  store float %w, ptr %at
  %next = sub nsw i32 %k, %step
  %more = icmp sgt i32 %next, -1
  br i1 %more, label %turn, label %done
done:
  ret void
}

declare i32 @__xcc_thread_idx_x()
declare i32 @__xcc_block_idx_x()
declare i32 @__xcc_block_dim_x()
declare i32 @__xcc_grid_dim_x()
