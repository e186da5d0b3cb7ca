; A guard that every few threads pass: where these are few, the loop comes only
; to them. Otherwise, and for a thread that does something else, it stays.
;
; Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; RUN: %opt -passes=xcc-strided-guards -S %s | %FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: @tree(
; CHECK: [[LOW:%.*]] = and i32 %{{.*}}, 1023
; CHECK: [[STEP:%.*]] = add i32 [[LOW]], 1
; CHECK: %thread.step = zext i32 %{{.*}} to i64
; CHECK: [[FEW:%.*]] = icmp uge i64 %thread.step, 8
; CHECK: br i1 [[FEW]], label %entry.split.few, label %entry.split
; CHECK: latch.few:
; CHECK: [[NEXT:%.*]] = add nuw i64 %x.few, %thread.step
; CHECK: icmp ult i64 [[NEXT]],
define void @tree(ptr %part, i32 %mask, i64 %offset, i64 %threads) {
entry:
  br label %thread
thread:
  %x = phi i64 [ 0, %entry ], [ %next, %latch ]
  %index = trunc nuw nsw i64 %x to i32
  %low = and i32 %index, %mask
  %passes = icmp eq i32 %low, 0
  br i1 %passes, label %add, label %latch
add:
  %at = getelementptr i32, ptr %part, i64 %x
  %from = getelementptr i32, ptr %at, i64 %offset
  %v = load i32, ptr %from, !llvm.access.group !0
  %w = load i32, ptr %at, !llvm.access.group !0
  %sum = add i32 %v, %w
  store i32 %sum, ptr %at, !llvm.access.group !0
  br label %latch
latch:
  %next = add nuw nsw i64 %x, 1
  %more = icmp ult i64 %next, %threads
  br i1 %more, label %thread, label %exit, !llvm.loop !1
exit:
  ret void
}

; All threads store.
; CHECK-LABEL: @others(
; CHECK-NOT: thread.step
; CHECK: ret void
define void @others(ptr %part, i32 %mask, i64 %threads) {
entry:
  br label %thread
thread:
  %x = phi i64 [ 0, %entry ], [ %next, %latch ]
  %index = trunc nuw nsw i64 %x to i32
  %low = and i32 %index, %mask
  %at = getelementptr i32, ptr %part, i64 %x
  store i32 %low, ptr %at, !llvm.access.group !0
  %passes = icmp eq i32 %low, 0
  br i1 %passes, label %add, label %latch
add:
  store i32 7, ptr %at, !llvm.access.group !0
  br label %latch
latch:
  %next = add nuw nsw i64 %x, 1
  %more = icmp ult i64 %next, %threads
  br i1 %more, label %thread, label %exit, !llvm.loop !1
exit:
  ret void
}

!0 = distinct !{}
!1 = distinct !{!1, !2, !3}
!2 = !{!"llvm.loop.parallel_accesses", !0}
!3 = !{!"xcc.threads"}
