; What the vectorizer would join across an access of the same thread to memory
; that may be the same: the marks are taken off where it can do without, else
; the accesses are set apart. All else is left alone.
;
; Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; RUN: %thread-order %s | %FileCheck %s

; The fields of two structures, one after the other. With checks at run time
; there are no conflicts: the loop is the vectorizer's business.
; CHECK-LABEL: @two_pointers(
; CHECK-NOT: asm
; CHECK: !llvm.loop [[UNMARKED:![0-9]+]]
define void @two_pointers(ptr %p, ptr %q, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %q0 = getelementptr inbounds { i32, i32 }, ptr %q, i64 %i
  %q1 = getelementptr inbounds { i32, i32 }, ptr %q, i64 %i, i32 1
  %p0 = getelementptr inbounds { i32, i32 }, ptr %p, i64 %i
  %p1 = getelementptr inbounds { i32, i32 }, ptr %p, i64 %i, i32 1
  %a = load i32, ptr %q0, !llvm.access.group !0
  store i32 %a, ptr %p0, !llvm.access.group !0
  %b = load i32, ptr %q1, !llvm.access.group !0
  store i32 %b, ptr %p1, !llvm.access.group !0
  %next = add nuw nsw i64 %i, 1
  %end = icmp eq i64 %next, %n
  br i1 %end, label %exit, label %loop, !llvm.loop !1
exit:
  ret void
}

; A store to a place that only the data knows, between two loads.
; CHECK-LABEL: @data_between(
; CHECK: [[ZERO:%.*]] = call i64 asm
; CHECK: loop:
; CHECK: load i32, ptr %q0
; CHECK: store i32 1, ptr %where
; CHECK: [[APART:%.*]] = getelementptr i8, ptr %q1, i64 [[ZERO]]
; CHECK: load i32, ptr [[APART]]
; CHECK: !llvm.loop [[DATA:![0-9]+]]
define void @data_between(ptr %p, ptr %q, ptr %out, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %q0 = getelementptr inbounds { i32, i32 }, ptr %q, i64 %i
  %q1 = getelementptr inbounds { i32, i32 }, ptr %q, i64 %i, i32 1
  %a = load i32, ptr %q0, !llvm.access.group !0
  %where = getelementptr inbounds i32, ptr %p, i32 %a
  store i32 1, ptr %where, !llvm.access.group !0
  %b = load i32, ptr %q1, !llvm.access.group !0
  %at = getelementptr inbounds i32, ptr %out, i64 %i
  store i32 %b, ptr %at, !llvm.access.group !0
  %next = add nuw nsw i64 %i, 1
  %end = icmp eq i64 %next, %n
  br i1 %end, label %exit, label %loop, !llvm.loop !3
exit:
  ret void
}

; Loads that stay before the stores, and stores that stay behind the loads.
; CHECK-LABEL: @loads_first(
; CHECK-NOT: asm
; CHECK: !llvm.loop [[FIRST:![0-9]+]]
define void @loads_first(ptr %p, ptr %q, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %q0 = getelementptr inbounds { i32, i32 }, ptr %q, i64 %i
  %q1 = getelementptr inbounds { i32, i32 }, ptr %q, i64 %i, i32 1
  %p0 = getelementptr inbounds { i32, i32 }, ptr %p, i64 %i
  %p1 = getelementptr inbounds { i32, i32 }, ptr %p, i64 %i, i32 1
  %a = load i32, ptr %q0, !llvm.access.group !0
  %b = load i32, ptr %q1, !llvm.access.group !0
  store i32 %b, ptr %p0, !llvm.access.group !0
  store i32 %a, ptr %p1, !llvm.access.group !0
  %next = add nuw nsw i64 %i, 1
  %end = icmp eq i64 %next, %n
  br i1 %end, label %exit, label %loop, !llvm.loop !5
exit:
  ret void
}

; Fields of one structure are different memory.
; CHECK-LABEL: @fields(
; CHECK-NOT: asm
; CHECK: !llvm.loop [[FIELDS:![0-9]+]]
define void @fields(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p0 = getelementptr inbounds { i32, i32 }, ptr %p, i64 %i
  %p1 = getelementptr inbounds { i32, i32 }, ptr %p, i64 %i, i32 1
  %a = load i32, ptr %p0, !llvm.access.group !0
  %a1 = add i32 %a, 1
  store i32 %a1, ptr %p0, !llvm.access.group !0
  %b = load i32, ptr %p1, !llvm.access.group !0
  %b1 = add i32 %b, 1
  store i32 %b1, ptr %p1, !llvm.access.group !0
  %next = add nuw nsw i64 %i, 1
  %end = icmp eq i64 %next, %n
  br i1 %end, label %exit, label %loop, !llvm.loop !7
exit:
  ret void
}

; Neighbouring threads that use neighbouring elements: nothing is joined.
; CHECK-LABEL: @neighbours(
; CHECK-NOT: asm
; CHECK: !llvm.loop [[NEIGHBOURS:![0-9]+]]
define void @neighbours(ptr %p, ptr %q, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p0 = getelementptr inbounds i32, ptr %p, i64 %i
  %q0 = getelementptr inbounds i32, ptr %q, i64 %i
  store i32 1, ptr %p0, !llvm.access.group !0
  %a = load i32, ptr %q0, !llvm.access.group !0
  %q1 = getelementptr inbounds i32, ptr %q0, i64 %n
  store i32 %a, ptr %q1, !llvm.access.group !0
  %next = add nuw nsw i64 %i, 1
  %end = icmp eq i64 %next, %n
  br i1 %end, label %exit, label %loop, !llvm.loop !9
exit:
  ret void
}

; CHECK-DAG: [[MARKS:![0-9]+]] = !{!"llvm.loop.parallel_accesses", !{{[0-9]+}}}
; CHECK-DAG: [[UNMARKED]] = distinct !{[[UNMARKED]]}
; CHECK-DAG: [[DATA]] = distinct !{[[DATA]], [[MARKS]]}
; CHECK-DAG: [[FIRST]] = distinct !{[[FIRST]], [[MARKS]]}
; CHECK-DAG: [[FIELDS]] = distinct !{[[FIELDS]], [[MARKS]]}
; CHECK-DAG: [[NEIGHBOURS]] = distinct !{[[NEIGHBOURS]], [[MARKS]]}

!0 = distinct !{}
!1 = distinct !{!1, !2}
!2 = !{!"llvm.loop.parallel_accesses", !0}
!3 = distinct !{!3, !2}
!5 = distinct !{!5, !2}
!7 = distinct !{!7, !2}
!9 = distinct !{!9, !2}
