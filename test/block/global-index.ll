; No launch has 2^31 threads in a dimension: an index kept in an int does not
; wrap, nor does one that is computed wider and narrowed, one more than it, or
; less by a number.
;
; Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; RUN: %block %s | %FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define internal void @narrowed.block
; CHECK: %g = add nuw nsw i64
; CHECK: getelementptr float, ptr %p, i64 %g
; CHECK-LABEL: define internal void @scale.block
; CHECK: mul nuw nsw i32
; CHECK: add nuw nsw i32 %{{.*}}, %thread.x
; CHECK-LABEL: define internal void @border.block
; CHECK: add nuw nsw i32 %{{.*}}, 1
; CHECK: add nuw nsw i32 {{.*}}, %thread.x
; CHECK-LABEL: define internal void @before.block
; CHECK: add nsw i32 %{{.*}}, -3
; CHECK: add nsw i32 {{.*}}, %thread.x
; CHECK-LABEL: define internal void @beyond.block
; CHECK: add i32 %{{.*}}, 2
; CHECK: add i32 {{.*}}, %thread.x

define void @narrowed(ptr %args) "xcc.cpu_kernel"="1" {
  %b = call i32 @__xcc_block_idx_x()
  %d = call i32 @__xcc_block_dim_x()
  %t = call i32 @__xcc_thread_idx_x()
  %b64 = zext i32 %b to i64
  %d64 = zext i32 %d to i64
  %t64 = zext i32 %t to i64
  %m = mul i64 %b64, %d64
  %g = add i64 %m, %t64
  %i = trunc i64 %g to i32
  %p = load ptr, ptr %args
  %i64 = sext i32 %i to i64
  %at = getelementptr float, ptr %p, i64 %i64
  store float 1.0, ptr %at
  ret void
}

define void @scale(ptr %args) "xcc.cpu_kernel"="1" {
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

define void @border(ptr %args) "xcc.cpu_kernel"="1" {
  %b = call i32 @__xcc_block_idx_x()
  %d = call i32 @__xcc_block_dim_x()
  %t = call i32 @__xcc_thread_idx_x()
  %m = mul i32 %b, %d
  %f = add i32 %m, 1
  %i = add i32 %f, %t
  %p = load ptr, ptr %args
  %i64 = sext i32 %i to i64
  %at = getelementptr float, ptr %p, i64 %i64
  store float 2.0, ptr %at
  ret void
}

define void @before(ptr %args) "xcc.cpu_kernel"="1" {
  %b = call i32 @__xcc_block_idx_x()
  %d = call i32 @__xcc_block_dim_x()
  %t = call i32 @__xcc_thread_idx_x()
  %m = mul i32 %b, %d
  %f = add i32 %m, -3
  %i = add i32 %f, %t
  %p = load ptr, ptr %args
  %i64 = sext i32 %i to i64
  %at = getelementptr float, ptr %p, i64 %i64
  store float 3.0, ptr %at
  ret void
}

define void @beyond(ptr %args) "xcc.cpu_kernel"="1" {
  %b = call i32 @__xcc_block_idx_x()
  %d = call i32 @__xcc_block_dim_x()
  %t = call i32 @__xcc_thread_idx_x()
  %m = mul i32 %b, %d
  %f = add i32 %m, 2
  %i = add i32 %f, %t
  %p = load ptr, ptr %args
  %i64 = sext i32 %i to i64
  %at = getelementptr float, ptr %p, i64 %i64
  store float 4.0, ptr %at
  ret void
}

declare i32 @__xcc_thread_idx_x()
declare i32 @__xcc_block_idx_x()
declare i32 @__xcc_block_dim_x()
declare i32 @__xcc_linear_thread()
declare void @__xcc_block_barrier()
declare i32 @__xcc_warp_barrier()
