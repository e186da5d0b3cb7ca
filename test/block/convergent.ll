; A function that waits for other threads is called by all of them at once, also
; where a pass would gain by a call in each arm of a branch; others are not held
; back.
;
; Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; RUN: %opt -passes='xcc-prepare,function(callsite-splitting)' -S %s | %FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare i32 @__xcc_warp_barrier()

define internal i64 @waits(i32 %v) noinline {
  %odd = trunc i32 %v to i1
  %all = call i64 @inner(i1 %odd)
  ret i64 %all
}
define internal i64 @inner(i1 %p) noinline {
  %lanes = call i32 @__xcc_warp_barrier()
  %all = zext i32 %lanes to i64
  ret i64 %all
}
define internal i64 @free(i32 %v) noinline {
  %w = zext i32 %v to i64
  ret i64 %w
}

; CHECK-LABEL: define void @kernel(
; CHECK: call {{.*}}@free
; CHECK: call {{.*}}@free
; CHECK: call {{.*}}@waits
; CHECK-NOT: call {{.*}}@waits
; CHECK: ret void
define void @kernel(ptr %args) "xcc.cpu_kernel"="1" {
  %n = load i32, ptr %args
  %few = icmp ult i32 %n, 7
  br i1 %few, label %one, label %two
one:
  store i32 1, ptr %args
  br label %join
two:
  br label %join
join:
  %x = phi i32 [5, %one], [7, %two]
  %r = call i64 @free(i32 %x)
  store i64 %r, ptr %args
  br i1 %few, label %three, label %four
three:
  store i32 2, ptr %args
  br label %end
four:
  br label %end
end:
  %y = phi i32 [5, %three], [7, %four]
  %s = call i64 @waits(i32 %y)
  store i64 %s, ptr %args
  ret void
}
