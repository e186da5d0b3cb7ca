; Expressions that LLVM computes on each path, and in the upper half of 64 bits:
; behind a barrier they are computed again, and neighbours' elements are seen to be
; beside each other.
;
; Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; RUN: %block %s | %FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; A check that one path has made is a constant there. It is computed again, with
; what it is computed from: it ends the loop over the threads, and nothing is kept in
; scratch memory.
; CHECK: @bounds = constant {{.*}} ptr @bounds.block, i32 0, i32 0,
; CHECK-LABEL: define internal void @bounds.block
; CHECK: region1
; CHECK: icmp slt i32 %thread.x
; CHECK: br i1 true, label %inside, label %done
define void @bounds(ptr %args) "xcc.cpu_kernel"="1" {
entry:
  %t = call i32 @__xcc_thread_idx_x()
  %n = load i32, ptr %args
  %slot = getelementptr i8, ptr %args, i64 8
  %p = load ptr, ptr %slot
  %at = getelementptr i32, ptr %p, i32 %t
  %first = icmp eq i32 %t, 0
  br i1 %first, label %left, label %other
left:
  store i32 1, ptr %at
  %last.left = add i32 %n, -1
  %in.left = icmp slt i32 %t, %last.left
  br label %join
other:
  %last = add i32 %n, -1
  %in.other = icmp slt i32 %t, %last
  %end = icmp eq i32 %t, 16
  %both = select i1 %end, i1 %in.other, i1 false
  br i1 %both, label %right, label %join
right:
  store i32 2, ptr %at
  br label %join
join:
  %in = phi i1 [ %in.left, %left ], [ true, %right ], [ %in.other, %other ]
  call void @__xcc_block_barrier()
  br i1 %in, label %inside, label %done
inside:
  store i32 3, ptr %at
  br label %done
done:
  ret void
}

; What threads neither set nor use is not kept for them from one round to the next:
; the first loop only writes it.
; CHECK-LABEL: define internal void @guarded.block
; CHECK: %v.set = phi i32 [ 0, %loop ], [ %read, %set ]
; CHECK: region2{{.*}}:
; CHECK-NOT: load i32
; CHECK: store i32 %v.set, ptr
; CHECK: region3
; CHECK: call i32 @llvm.umin.i32
define void @guarded(ptr %args) "xcc.cpu_kernel"="1" {
entry:
  %x = call i32 @__xcc_thread_idx_x()
  %p = load ptr, ptr %args
  %at = getelementptr i32, ptr %p, i32 %x
  call void @__xcc_block_barrier()
  br label %loop
loop:
  %v = phi i32 [ undef, %entry ], [ %v.set, %next ]
  %o = phi i32 [ 1, %entry ], [ %o.next, %next ]
  %below = icmp ult i32 %x, %o
  br i1 %below, label %join, label %set
set:
  %from = sub i32 %x, %o
  %from.at = getelementptr i32, ptr %p, i32 %from
  %read = load i32, ptr %from.at
  br label %join
join:
  %v.set = phi i32 [ %v, %loop ], [ %read, %set ]
  call void @__xcc_block_barrier()
  br i1 %below, label %next, label %use
use:
  %old = load i32, ptr %at
  %sum = add i32 %old, %v.set
  store i32 %sum, ptr %at
  br label %next
next:
  call void @__xcc_block_barrier()
  %o.next = shl i32 %o, 1
  %more = icmp ult i32 %o.next, 256
  br i1 %more, label %loop, label %done
done:
  ret void
}

; A sum in the upper half is one of 32 bits, extended.
; CHECK-LABEL: define internal void @shifted.block
; CHECK: [[SUM:%.*]] = add i32 %thread.x, 2
; CHECK: [[WIDE:%.*]] = sext i32 [[SUM]] to i64
; CHECK: shl nsw i64 [[WIDE]], 2
; CHECK: [[NARROW:%.*]] = trunc i64 %narrow to i32
; CHECK-NEXT: [[NEXT:%.*]] = add nuw nsw i32 [[NARROW]], 1
; CHECK-NEXT: sext i32 [[NEXT]] to i64
; CHECK-NOT: shr
; CHECK: ret void
; A block of several rows is vectors of one row.
; CHECK: !"llvm.loop.interleave.count", i32 1
define void @shifted(ptr %args) "xcc.cpu_kernel"="1" {
entry:
  %x = call i32 @__xcc_thread_idx_x()
  %y = call i32 @__xcc_thread_idx_y()
  %p = load ptr, ptr %args
  %wide = zext i32 %x to i64
  %upper = shl nuw i64 %wide, 32
  %sum = add i64 %upper, 8589934592
  %offset = ashr exact i64 %sum, 30
  %at = getelementptr i8, ptr %p, i64 %offset
  store i32 %y, ptr %at
  %narrow = and i64 %wide, 1023
  %positive = shl nuw nsw i64 %narrow, 32
  %next = add nuw nsw i64 %positive, 4294967296
  %beside = lshr exact i64 %next, 30
  %neighbour = getelementptr i8, ptr %p, i64 %beside
  store i32 %y, ptr %neighbour
  call void @__xcc_block_barrier()
  store i32 0, ptr %p
  ret void
}

declare i32 @__xcc_thread_idx_x()
declare i32 @__xcc_thread_idx_y()
declare void @__xcc_block_barrier()
