; Functions that cannot be inlined into their kernel ask the runtime for their
; thread, whose record the kernel keeps; a barrier in one needs fibers.
;
; Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; RUN: %block %s | %FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK: @recurses = constant {{.*}} { i32 {{[0-9]+}}, i32 0, ptr @recurses.block, i32 16,
; CHECK: @calls = constant {{.*}} { i32 {{[0-9]+}}, i32 1, ptr @calls.thread,

@shared = internal global i32 poison, section ".xcc.shared"

; CHECK-LABEL: define internal {{.*}}i32 @count(
; CHECK: %thread = call ptr %current_thread()
; CHECK: load ptr, ptr %{{.*}}, align 8
; CHECK: icmp ne ptr %image, @__xcc_image
; CHECK: call void @__xcc_trap(
; CHECK-NOT: call {{.*}}@__xcc_
define internal i32 @count(i32 %n) memory(none) {
  %t = call i32 @__xcc_thread_idx_x()
  %v = load i32, ptr @shared
  %end = icmp eq i32 %n, 0
  br i1 %end, label %done, label %more
more:
  %m = sub i32 %n, 1
  %r = call i32 @count(i32 %m)
  %s = add i32 %r, %t
  ret i32 %s
done:
  ret i32 %v
}

; CHECK-LABEL: define internal void @waits(
; CHECK: call i32 %barrier(i32 1)
define internal void @waits() noinline {
  call void @__xcc_block_barrier()
  ret void
}

; CHECK-LABEL: define internal void @recurses.block
; CHECK: call i32 @count
; CHECK: %thread.record = load ptr
; CHECK: store i32 %thread.x, ptr %thread.record
; CHECK: store ptr %group, ptr
define void @recurses(ptr %args) "xcc.cpu_kernel"="1" {
  %n = load i32, ptr %args
  %p = getelementptr i32, ptr %args, i32 1
  %v = call i32 @count(i32 %n)
  %out = load ptr, ptr %args
  store i32 %v, ptr %out
  ret void
}

define void @calls(ptr %args) "xcc.cpu_kernel"="1" {
  %f = load volatile ptr, ptr @table
  call void %f()
  ret void
}
@table = internal global ptr @waits

declare i32 @__xcc_thread_idx_x()
declare i32 @__xcc_block_idx_x()
declare i32 @__xcc_block_dim_x()
declare i32 @__xcc_linear_thread()
declare void @__xcc_block_barrier()
declare i32 @__xcc_warp_barrier()
