; Threads that access memory apart and compute little stay scalar.
;
; Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; RUN: %simd %s | %FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; A step that is known when the program runs.
; CHECK-LABEL: @apart(
; CHECK: br i1 %more, label %exit, label %thread, !llvm.loop [[SCALAR:![0-9]+]]
define void @apart(ptr %part, i64 noundef %step, i64 noundef %threads) #0 {
entry:
  br label %thread
thread:
  %x = phi i64 [ 0, %entry ], [ %next, %thread ]
  %index = mul nuw nsw i64 %x, %step
  %at = getelementptr i32, ptr %part, i64 %index
  %v = load i32, ptr %at, !llvm.access.group !0
  %sum = add i32 %v, 1
  store i32 %sum, ptr %at, !llvm.access.group !0
  %next = add nuw nsw i64 %x, 1
  %more = icmp eq i64 %next, %threads
  br i1 %more, label %exit, label %thread, !llvm.loop !1
exit:
  ret void
}

; Every second element is shuffled out of whole vectors.
; CHECK-LABEL: @near(
; CHECK: br i1 %more, label %exit, label %thread, !llvm.loop [[OPEN:![0-9]+]]
define void @near(ptr %part, i64 noundef %threads) #0 {
entry:
  br label %thread
thread:
  %x = phi i64 [ 0, %entry ], [ %next, %thread ]
  %index = shl nuw nsw i64 %x, 1
  %at = getelementptr i32, ptr %part, i64 %index
  store i32 7, ptr %at, !llvm.access.group !0
  %next = add nuw nsw i64 %x, 1
  %more = icmp eq i64 %next, %threads
  br i1 %more, label %exit, label %thread, !llvm.loop !4
exit:
  ret void
}

; An index of 32 bits may wrap: LLVM has a check for that.
; CHECK-LABEL: @checked(
; CHECK: br i1 %more, label %exit, label %thread, !llvm.loop [[ALSO:![0-9]+]]
define void @checked(ptr %part, i32 noundef %first, i64 noundef %threads) #0 {
entry:
  br label %thread
thread:
  %x = phi i64 [ 0, %entry ], [ %next, %thread ]
  %narrow = trunc i64 %x to i32
  %index = add i32 %narrow, %first
  %wide = zext i32 %index to i64
  %at = getelementptr i32, ptr %part, i64 %wide
  store i32 7, ptr %at, !llvm.access.group !0
  %next = add nuw nsw i64 %x, 1
  %more = icmp eq i64 %next, %threads
  br i1 %more, label %exit, label %thread, !llvm.loop !5
exit:
  ret void
}

; A table of bytes: no machine gathers these.
; CHECK-LABEL: @table(
; CHECK: br i1 %more, label %exit, label %thread, !llvm.loop [[TABLE:![0-9]+]]
define void @table(ptr noalias %table, ptr noalias %in, ptr noalias %out, i64 noundef %threads) #0 {
entry:
  br label %thread
thread:
  %x = phi i64 [ 0, %entry ], [ %next, %thread ]
  %from = getelementptr i8, ptr %in, i64 %x
  %number = load i8, ptr %from, !llvm.access.group !0
  %index = zext i8 %number to i64
  %at = getelementptr i8, ptr %table, i64 %index
  %v = load i8, ptr %at, !llvm.access.group !0
  %to = getelementptr i8, ptr %out, i64 %x
  store i8 %v, ptr %to, !llvm.access.group !0
  %next = add nuw nsw i64 %x, 1
  %more = icmp eq i64 %next, %threads
  br i1 %more, label %exit, label %thread, !llvm.loop !6
exit:
  ret void
}

attributes #0 = { "target-cpu"="x86-64-v4" }

; CHECK-DAG: [[SCALAR]] = distinct !{[[SCALAR]], !{{[0-9]+}}, !{{[0-9]+}}, [[WIDTH:![0-9]+]], [[COPIES:![0-9]+]]}
; CHECK-DAG: [[TABLE]] = distinct !{[[TABLE]], !{{[0-9]+}}, !{{[0-9]+}}, [[WIDTH]], [[COPIES]]}
; CHECK-DAG: [[WIDTH]] = !{!"llvm.loop.vectorize.width", i32 1}
; CHECK-DAG: [[COPIES]] = !{!"llvm.loop.unroll.count", i32 2}
; CHECK-DAG: [[OPEN]] = distinct !{[[OPEN]], !{{[0-9]+}}, !{{[0-9]+}}}
; CHECK-DAG: [[ALSO]] = distinct !{[[ALSO]], !{{[0-9]+}}, !{{[0-9]+}}}
!0 = distinct !{}
!1 = distinct !{!1, !2, !3}
!2 = !{!"llvm.loop.parallel_accesses", !0}
!3 = !{!"xcc.threads"}
!4 = distinct !{!4, !2, !3}
!5 = distinct !{!5, !2, !3}
!6 = distinct !{!6, !2, !3}
