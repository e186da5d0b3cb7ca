; An index of which only the launch says whether it fits into its type: the
; kernel is there twice, and a test of the grid, the block and the arguments
; chooses.
;
; Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; RUN: %block %s | %FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; The loop over threads begins and ends where there is work.
; CHECK-LABEL: define internal void @from.fitting.team(
; CHECK: %i = add nsw i32
; CHECK-NEXT: icmp slt i32 %i, %n
; CHECK-NEXT: br i1 true, label %work
; CHECK: call i32 @llvm.umin.i32
; CHECK-LABEL: define internal void @from.block.team(
; CHECK: %i = add i32
; CHECK-NEXT: [[IN:%.*]] = icmp slt i32 %i, %n
; CHECK-NEXT: br i1 [[IN]], label %work
; CHECK-LABEL: define internal void @from.block(
; CHECK: call i64 @llvm.smax.i64
; CHECK: icmp slt i64 %{{.*}}, 2147483648
; CHECK: icmp sgt i64 %{{.*}}, -2147483648
; CHECK: br i1 %{{.*}}, label %fitting, label %otherwise, !prof
; CHECK: fitting:
; CHECK-NEXT: call void @from.fitting(ptr %group, i64 %{{.*}}, i64 %{{.*}})
; CHECK: otherwise:
; CHECK-NEXT: call void @from.otherwise(

; Where nothing is gained the kernel is there once.
; CHECK-NOT: @plain.fitting
; CHECK: define internal void @plain.block(

define void @from(ptr %args) "xcc.cpu_kernel"="1" "xcc.kernarg_size"="24" {
  %n = load i32, ptr %args, !invariant.load !0
  %k.at = getelementptr inbounds i8, ptr %args, i64 4
  %k = load i32, ptr %k.at, !invariant.load !0
  %p.at = getelementptr inbounds i8, ptr %args, i64 8
  %p = load ptr, ptr %p.at, !invariant.load !0
  %b = call i32 @__xcc_block_idx_x()
  %t = call i32 @__xcc_thread_idx_x()
  %m = mul i32 %b, 48
  %f = add i32 %m, %k
  %i = add i32 %f, %t
  %in = icmp slt i32 %i, %n
  br i1 %in, label %work, label %done
work:
  %i64 = sext i32 %i to i64
  %at = getelementptr float, ptr %p, i64 %i64
  store float 1.0, ptr %at
  br label %done
done:
  ret void
}

define void @plain(ptr %args) "xcc.cpu_kernel"="1" "xcc.kernarg_size"="24" {
  %k = load i32, ptr %args, !invariant.load !0
  %p.at = getelementptr inbounds i8, ptr %args, i64 8
  %p = load ptr, ptr %p.at, !invariant.load !0
  %b = call i32 @__xcc_block_idx_x()
  %t = call i32 @__xcc_thread_idx_x()
  %m = mul i32 %b, 48
  %f = add i32 %m, %k
  %i = add i32 %f, %t
  %i64 = sext i32 %i to i64
  %at = getelementptr float, ptr %p, i64 %i64
  store float 1.0, ptr %at
  ret void
}

declare i32 @__xcc_thread_idx_x()
declare i32 @__xcc_block_idx_x()

!0 = !{}
