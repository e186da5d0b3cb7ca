; A thread loop with many operands that all threads share runs two vectors of
; threads at once; one with few is the vectorizer's own choice, and so is a loop
; that is no thread loop.
;
; Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; RUN: %interleave %s | %FileCheck %s

; CHECK-LABEL: @many(
; CHECK: !llvm.loop [[MANY:![0-9]+]]
; CHECK-LABEL: @few(
; CHECK: !llvm.loop [[FEW:![0-9]+]]
; CHECK-LABEL: @sequential(
; CHECK: !llvm.loop [[SEQUENTIAL:![0-9]+]]
; CHECK-DAG: [[MANY]] = distinct !{[[MANY]], !{{[0-9]+}}, [[TWO:![0-9]+]]}
; CHECK-DAG: [[TWO]] = !{!"llvm.loop.interleave.count", i32 2}
; CHECK-DAG: [[FEW]] = distinct !{[[FEW]], !{{[0-9]+}}}
; CHECK-DAG: [[SEQUENTIAL]] = distinct !{[[SEQUENTIAL]]}

define void @many(ptr %row, ptr %out, i64 %n) {
entry:
  %p1 = getelementptr float, ptr %row, i64 1
  %p2 = getelementptr float, ptr %row, i64 2
  %p3 = getelementptr float, ptr %row, i64 3
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = load float, ptr %row, !llvm.access.group !0
  %b = load float, ptr %p1, !llvm.access.group !0
  %c = load float, ptr %p2, !llvm.access.group !0
  %d = load float, ptr %p3, !llvm.access.group !0
  %ab = fadd float %a, %b
  %cd = fadd float %c, %d
  %sum = fadd float %ab, %cd
  %at = getelementptr float, ptr %out, i64 %i
  store float %sum, ptr %at, !llvm.access.group !0
  %next = add nuw i64 %i, 1
  %end = icmp eq i64 %next, %n
  br i1 %end, label %exit, label %loop, !llvm.loop !1
exit:
  ret void
}

define void @few(ptr %row, ptr %out, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = load float, ptr %row, !llvm.access.group !0
  %at = getelementptr float, ptr %out, i64 %i
  store float %a, ptr %at, !llvm.access.group !0
  %next = add nuw i64 %i, 1
  %end = icmp eq i64 %next, %n
  br i1 %end, label %exit, label %loop, !llvm.loop !3
exit:
  ret void
}

define void @sequential(ptr %row, ptr %out, i64 %n) {
entry:
  %p1 = getelementptr float, ptr %row, i64 1
  %p2 = getelementptr float, ptr %row, i64 2
  %p3 = getelementptr float, ptr %row, i64 3
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = load float, ptr %row
  %b = load float, ptr %p1
  %c = load float, ptr %p2
  %d = load float, ptr %p3
  %ab = fadd float %a, %b
  %cd = fadd float %c, %d
  %sum = fadd float %ab, %cd
  %at = getelementptr float, ptr %out, i64 %i
  store float %sum, ptr %at
  %next = add nuw i64 %i, 1
  %end = icmp eq i64 %next, %n
  br i1 %end, label %exit, label %loop, !llvm.loop !4
exit:
  ret void
}

!0 = distinct !{}
!1 = distinct !{!1, !2}
!2 = !{!"llvm.loop.parallel_accesses", !0}
!3 = distinct !{!3, !2}
!4 = distinct !{!4}
