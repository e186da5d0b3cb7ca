; A loop that adds to an atomic float until nobody was faster is one operation,
; also where the optimizer has put its first turn in front of it. It waits for
; nobody: blocks of such a kernel are run side by side. One of which the result
; is used stays.
;
; Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; RUN: %block %s | %FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define internal void @adds.block.team(
; CHECK-NOT: cmpxchg
; CHECK: atomicrmw fadd ptr %p, float %v monotonic, align 4
; CHECK-NOT: cmpxchg
; CHECK: ret void
define void @adds(ptr %args) "xcc.cpu_kernel"="1" {
entry:
  %t = call i32 @__xcc_thread_idx_x()
  %b = call i32 @__xcc_block_idx_x()
  %d = call i32 @__xcc_block_dim_x()
  %start = mul i32 %b, %d
  %i = add i32 %start, %t
  %v = uitofp i32 %i to float
  %p = load ptr, ptr %args
  %guess = load atomic i32, ptr %p monotonic, align 4
  %guess.f = bitcast i32 %guess to float
  %sum0 = fadd float %v, %guess.f
  %new0 = bitcast float %sum0 to i32
  %pair0 = cmpxchg weak ptr %p, i32 %guess, i32 %new0 monotonic monotonic, align 4
  %ok0 = extractvalue { i32, i1 } %pair0, 1
  br i1 %ok0, label %done, label %again
again:
  %pair = phi { i32, i1 } [ %pair1, %again ], [ %pair0, %entry ]
  %tries = phi i32 [ %more, %again ], [ 0, %entry ]
  %old = extractvalue { i32, i1 } %pair, 0
  call void @__xcc_poll(i32 %tries)
  %more = call i32 @llvm.uadd.sat.i32(i32 %tries, i32 1)
  %old.f = bitcast i32 %old to float
  %sum1 = fadd float %v, %old.f
  %new1 = bitcast float %sum1 to i32
  %pair1 = cmpxchg weak ptr %p, i32 %old, i32 %new1 monotonic monotonic, align 4
  %ok1 = extractvalue { i32, i1 } %pair1, 1
  br i1 %ok1, label %done, label %again
done:
  ret void
}

; CHECK-LABEL: define internal void @whole.block
; CHECK: atomicrmw fsub ptr %p, double %v monotonic, align 8
; CHECK: ret void
define void @whole(ptr %args) "xcc.cpu_kernel"="1" {
entry:
  %t = call i32 @__xcc_thread_idx_x()
  %v = uitofp i32 %t to double
  %p = load ptr, ptr %args
  %guess = load atomic i64, ptr %p monotonic, align 8
  br label %try
try:
  %old = phi i64 [ %guess, %entry ], [ %found, %wait ]
  %old.f = bitcast i64 %old to double
  %less = fsub double %old.f, %v
  %new = bitcast double %less to i64
  %pair = cmpxchg weak ptr %p, i64 %old, i64 %new monotonic monotonic, align 8
  %found = extractvalue { i64, i1 } %pair, 0
  %ok = extractvalue { i64, i1 } %pair, 1
  br i1 %ok, label %done, label %wait
wait:
  call void @__xcc_poll(i32 0)
  br label %try
done:
  ret void
}

; CHECK-LABEL: define internal void @asks.block
; CHECK: cmpxchg
; CHECK: ret void
define void @asks(ptr %args) "xcc.cpu_kernel"="1" {
entry:
  %t = call i32 @__xcc_thread_idx_x()
  %p = load ptr, ptr %args
  %guess = load atomic i32, ptr %p monotonic, align 4
  %new0 = add i32 %guess, %t
  %pair0 = cmpxchg weak ptr %p, i32 %guess, i32 %new0 monotonic monotonic, align 4
  %ok0 = extractvalue { i32, i1 } %pair0, 1
  br i1 %ok0, label %done, label %again
again:
  %pair = phi { i32, i1 } [ %pair1, %again ], [ %pair0, %entry ]
  %old = extractvalue { i32, i1 } %pair, 0
  call void @__xcc_poll(i32 0)
  %new1 = add i32 %old, %t
  %pair1 = cmpxchg weak ptr %p, i32 %old, i32 %new1 monotonic monotonic, align 4
  %ok1 = extractvalue { i32, i1 } %pair1, 1
  br i1 %ok1, label %done, label %again
done:
  %result = phi i32 [ %guess, %entry ], [ %old, %again ]
  %at = getelementptr i32, ptr %p, i32 %t
  store i32 %result, ptr %at
  ret void
}

declare i32 @__xcc_thread_idx_x()
declare i32 @__xcc_block_idx_x()
declare i32 @__xcc_block_dim_x()
declare void @__xcc_poll(i32)
declare i32 @llvm.uadd.sat.i32(i32, i32)
