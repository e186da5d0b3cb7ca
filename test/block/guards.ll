; Guards that few threads pass: the loop comes to those alone, and what else threads do is a loop of its own.
;
; Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; RUN: %opt -passes=xcc-split-guards,xcc-restrict-guards -S %s | %FileCheck %s
; RUN: %opt -passes=xcc-widen-indices,xcc-split-guards,xcc-restrict-guards -S %s | %FileCheck --check-prefix=WIDE %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; A prefix: no test is left.
; CHECK-LABEL: @prefix(
; CHECK: [[COUNT:%.*]] = call i64 @llvm.umin.i64(i64 %threads
; CHECK: br i1 %{{.*}}, label %entry.split, label %exit
; CHECK: thread:
; CHECK-NOT: icmp ult i64 %x
; CHECK: store i32 7
; CHECK: icmp eq i64 %next, %guard.end
define void @prefix(ptr %part, i64 noundef %half, i64 noundef %threads) {
entry:
  br label %thread
thread:
  %x = phi i64 [ 0, %entry ], [ %next, %latch ]
  %passes = icmp ult i64 %x, %half
  br i1 %passes, label %add, label %latch
add:
  %at = getelementptr i32, ptr %part, i64 %x
  store i32 7, ptr %at, !llvm.access.group !0
  br label %latch
latch:
  %next = add nuw nsw i64 %x, 1
  %more = icmp eq i64 %next, %threads
  br i1 %more, label %exit, label %thread, !llvm.loop !1
exit:
  ret void
}

; An index that may wrap: the test stays, and the range is that of all threads if it does.
; CHECK-LABEL: @multiple(
; CHECK: umul.with.overflow
; CHECK: %guard.end
; CHECK: thread:
; CHECK: icmp ult i32 %scaled, %n
; With a check that it does not wrap, a second version needs no test. All threads of the first run it.
; WIDE-LABEL: @multiple(
; WIDE: icmp sle i64 %{{.*}}, 4294967295
; WIDE: br i1 %{{.*}}, label %entry.split.wide, label %entry.split
; WIDE: entry.split.wide:
; WIDE: udiv i64
; WIDE: thread.wide:
; WIDE-NOT: icmp ult
; WIDE: [[AT:%.*]] = mul nuw nsw i64 %x.wide
; WIDE: getelementptr i32, ptr %part, i64 [[AT]]
; WIDE: icmp eq i64 %next.wide, %guard.end
; WIDE: {{^}}thread:
; WIDE: icmp ult i32 %scaled, %n
define void @multiple(ptr %part, i32 noundef %by, i32 noundef %n, i64 noundef %threads) {
entry:
  br label %thread
thread:
  %x = phi i64 [ 0, %entry ], [ %next, %latch ]
  %index = trunc i64 %x to i32
  %scaled = mul i32 %index, %by
  %passes = icmp ult i32 %scaled, %n
  br i1 %passes, label %add, label %latch
add:
  %wide = zext i32 %scaled to i64
  %at = getelementptr i32, ptr %part, i64 %wide
  store i32 7, ptr %at, !llvm.access.group !0
  br label %latch
latch:
  %next = add nuw nsw i64 %x, 1
  %more = icmp eq i64 %next, %threads
  br i1 %more, label %exit, label %thread, !llvm.loop !1
exit:
  ret void
}

; An index that does not wrap, with a step that may be below zero: a version for steps above.
; WIDE-LABEL: @maybe_down(
; WIDE: icmp sgt i64 %by, 0
; WIDE: thread.wide:
; WIDE-NOT: icmp slt
; WIDE: {{^}}thread:
; WIDE: icmp slt i64 %scaled, %n
define void @maybe_down(ptr %part, i64 noundef %by, i64 noundef %n, i64 noundef %threads) {
entry:
  br label %thread
thread:
  %x = phi i64 [ 0, %entry ], [ %next, %latch ]
  %scaled = mul nsw i64 %x, %by
  %less = icmp slt i64 %scaled, %n
  br i1 %less, label %body, label %latch
body:
  %at = getelementptr inbounds i32, ptr %part, i64 %scaled
  store i32 7, ptr %at, !llvm.access.group !0
  br label %latch
latch:
  %next = add nuw nsw i64 %x, 1
  %more = icmp eq i64 %next, %threads
  br i1 %more, label %exit, label %thread, !llvm.loop !1
exit:
  ret void
}
; An index of 64 bits that may wrap and begins below zero, so that its sum is not known not to wrap: two versions, not more.
; WIDE-LABEL: @negative(
; WIDE: thread.wide:
; WIDE-NOT: .wide.wide
; WIDE: ret void
define void @negative(ptr %part, i64 noundef %start, i64 noundef %by, i64 noundef %n, i64 noundef %threads) {
entry:
  br label %thread
thread:
  %x = phi i64 [ 0, %entry ], [ %next, %latch ]
  %scaled = mul i64 %x, %by
  %index = add i64 %scaled, %start
  %passes = icmp slt i64 %index, %n
  br i1 %passes, label %add, label %latch
add:
  %at = getelementptr i32, ptr %part, i64 %index
  store i32 7, ptr %at, !llvm.access.group !0
  br label %latch
latch:
  %next = add nuw nsw i64 %x, 1
  %more = icmp eq i64 %next, %threads
  br i1 %more, label %exit, label %thread, !llvm.loop !1
exit:
  ret void
}

; A step that may be below zero, of an index that does not wrap: the range is that of all threads if it is.
; CHECK-LABEL: @signed(
; CHECK-NOT: with.overflow
; CHECK: icmp sle i64 %step, 0
; CHECK: %guard.end
; CHECK: thread:
; CHECK: icmp slt i64 %index, %n
define void @signed(ptr %part, i64 noundef %step, i64 noundef %n, i64 noundef %threads) {
entry:
  br label %thread
thread:
  %x = phi i64 [ 0, %entry ], [ %next, %latch ]
  %index = mul nsw i64 %x, %step
  %passes = icmp slt i64 %index, %n
  br i1 %passes, label %add, label %latch
add:
  %at = getelementptr i32, ptr %part, i64 %index
  store i32 7, ptr %at, !llvm.access.group !0
  br label %latch
latch:
  %next = add nuw nsw i64 %x, 1
  %more = icmp eq i64 %next, %threads
  br i1 %more, label %exit, label %thread, !llvm.loop !1
exit:
  ret void
}

; `x + first >= 1`, as LLVM writes it: the first threads are left out.
; CHECK-LABEL: @positive(
; CHECK: %guard.first
; CHECK: thread:
; CHECK-NOT: icmp eq i64 %index, 0
; CHECK: ret void
define void @positive(ptr %part, i32 noundef %first, i64 noundef %threads) {
entry:
  %start = zext i32 %first to i64
  br label %thread
thread:
  %x = phi i64 [ 0, %entry ], [ %next, %latch ]
  %index = add nuw nsw i64 %x, %start
  %leaves = icmp eq i64 %index, 0
  br i1 %leaves, label %latch, label %add
add:
  %at = getelementptr i32, ptr %part, i64 %index
  store i32 7, ptr %at, !llvm.access.group !0
  br label %latch
latch:
  %next = add nuw nsw i64 %x, 1
  %more = icmp eq i64 %next, %threads
  br i1 %more, label %exit, label %thread, !llvm.loop !1
exit:
  ret void
}

; The border of a tile: a loop for the element of each thread, and then for the first thread's second.
; CHECK-LABEL: @border(
; CHECK: store i32 %{{.*}}, ptr %to.part
; CHECK: br i1 %{{.*}}, label %thread{{.*}}, label %thread.part
; CHECK: %guard.end
; CHECK-NOT: store i32 %v
; CHECK: store i32 %w, ptr %tile
; CHECK: ret void
define void @border(ptr %in, ptr %tile, i64 noundef %threads) {
entry:
  br label %thread
thread:
  %x = phi i64 [ 0, %entry ], [ %next, %latch ]
  %from = getelementptr i32, ptr %in, i64 %x
  %v = load i32, ptr %from, !llvm.access.group !0
  %next = add nuw nsw i64 %x, 1
  %to = getelementptr i32, ptr %tile, i64 %next
  store i32 %v, ptr %to, !llvm.access.group !0
  %passes = icmp eq i64 %x, 0
  br i1 %passes, label %first, label %latch
first:
  %before = getelementptr i32, ptr %from, i64 -1
  %w = load i32, ptr %before, !llvm.access.group !0
  store i32 %w, ptr %tile, !llvm.access.group !0
  br label %latch
latch:
  %more = icmp eq i64 %next, %threads
  br i1 %more, label %exit, label %thread, !llvm.loop !1
exit:
  ret void
}

; What the guarded code stores was loaded by the other: one loop.
; CHECK-LABEL: @needed(
; CHECK-NOT: .part
; CHECK: ret void
define void @needed(ptr %in, ptr %tile, i64 noundef %threads) {
entry:
  br label %thread
thread:
  %x = phi i64 [ 0, %entry ], [ %next, %latch ]
  %from = getelementptr i32, ptr %in, i64 %x
  %v = load i32, ptr %from, !llvm.access.group !0
  %next = add nuw nsw i64 %x, 1
  %to = getelementptr i32, ptr %tile, i64 %next
  store i32 %v, ptr %to, !llvm.access.group !0
  %passes = icmp eq i64 %x, 0
  br i1 %passes, label %first, label %latch
first:
  store i32 %v, ptr %tile, !llvm.access.group !0
  br label %latch
latch:
  %more = icmp eq i64 %next, %threads
  br i1 %more, label %exit, label %thread, !llvm.loop !1
exit:
  ret void
}

; Accesses in the order of the threads: one loop.
; CHECK-LABEL: @ordered(
; CHECK-NOT: .part
; CHECK: ret void
define void @ordered(ptr %in, ptr %tile, i64 noundef %threads) {
entry:
  br label %thread
thread:
  %x = phi i64 [ 0, %entry ], [ %next, %latch ]
  %next = add nuw nsw i64 %x, 1
  store i32 5, ptr %tile
  %passes = icmp eq i64 %x, 3
  br i1 %passes, label %first, label %latch
first:
  store i32 7, ptr %tile
  br label %latch
latch:
  %more = icmp eq i64 %next, %threads
  br i1 %more, label %exit, label %thread, !llvm.loop !1
exit:
  ret void
}

!0 = distinct !{}
!1 = distinct !{!1, !2, !3}
!2 = !{!"llvm.loop.parallel_accesses", !0}
!3 = !{!"xcc.threads"}
