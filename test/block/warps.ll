; Kernels whose threads work together in warps have another form for blocks of
; whole warps: loops over lanes, in which what a warp is at is one thing. A warp
; sums up a row, and one of a block's warps does what the others do not.
;
; Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; RUN: %block %s | %FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK: @rows = constant {{.*}} { i32 {{[0-9]+}}, i32 4, ptr @rows.block, {{.*}}, i32 {{[0-9]+}}, i32 0, ptr @rows.warps,
; CHECK: @first = constant {{.*}} { i32 {{[0-9]+}}, i32 4, ptr @first.block, {{.*}}, i32 {{[0-9]+}}, i32 0, ptr @first.warps,
; CHECK: @some = constant {{.*}} { i32 {{[0-9]+}}, i32 4, ptr @some.block, {{.*}}, ptr @some.warps,
; CHECK: @sized = constant {{.*}} { i32 {{[0-9]+}}, i32 8, ptr @sized.block, {{.*}}, ptr @sized.warps, {{.*}}, ptr @sized.fits,
; CHECK: @turn = constant {{.*}} { i32 {{[0-9]+}}, i32 5, ptr @turn.thread, {{.*}}, ptr @turn.warps,
; CHECK: @parted = constant {{.*}} { i32 {{[0-9]+}}, i32 0, ptr @parted.block, i32 0, i32 4, i32 0, i32 0, i64 1 }
; CHECK: @waiting = constant {{.*}} { i32 {{[0-9]+}}, i32 0, ptr @waiting.block, i32 0, i32 4, i32 0, i32 0, i64 1 }

; The row of a warp is computed once, and its end asked for once; the turns are
; taken by all lanes together, and what a lane sums up is beside its neighbour's.
; CHECK-LABEL: define internal void @rows.warps
; CHECK-NOT: barrier
; CHECK: icmp ult i32 %{{.*}}, %count
; CHECK: %own.index = add nuw i64 %{{.*}}, %{{.*}}
; CHECK: icmp ult i64 %own.index, %width
; CHECK-NOT: barrier
; CHECK: icmp ult i32 %{{.*}}, 32
; CHECK: ret void
define void @rows(ptr %args) "xcc.cpu_kernel"="1" {
entry:
  %t = call i32 @__xcc_thread_idx_x()
  %b = call i32 @__xcc_block_idx_x()
  %d = call i32 @__xcc_block_dim_x()
  %before = mul i32 %b, %d
  %i = add i32 %before, %t
  %row = lshr i32 %i, 5
  %lane = and i32 %t, 31
  %count = load i32, ptr %args
  %pa = getelementptr i8, ptr %args, i64 8
  %p = load ptr, ptr %pa
  %is = icmp ult i32 %row, %count
  br i1 %is, label %work, label %done
work:
  %row64 = zext i32 %row to i64
  %start = mul i64 %row64, 1000
  %at0 = getelementptr float, ptr %p, i64 %start
  %lane64 = zext i32 %lane to i64
  %widtha = getelementptr i8, ptr %args, i64 16
  %width = load i64, ptr %widtha
  %any = icmp ult i64 %lane64, %width
  br i1 %any, label %turn, label %meet
turn:
  %k = phi i64 [ %lane64, %work ], [ %k.next, %turn ]
  %sum = phi float [ 0.0, %work ], [ %sum.next, %turn ]
  %at = getelementptr float, ptr %at0, i64 %k
  %v = load float, ptr %at
  %sum.next = fadd float %sum, %v
  %k.next = add nuw nsw i64 %k, 32
  %more = icmp ult i64 %k.next, %width
  br i1 %more, label %turn, label %meet
meet:
  %all = phi float [ 0.0, %work ], [ %sum.next, %turn ]
  %n = call i32 @__xcc_linear_thread()
  %slots = call ptr @__xcc_exchange()
  %mine = getelementptr float, ptr %slots, i32 %n
  store float %all, ptr %mine
  %there = call i32 @__xcc_warp_barrier()
  %isthere = and i32 %there, 1
  %n0 = and i32 %n, -32
  %its = getelementptr float, ptr %slots, i32 %n0
  %w = load float, ptr %its
  %again = call i32 @__xcc_warp_barrier()
  store float %w, ptr %at0
  br label %done
done:
  ret void
}

; What the first warp alone does is in a branch that its lanes take together.
; CHECK-LABEL: define internal void @first.warps
; CHECK-NOT: barrier
; CHECK: %is = icmp eq i32 %{{.*}}, 0
; CHECK: br i1 %is, label %[[WORK:region[0-9]+]], label
; CHECK: {{^}}[[WORK]]:
; CHECK-NEXT: br label %[[WORK]].row
; CHECK: ret void
define void @first(ptr %args) "xcc.cpu_kernel"="1" {
entry:
  %t = call i32 @__xcc_thread_idx_x()
  %p = load ptr, ptr %args
  %warp = lshr i32 %t, 5
  %is = icmp eq i32 %warp, 0
  br i1 %is, label %work, label %meet
work:
  %slots = call ptr @__xcc_exchange()
  %mine = getelementptr i32, ptr %slots, i32 %t
  store i32 %t, ptr %mine
  %there = call i32 @__xcc_warp_barrier()
  %other = xor i32 %t, 1
  %its = getelementptr i32, ptr %slots, i32 %other
  %w = load i32, ptr %its
  %at = getelementptr i32, ptr %p, i32 %t
  store i32 %w, ptr %at
  br label %meet
meet:
  call void @__xcc_block_barrier()
  %next = add i32 %t, 32
  %from = getelementptr i32, ptr %p, i32 %next
  store i32 1, ptr %from
  ret void
}

; Lanes that leave at the start are not in the loops and not in the mask; a warp of
; which all stay has loops of its own, and one of which none does nothing.
; CHECK-LABEL: define internal void @some.warps
; CHECK: %lanes.count = sub i32 [[HIGH:%.*]], 0
; CHECK: %lanes = and i32
; CHECK: switch i32 %{{.*}}, label %some [
; CHECK-NEXT: i32 32, label %all
; CHECK-NEXT: i32 0, label %none
; CHECK: store i32 -1, ptr %at.i
; CHECK: icmp ult i32 %{{.*}}, 32
; CHECK: store i32 %lanes, ptr %at
; CHECK: icmp ult i32 %{{.*}}, [[HIGH]]
define void @some(ptr %args) "xcc.cpu_kernel"="1" {
entry:
  %t = call i32 @__xcc_thread_idx_x()
  %p = load ptr, ptr %args
  %na = getelementptr i8, ptr %args, i64 8
  %n = load i32, ptr %na
  %is = icmp ult i32 %t, %n
  br i1 %is, label %work, label %done
work:
  %there = call i32 @__xcc_warp_barrier()
  %at = getelementptr i32, ptr %p, i32 %t
  store i32 %there, ptr %at
  br label %done
done:
  ret void
}

; Which row a warp has follows from a size that is an argument if that is a number of
; warps and nothing wraps. A test says so of a launch: it is 32 times what the code
; computes with. x / 32 == 0 is a comparison of x + 31 to LLVM.
; CHECK-LABEL: define internal void @sized.warps
; CHECK-NOT: barrier
; CHECK: [[WARPS:%.*]] = lshr i32 %size, 5
; CHECK: [[SIZE:%.*]] = shl nuw nsw i32 [[WARPS]], 5
; CHECK: %start = mul nuw nsw i32 %{{.*}}, [[SIZE]]
; CHECK: [[FIRST:%.*]] = add nuw nsw i32 %warp.first, %start
; CHECK: udiv i32 [[FIRST]], 32
; CHECK: icmp ult i32 [[FIRST]], 32
; CHECK: [[PART:%.*]] = lshr i32 [[FIRST]], 2
; CHECK: icmp eq i32 [[PART]], 8
; CHECK-NOT: barrier
; CHECK: ret void
; CHECK-LABEL: define internal void @sized.fits(
; CHECK: and i32 %{{.*}}, 31
; CHECK: store i64 1, ptr
; CHECK: store i64 0, ptr
define void @sized(ptr %args) "xcc.cpu_kernel"="1" {
entry:
  %t = call i32 @__xcc_thread_idx_x()
  %b = call i32 @__xcc_block_idx_x()
  %p = load ptr, ptr %args
  %sa = getelementptr inbounds i8, ptr %args, i64 8
  %size = load i32, ptr %sa
  %start = mul i32 %b, %size
  %i = add i32 %start, %t
  %row = sdiv i32 %i, 32
  %above = add i32 %i, 31
  %first = icmp ult i32 %above, 63
  %quarter = lshr i32 %i, 2
  %part = and i32 %quarter, -8
  %at = getelementptr i32, ptr %p, i32 %i
  br i1 %first, label %work, label %other
work:
  %there = call i32 @__xcc_warp_barrier()
  store i32 %there, ptr %at
  br label %done
other:
  %odd = icmp eq i32 %part, 8
  br i1 %odd, label %again, label %done
again:
  %these = call i32 @__xcc_warp_barrier()
  %sum = add i32 %these, %row
  store i32 %sum, ptr %at
  br label %done
done:
  ret void
}

; Threads below a bound that is no more than a warp need not be asked whether they are
; of the first warp. Warps are asked first.
; CHECK-LABEL: define internal void @turn.warps
; CHECK-NOT: barrier
; CHECK: [[TURN:%.*]] = icmp ult i32 %warp.first, 32
; CHECK: br i1 %below{{.*}}, label %some, label %ask
; CHECK-NOT: barrier
; CHECK: br i1 [[TURN]], label %region{{[0-9]+}}, label %region
; CHECK-NOT: barrier
; CHECK: ret void
define void @turn(ptr %args) "xcc.cpu_kernel"="1" {
entry:
  %t = call i32 @__xcc_thread_idx_x()
  %d = call i32 @__xcc_block_dim_x()
  %p = load ptr, ptr %args
  %warps = lshr i32 %d, 5
  %below = icmp ugt i32 %warps, %t
  br i1 %below, label %some, label %ask
some:
  %from = getelementptr i32, ptr %p, i32 %t
  %v = load i32, ptr %from
  br label %work
ask:
  %warp.too = icmp ult i32 %t, 32
  br i1 %warp.too, label %work, label %done
work:
  %has = phi i32 [ %v, %some ], [ 0, %ask ]
  %there = call i32 @__xcc_warp_barrier()
  %sum = add i32 %there, %has
  %at = getelementptr i32, ptr %p, i32 %t
  store i32 %sum, ptr %at
  br label %done
done:
  ret void
}

; Lanes that part before they work together, other than by leaving, do so in no
; form, nor do those that leave others waiting.
; CHECK-NOT: @parted.warps
define void @parted(ptr %args) "xcc.cpu_kernel"="1" {
entry:
  %t = call i32 @__xcc_thread_idx_x()
  %p = load ptr, ptr %args
  %at = getelementptr i32, ptr %p, i32 %t
  %lane = and i32 %t, 1
  %is = icmp eq i32 %lane, 0
  br i1 %is, label %work, label %done
work:
  %there = call i32 @__xcc_warp_barrier()
  store i32 %there, ptr %at
  br label %done
done:
  ret void
}
; CHECK-NOT: @waiting.warps
define void @waiting(ptr %args) "xcc.cpu_kernel"="1" {
entry:
  %t = call i32 @__xcc_thread_idx_x()
  %p = load ptr, ptr %args
  %na = getelementptr i8, ptr %args, i64 8
  %n = load i32, ptr %na
  %is = icmp ult i32 %t, %n
  br i1 %is, label %work, label %done
work:
  %there = call i32 @__xcc_warp_barrier()
  call void @__xcc_block_barrier()
  %at = getelementptr i32, ptr %p, i32 %t
  store i32 %there, ptr %at
  br label %done
done:
  ret void
}

declare i32 @__xcc_thread_idx_x()
declare i32 @__xcc_block_idx_x()
declare i32 @__xcc_block_dim_x()
declare i32 @__xcc_linear_thread()
declare i32 @__xcc_warp_barrier()
declare void @__xcc_block_barrier()
declare ptr @__xcc_exchange()
