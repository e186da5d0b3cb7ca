; No exception crosses device code: an invoke is a call, and landing pads go.
; A private array whose address is kept lives in scratch memory.
;
; Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; RUN: %block %s | %FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK: @catches = constant
; CHECK: @keeps = constant {{.*}} { i32 {{[0-9]+}}, i32 0, ptr @keeps.block, i32 0, i32 32,

declare void @work()
declare i32 @__gxx_personality_v0(...)

; CHECK-LABEL: define internal void @catches.block.team(
; CHECK-NOT: personality
; CHECK-NOT: invoke
; CHECK: call void @work()
; CHECK-NOT: landingpad
define void @catches(ptr %args) "xcc.cpu_kernel"="1" personality ptr @__gxx_personality_v0 {
  invoke void @work() to label %done unwind label %pad
pad:
  %l = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %l
done:
  ret void
}

; CHECK-LABEL: define internal void @keeps.block(
; CHECK: %array.all = getelementptr inbounds i8, ptr %scratch
; CHECK: getelementptr inbounds [32 x i8], ptr %array.all, i64
define void @keeps(ptr %args) "xcc.cpu_kernel"="1" {
  %array = alloca [8 x i32], align 16
  %t = call i32 @__xcc_linear_thread()
  %m = and i32 %t, 7
  %at = getelementptr [8 x i32], ptr %array, i32 0, i32 %m
  store i32 1, ptr %at
  call void @__xcc_block_barrier()
  %n = load i32, ptr %args
  %other = getelementptr [8 x i32], ptr %array, i32 0, i32 %n
  %v = load i32, ptr %other
  %to = getelementptr i8, ptr %args, i32 8
  %out = load ptr, ptr %to
  %slot = getelementptr i32, ptr %out, i32 %t
  store i32 %v, ptr %slot
  ret void
}

declare i32 @__xcc_thread_idx_x()
declare i32 @__xcc_block_idx_x()
declare i32 @__xcc_block_dim_x()
declare i32 @__xcc_linear_thread()
declare void @__xcc_block_barrier()
declare i32 @__xcc_warp_barrier()
