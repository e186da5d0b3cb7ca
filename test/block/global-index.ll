; Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; An index kept in an int is taken to fit; launches that might not fit run a
; copy of the kernel that does not rely on it.
;
; RUN: %block %s | %FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define internal void @scale.wide.block
; CHECK: add nuw i32
; CHECK-LABEL: define internal void @scale.block
; CHECK: launch:
; CHECK: icmp ugt i64 %{{.*}}, 2147483647
; CHECK: add nuw nsw i32 %{{.*}}, %thread.x
; CHECK: call void @scale.wide.block(ptr %group, i64 %first, i64 %last)

define void @scale(ptr %args) "xcc.kernel"="1" {
  %b = call i32 @__xcc_block_idx_x()
  %d = call i32 @__xcc_block_dim_x()
  %t = call i32 @__xcc_thread_idx_x()
  %m = mul i32 %b, %d
  %i = add i32 %m, %t
  %p = load ptr, ptr %args
  %i64 = sext i32 %i to i64
  %at = getelementptr float, ptr %p, i64 %i64
  store float 0.0, ptr %at
  ret void
}

declare i32 @__xcc_thread_idx_x()
declare i32 @__xcc_block_idx_x()
declare i32 @__xcc_block_dim_x()
declare i32 @__xcc_linear_thread()
declare void @__xcc_block_barrier()
declare i32 @__xcc_warp_barrier()
