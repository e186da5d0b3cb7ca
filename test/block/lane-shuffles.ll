; Lanes that read each other's slots, where it is known which lane reads which, do
; so by one load of the warp's slots and a shuffle before the loop over lanes.
;
; Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; RUN: %block %s | %FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define internal void @swapped.warps
; CHECK: [[ALL:%.*]] = load <32 x i32>, ptr
; CHECK: shufflevector <32 x i32> [[ALL]], {{.*}} <32 x i32> <i32 16, i32 17,
; CHECK-LABEL: define internal void @swapped.block
define void @swapped(ptr %args) "xcc.cpu_kernel"="1" {
entry:
  %lane = call i32 @lane(ptr %args)
  %other = xor i32 %lane, 16
  call void @readFrom(ptr %args, i32 %other)
  ret void
}

; The last lanes read their own.
; CHECK-LABEL: define internal void @down.warps
; CHECK: [[ALL:%.*]] = load <32 x i32>, ptr
; CHECK: shufflevector <32 x i32> [[ALL]], {{.*}} <32 x i32> <i32 4, i32 5, {{.*}} i32 31, i32 28, i32 29, i32 30, i32 31>
; CHECK-LABEL: define internal void @down.block
define void @down(ptr %args) "xcc.cpu_kernel"="1" {
entry:
  %lane = call i32 @lane(ptr %args)
  %next = add i32 %lane, 4
  %in = icmp ult i32 %lane, 28
  %other = select i1 %in, i32 %next, i32 %lane
  call void @readFrom(ptr %args, i32 %other)
  ret void
}

; CHECK-LABEL: define internal void @round.warps
; CHECK: [[ALL:%.*]] = load <32 x i32>, ptr
; CHECK: shufflevector <32 x i32> [[ALL]], {{.*}} <32 x i32> <i32 3, i32 4, {{.*}} i32 31, i32 0, i32 1, i32 2>
; CHECK-LABEL: define internal void @round.block
define void @round(ptr %args) "xcc.cpu_kernel"="1" {
entry:
  %lane = call i32 @lane(ptr %args)
  %next = add i32 %lane, 3
  %other = and i32 %next, 31
  call void @readFrom(ptr %args, i32 %other)
  ret void
}

; Which lane is read is not known.
; CHECK-LABEL: define internal void @any.warps
; CHECK-NOT: load <32
; CHECK-LABEL: define internal void @any.block
define void @any(ptr %args) "xcc.cpu_kernel"="1" {
entry:
  %lane = call i32 @lane(ptr %args)
  %bya = getelementptr i8, ptr %args, i64 16
  %by = load i32, ptr %bya
  %other = xor i32 %lane, %by
  call void @readFrom(ptr %args, i32 %other)
  ret void
}

define internal i32 @lane(ptr %args) alwaysinline convergent {
  %n = call i32 @__xcc_linear_thread()
  %lane = and i32 %n, 31
  ret i32 %lane
}

; Warps of which the number is odd have left.
define internal void @readFrom(ptr %args, i32 %lane) alwaysinline convergent {
  %t = call i32 @__xcc_thread_idx_x()
  %row = lshr i32 %t, 5
  %odd = and i32 %row, 1
  %is = icmp eq i32 %odd, 0
  br i1 %is, label %work, label %done
work:
  %pa = getelementptr i8, ptr %args, i64 8
  %p = load ptr, ptr %pa
  %n = call i32 @__xcc_linear_thread()
  %at = getelementptr i32, ptr %p, i32 %n
  %v = load i32, ptr %at
  %slots = call ptr @__xcc_exchange()
  %mine = getelementptr i32, ptr %slots, i32 %n
  store i32 %v, ptr %mine
  %there = call i32 @__xcc_warp_barrier()
  %here = lshr i32 %there, %lane
  %bit = and i32 %here, 1
  %isthere = icmp ne i32 %bit, 0
  br i1 %isthere, label %read, label %behind
read:
  %first = and i32 %n, -32
  %slot = or i32 %first, %lane
  %its = getelementptr i32, ptr %slots, i32 %slot
  %w = load i32, ptr %its
  br label %behind
behind:
  %got = phi i32 [ %w, %read ], [ %v, %work ]
  %again = call i32 @__xcc_warp_barrier()
  store i32 %got, ptr %at
  br label %done
done:
  ret void
}

declare i32 @__xcc_thread_idx_x()
declare i32 @__xcc_linear_thread()
declare ptr @__xcc_exchange()
declare i32 @__xcc_warp_barrier() convergent
