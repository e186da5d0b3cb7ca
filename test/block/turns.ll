; Of a loop that all threads take together, a thread takes four turns before the
; next one does: what it sums up is loaded and stored once for them. Not where
; its turns read on through memory, nor where it is asked for one at a time.
;
; Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; RUN: %block %s | %FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define internal void @rows.block
; CHECK: %[[A:.*]] = fadd float %{{.*}}, %{{.*}}
; CHECK: %[[B:.*]] = fadd float %[[A]], %{{.*}}
; CHECK: %[[C:.*]] = fadd float %[[B]], %{{.*}}
; CHECK: fadd float %[[C]], %{{.*}}
define void @rows(ptr %args) "xcc.cpu_kernel"="1" {
entry:
  %t = call i32 @__xcc_thread_idx_x()
  %t64 = zext i32 %t to i64
  %n = load i64, ptr %args
  %pa = getelementptr i8, ptr %args, i64 8
  %p = load ptr, ptr %pa
  %qa = getelementptr i8, ptr %args, i64 16
  %q = load ptr, ptr %qa
  br label %turn
turn:
  %i = phi i64 [ 0, %entry ], [ %next, %turn ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %turn ]
  %row = mul nuw nsw i64 %i, %n
  %index = add nuw nsw i64 %row, %t64
  %at = getelementptr inbounds float, ptr %p, i64 %index
  %v = load float, ptr %at
  %sum.next = fadd float %sum, %v
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 64
  br i1 %more, label %turn, label %store
store:
  %to = getelementptr float, ptr %q, i64 %t64
  store float %sum.next, ptr %to
  ret void
}

; CHECK-LABEL: define internal void @stream.block
; CHECK: fadd
; CHECK-NOT: fadd
; CHECK: ret void
define void @stream(ptr %args) "xcc.cpu_kernel"="1" {
entry:
  %t = call i32 @__xcc_thread_idx_x()
  %t64 = zext i32 %t to i64
  %pa = getelementptr i8, ptr %args, i64 8
  %p = load ptr, ptr %pa
  %qa = getelementptr i8, ptr %args, i64 16
  %q = load ptr, ptr %qa
  br label %turn
turn:
  %i = phi i64 [ 0, %entry ], [ %next, %turn ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %turn ]
  %row = shl nuw nsw i64 %i, 8
  %index = add nuw nsw i64 %row, %t64
  %at = getelementptr inbounds float, ptr %p, i64 %index
  %v = load float, ptr %at
  %sum.next = fadd float %sum, %v
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 64
  br i1 %more, label %turn, label %store
store:
  %to = getelementptr float, ptr %q, i64 %t64
  store float %sum.next, ptr %to
  ret void
}

; CHECK-LABEL: define internal void @single.block
; CHECK: fadd
; CHECK-NOT: fadd
; CHECK: ret void
define void @single(ptr %args) "xcc.cpu_kernel"="1" {
entry:
  %t = call i32 @__xcc_thread_idx_x()
  %t64 = zext i32 %t to i64
  %n = load i64, ptr %args
  %pa = getelementptr i8, ptr %args, i64 8
  %p = load ptr, ptr %pa
  %qa = getelementptr i8, ptr %args, i64 16
  %q = load ptr, ptr %qa
  br label %turn
turn:
  %i = phi i64 [ 0, %entry ], [ %next, %turn ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %turn ]
  %row = mul nuw nsw i64 %i, %n
  %index = add nuw nsw i64 %row, %t64
  %at = getelementptr inbounds float, ptr %p, i64 %index
  %v = load float, ptr %at
  %sum.next = fadd float %sum, %v
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 64
  br i1 %more, label %turn, label %store, !llvm.loop !0
store:
  %to = getelementptr float, ptr %q, i64 %t64
  store float %sum.next, ptr %to
  ret void
}

declare i32 @__xcc_thread_idx_x()

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}
