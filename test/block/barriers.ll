; Barriers that all threads reach cut the kernel into regions. What is computed
; from the index is computed again; what was loaded is kept in scratch memory.
;
; Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; RUN: %block %s | %FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK: @straight = constant {{.*}} { i32 {{[0-9]+}}, i32 0, ptr @straight.block, i32 1024, i32 4, i32 0, i32 0, i64 1 }
; CHECK: @loop = constant {{.*}} { i32 {{[0-9]+}}, i32 0, ptr @loop.block, i32 1024, i32 4,
; CHECK: @branch = constant {{.*}} { i32 {{[0-9]+}}, i32 0, ptr @branch.block, i32 1024, i32 0,
; CHECK: @divergent = constant {{.*}} { i32 {{[0-9]+}}, i32 0, ptr @divergent.block,
; CHECK: @turns = constant {{.*}} { i32 {{[0-9]+}}, i32 1, ptr @turns.thread,
; CHECK: @leaves = constant {{.*}} { i32 {{[0-9]+}}, i32 0, ptr @leaves.block,
; CHECK: @warp = constant {{.*}} { i32 {{[0-9]+}}, i32 4, ptr @warp.block,
; CHECK: @joined = constant {{.*}} { i32 {{[0-9]+}}, i32 0, ptr @joined.block, i32 1024, i32 0,
; CHECK-NOT: @tile

@tile = internal global [256 x i32] poison, section ".xcc.shared"

; CHECK-LABEL: define internal void @straight.block
; CHECK-NOT: call {{.*}}barrier
; CHECK: region0.x.end:
; CHECK: store i32 %v, ptr %{{.*}}, align 4, !llvm.access.group
; CHECK: region1.x:
; CHECK: %[[KEPT:.*]] = load i32, ptr %{{.*}}, align 4, !llvm.access.group
define void @straight(ptr %args) "xcc.cpu_kernel"="1" {
  %t = call i32 @__xcc_linear_thread()
  %p = load ptr, ptr %args
  %at = getelementptr i32, ptr %p, i32 %t
  %v = load i32, ptr %at
  %slot = getelementptr [256 x i32], ptr @tile, i32 0, i32 %t
  store i32 %v, ptr %slot
  call void @__xcc_block_barrier()
  %other = xor i32 %t, 1
  %from = getelementptr [256 x i32], ptr @tile, i32 0, i32 %other
  %w = load i32, ptr %from
  %s = add i32 %v, %w
  store i32 %s, ptr %at
  ret void
}

; What only some threads have from memory, the last thread may not have: each has a
; place of its own, though all that have it have the same. An argument is for all.
; CHECK-LABEL: define internal void @some.block
; CHECK: %[[X:.*]] = phi i32 [ %v, %have ], [ 0, %body ]
; CHECK-NOT: phi
; CHECK: add i32 %x.kept{{.*}}, %n
; CHECK: region0.x.end:
; CHECK: store i32 %[[X]], ptr %{{.*}}, align 4, !llvm.access.group
; CHECK: region1.x:
; CHECK: load i32, ptr %{{.*}}, align 4, !llvm.access.group
define void @some(ptr %args) "xcc.cpu_kernel"="1" {
  %t = call i32 @__xcc_linear_thread()
  %p = load ptr, ptr %args
  %n.at = getelementptr i8, ptr %args, i64 8
  %n = load i32, ptr %n.at
  %has = icmp ult i32 %t, %n
  br i1 %has, label %have, label %meet
have:
  %v = load i32, ptr %p
  br label %meet
meet:
  %x = phi i32 [ %v, %have ], [ undef, %0 ]
  %y = phi i32 [ %n, %have ], [ undef, %0 ]
  call void @__xcc_block_barrier()
  br i1 %has, label %use, label %end
use:
  %at = getelementptr i32, ptr %p, i32 %t
  %s = add i32 %x, %y
  store i32 %s, ptr %at
  br label %end
end:
  ret void
}

; The counter is kept once; the loop's branch is behind the thread loops.
; CHECK-LABEL: define internal void @loop.block
; CHECK: region1:
; CHECK-NEXT: %[[I:.*]] = phi i32 [ 0, %{{.*}} ], [ %{{.*}}, %region2.done ]
; CHECK: region2.done:
; CHECK-NEXT: br i1 %{{.*}}, label %region1, label %region3
define void @loop(ptr %args) "xcc.cpu_kernel"="1" {
entry:
  %t = call i32 @__xcc_linear_thread()
  %n = load i32, ptr %args
  %slot = getelementptr [256 x i32], ptr @tile, i32 0, i32 %t
  br label %turn
turn:
  %i = phi i32 [ 0, %entry ], [ %next, %turn ]
  %sum = phi i32 [ 0, %entry ], [ %sum.next, %turn ]
  store i32 %sum, ptr %slot
  call void @__xcc_block_barrier()
  %v = load i32, ptr @tile
  %w = add i32 %v, %t
  %sum.next = add i32 %w, %sum
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %turn, label %done
done:
  store i32 %sum.next, ptr %slot
  ret void
}

; CHECK-LABEL: define internal void @branch.block
; CHECK: region0.done:
; CHECK-NEXT: br i1 %{{.*}}, label %region1, label %region
define void @branch(ptr %args) "xcc.cpu_kernel"="1" {
  %t = call i32 @__xcc_linear_thread()
  %n = load i32, ptr %args
  %slot = getelementptr [256 x i32], ptr @tile, i32 0, i32 %t
  %c = icmp ugt i32 %n, 7
  br i1 %c, label %yes, label %done
yes:
  store i32 %t, ptr %slot
  call void @__xcc_block_barrier()
  br label %done
done:
  store i32 %n, ptr %slot
  ret void
}

; The threads that do not come to the barrier have returned: the others are a loop.
; CHECK-LABEL: define internal void @divergent.block
define void @divergent(ptr %args) "xcc.cpu_kernel"="1" {
  %t = call i32 @__xcc_linear_thread()
  %c = icmp ugt i32 %t, 7
  br i1 %c, label %yes, label %done
yes:
  call void @__xcc_block_barrier()
  br label %done
done:
  ret void
}

; Each thread has its own number of barriers.
; CHECK-LABEL: define internal void @turns.thread(ptr {{.*}}%group, ptr {{.*}}%thread)
; CHECK: %[[B:.*]] = load ptr, ptr %{{.*}}, align 8, !invariant.load
; CHECK: call i32 %barrier(i32 1)
define void @turns(ptr %args) "xcc.cpu_kernel"="1" {
entry:
  %t = call i32 @__xcc_linear_thread()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void @__xcc_block_barrier()
  %next = add i32 %i, 1
  %c = icmp ult i32 %next, %t
  br i1 %c, label %loop, label %done
done:
  ret void
}

; CHECK-LABEL: define internal void @leaves.block
; CHECK-NOT: %barrier(
define void @leaves(ptr %args) "xcc.cpu_kernel"="1" {
  %t = call i32 @__xcc_linear_thread()
  %n = load i32, ptr %args
  %slot = getelementptr [256 x i32], ptr @tile, i32 0, i32 %t
  %c = icmp ugt i32 %t, %n
  br i1 %c, label %done, label %stay
stay:
  store i32 %t, ptr %slot
  call void @__xcc_block_barrier()
  %v = load i32, ptr @tile
  store i32 %v, ptr %slot
  br label %done
done:
  ret void
}

; All lanes that the warp has.
; CHECK-LABEL: define internal void @warp.block
; CHECK: %warp.mask = select i1 %{{.*}}, i32 -1, i32
define void @warp(ptr %args) "xcc.cpu_kernel"="1" {
  %t = call i32 @__xcc_linear_thread()
  %m = call i32 @__xcc_warp_barrier()
  %slot = getelementptr [256 x i32], ptr @tile, i32 0, i32 %t
  store i32 %m, ptr %slot
  ret void
}

; What both paths compute in the same way is the index all the same, and is
; computed again after the barrier.
define void @joined(ptr %args) "xcc.cpu_kernel"="1" {
  %t = call i32 @__xcc_thread_idx_x()
  %few = icmp slt i32 %t, 100
  br i1 %few, label %own, label %none
own:
  %own.index = zext i32 %t to i64
  %p = load ptr, ptr %args
  %from = getelementptr i32, ptr %p, i64 %own.index
  %v = load i32, ptr %from
  br label %both
none:
  %index.of.none = zext i32 %t to i64
  br label %both
both:
  %index = phi i64 [ %own.index, %own ], [ %index.of.none, %none ]
  %part = phi i32 [ %v, %own ], [ 0, %none ]
  %slot = getelementptr [256 x i32], ptr @tile, i64 0, i64 %index
  store i32 %part, ptr %slot
  call void @__xcc_block_barrier()
  %w = load i32, ptr %slot
  %q = load ptr, ptr %args
  %to = getelementptr i32, ptr %q, i64 %index
  store i32 %w, ptr %to
  ret void
}

declare i32 @__xcc_thread_idx_x()
declare i32 @__xcc_block_idx_x()
declare i32 @__xcc_block_dim_x()
declare i32 @__xcc_linear_thread()
declare void @__xcc_block_barrier()
declare i32 @__xcc_warp_barrier()
