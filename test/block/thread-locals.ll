; Variables of a device thread's own: a kernel has those that it reaches, also by
; a call of who knows what, in a record that each of its threads makes and goes
; back to behind a barrier. Other kernels know nothing of them.
;
; Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; RUN: %block %s | %FileCheck %s
; RUN: %block %s -xcc-block-force-fibers | %FileCheck %s --check-prefix=FIBERS

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@count = thread_local global i32 7
@many = thread_local global [4 x i32] [i32 1, i32 2, i32 3, i32 4]
@library = external thread_local global i32

; CHECK-NOT: @count =
; CHECK-NOT: @many =
; CHECK: @library = external thread_local global i32
; CHECK: @__xcc_thread_locals = internal thread_local global ptr null
; CHECK: @count.initial = private constant i32 7
; CHECK: @count.record = internal global { i64, i64, ptr } { i64 4, i64 4, ptr @count.initial }

; What no kernel of this image started asks the runtime.
; CHECK-LABEL: define {{.*}}i32 @next()
; CHECK: call ptr @__xcc_thread_local.count()
define i32 @next() {
  %a = call ptr @llvm.threadlocal.address.p0(ptr @count)
  %old = load i32, ptr %a
  %new = add i32 %old, 1
  store i32 %new, ptr %a
  ret i32 %new
}

; CHECK-LABEL: define internal ptr @__xcc_thread_local.count()
; CHECK: %own = load ptr, ptr %{{.*}}
; CHECK: ret ptr %own
; CHECK: call ptr @__xcc_foreign_thread_local(ptr @count.record)
; CHECK-LABEL: define internal {{.*}}ptr @__xcc_foreign_thread_local(
; CHECK: %thread_local_address = load ptr

; CHECK-LABEL: define internal void @plain.block.team(
; CHECK-NOT: thread_locals
; CHECK: ret void
define void @plain(ptr noundef %args) "xcc.cpu_kernel"="1" "xcc.kernarg_size"="8" {
  %p = load ptr, ptr %args
  store i32 1, ptr %p
  ret void
}

; The count alone.
; CHECK-LABEL: define internal void @counts.block.team(
; CHECK: %threadlocals = alloca [4 x i8], align 4
; CHECK-NOT: memcpy
; CHECK: store i32 7, ptr %threadlocals
; CHECK: store ptr %threadlocals, ptr
; CHECK-NOT: memcpy
; CHECK: store ptr null, ptr
; CHECK: ret void
define void @counts(ptr noundef %args) "xcc.cpu_kernel"="2" "xcc.kernarg_size"="8" {
  %p = load ptr, ptr %args
  %n = call i32 @next()
  store i32 %n, ptr %p
  %l = call ptr @llvm.threadlocal.address.p0(ptr @library)
  store i32 %n, ptr %l
  ret void
}

; Both, and again behind the barrier.
; CHECK-LABEL: define internal void @waits.block(
; CHECK: memcpy
; CHECK: store ptr %[[RECORD:.*]], ptr
; CHECK: call i32 @next()
; CHECK: region1
; CHECK: store ptr %{{.*}}, ptr %
; CHECK: call i32 @next()
; FIBERS-LABEL: define internal void @waits.thread(
; FIBERS: store ptr %threadlocals, ptr %
; FIBERS: call i32 %barrier(i32 1)
; FIBERS-NEXT: %[[AGAIN:.*]] = call ptr @llvm.threadlocal.address
; FIBERS-NEXT: store ptr %threadlocals, ptr %[[AGAIN]]
define void @waits(ptr noundef %args) "xcc.cpu_kernel"="3" "xcc.kernarg_size"="8" {
  %p = load ptr, ptr %args
  %a = call ptr @llvm.threadlocal.address.p0(ptr @many)
  %n = call i32 @next()
  call void @__xcc_block_barrier()
  %m = call i32 @next()
  %sum = add i32 %n, %m
  store i32 %sum, ptr %p
  store i32 %sum, ptr %a
  ret void
}

; CHECK-LABEL: define internal void @unknown.block.team(
; CHECK: store i32 7, ptr %threadlocals
define void @unknown(ptr noundef %args) "xcc.cpu_kernel"="4" "xcc.kernarg_size"="8" {
  %f = load ptr, ptr %args
  %n = call i32 %f()
  ret void
}
@taken = global ptr @next

declare ptr @llvm.threadlocal.address.p0(ptr)
declare void @__xcc_block_barrier()
