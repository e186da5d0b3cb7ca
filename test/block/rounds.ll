; Where two tests of wrapping would be needed, LLVM's vectorizer takes that of the
; wider index for both: an index that goes round is frozen, and gathered.
;
; Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; RUN: %opt -passes=xcc-hide-rounds -S %s | %FileCheck %s
; RUN: %opt -mcpu=haswell -passes='xcc-hide-rounds,loop-vectorize' -S %s | %FileCheck --check-prefix=VECTORS %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: @lanes(
; CHECK: %round = and i32 %narrow, 31
; CHECK-NEXT: [[FROZEN:%.*]] = freeze i32 %round
; CHECK-NEXT: or disjoint i32 [[FROZEN]], %first
; CHECK-NOT: freeze
; VECTORS-LABEL: @lanes(
; VECTORS: vector.body:
; VECTORS-NOT: load <
; VECTORS: middle.block:
define void @lanes(ptr noalias %to, ptr noalias %from, i32 %first) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %after = add nuw nsw i64 %i, 3
  %narrow = trunc nuw nsw i64 %after to i32
  %round = and i32 %narrow, 31
  %index = or disjoint i32 %round, %first
  %wide = zext nneg i32 %index to i64
  %there = getelementptr inbounds nuw i32, ptr %from, i64 %wide
  %value = load i32, ptr %there, align 4, !llvm.access.group !2
  %counted = and i32 %narrow, 7
  %sum = add i32 %value, %counted
  %here = getelementptr inbounds nuw i32, ptr %to, i64 %i
  store i32 %sum, ptr %here, align 4, !llvm.access.group !2
  %next = add nuw nsw i64 %i, 1
  %more = icmp ne i64 %next, 32
  br i1 %more, label %loop, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1, !3}
!1 = !{!"llvm.loop.vectorize.enable", i1 true}
!2 = distinct !{}
!3 = !{!"llvm.loop.parallel_accesses", !2}
