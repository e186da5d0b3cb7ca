; Code behind a guard around warp operations: threads that do not pass the guard
; compute and store nothing between the operations.
;
; Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; RUN: %block %s | %FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define internal void @first_row.block
; The loops between the first and the last operation are over the row that passes,
; and store nothing at their end.
; CHECK: region1.y:
; CHECK: [[THERE:%.*]] = select i1 {{.*}}, i32 %block.dim.x, i32 0
; CHECK: region1.x.end:
; CHECK-NOT: store
; CHECK: icmp ult i32 {{.*}}, [[THERE]]
; CHECK: region2.y:
; CHECK: [[THERE:%.*]] = select i1 {{.*}}, i32 %block.dim.x, i32 0
; CHECK: region2.x.end:
; CHECK-NOT: store
; CHECK: icmp ult i32 {{.*}}, [[THERE]]
define void @first_row(ptr %args) "xcc.cpu_kernel"="1" {
entry:
  %pa = getelementptr i8, ptr %args, i64 8
  %p = load ptr, ptr %pa
  %n = call i32 @__xcc_linear_thread()
  %y = call i32 @__xcc_thread_idx_y()
  %is = icmp eq i32 %y, 0
  %at = getelementptr i32, ptr %p, i32 %n
  %v = load i32, ptr %at
  br i1 %is, label %work, label %done
work:
  %one = call i32 @shuffled(i32 %v, i32 8)
  %sum = add i32 %v, %one
  %two = call i32 @shuffled(i32 %sum, i32 4)
  %all = add i32 %sum, %two
  br label %done
done:
  %last = phi i32 [ %all, %work ], [ %v, %entry ]
  store i32 %last, ptr %at
  ret void
}

define internal i32 @shuffled(i32 %v, i32 %by) alwaysinline convergent {
  %n = call i32 @__xcc_linear_thread()
  %slots = call ptr @__xcc_exchange()
  %mine = getelementptr i32, ptr %slots, i32 %n
  store i32 %v, ptr %mine
  %there = call i32 @__xcc_warp_barrier()
  %other = xor i32 %n, %by
  %its = getelementptr i32, ptr %slots, i32 %other
  %w = load i32, ptr %its
  %again = call i32 @__xcc_warp_barrier()
  ret i32 %w
}

declare i32 @__xcc_thread_idx_y()
declare i32 @__xcc_linear_thread()
declare ptr @__xcc_exchange()
declare i32 @__xcc_warp_barrier() convergent
