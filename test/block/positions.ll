; Where a lane is in the source: numbers of calls, iterations of the loops around
; them, and which function an indirect call runs.
;
; Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; RUN: %opt -passes=xcc-prepare -S %s | %FileCheck %s
; RUN: %block %s | %FileCheck --check-prefix=LOWERED %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare i32 @__xcc_warp_barrier()
declare i32 @__xcc_linear_thread()

; The only operation, in no loop: where its caller is says all.
; CHECK-LABEL: define internal i32 @vote(
; CHECK-NEXT: call i32 @__xcc_warp_barrier()
define internal i32 @vote() {
  %m = call i32 @__xcc_warp_barrier()
  ret i32 %m
}

; The first arm, the second, and behind both.
; CHECK-LABEL: define internal void @arms(
; CHECK: %position = call ptr @__xcc_position()
; CHECK: call void (ptr, ...) @__xcc_at(ptr %position, i64 0)
; CHECK-NEXT: call i32 @vote()
; CHECK: call void (ptr, ...) @__xcc_at(ptr %position, i64 1)
; CHECK-NEXT: call i32 @vote()
; CHECK: call void (ptr, ...) @__xcc_at(ptr %position, i64 2)
; CHECK-NEXT: call i32 @vote()
define internal void @arms(i1 %c) {
  br i1 %c, label %yes, label %no
yes:
  call i32 @vote()
  br label %end
no:
  call i32 @vote()
  br label %end
end:
  call i32 @vote()
  ret void
}

; An iteration, and within it the operation before the break as well as the one that
; the loop comes back from; behind the loop the iteration counts no more.
; CHECK-LABEL: define internal void @loop(
; CHECK: %iteration = alloca i64
; CHECK: store i64 0, ptr %iteration
; CHECK: for.cond:
; CHECK: %iteration1 = add i64 %{{.*}}, 1
; CHECK: store i64 %iteration1, ptr %iteration
; CHECK: if.then:
; CHECK: %[[T:.*]] = load i64, ptr %iteration
; CHECK: @__xcc_at(ptr %position, i64 0, i64 %[[T]], i64 0)
; CHECK: if.end:
; CHECK: %[[T:.*]] = load i64, ptr %iteration
; CHECK: @__xcc_at(ptr %position, i64 0, i64 %[[T]], i64 1)
; CHECK: for.end:
; CHECK: @__xcc_at(ptr %position, i64 1)
; CHECK-NEXT: call i32 @vote()
define internal void @loop(i32 %n, i32 %k) {
entry:
  br label %for.cond
for.cond:
  %i = phi i32 [ 0, %entry ], [ %next, %if.end ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %for.body, label %for.end
for.body:
  %found = icmp eq i32 %i, %k
  br i1 %found, label %if.then, label %if.end
if.then:
  call i32 @vote()
  br label %for.end
if.end:
  call i32 @vote()
  %next = add i32 %i, 1
  br label %for.cond
for.end:
  call i32 @vote()
  ret void
}

; CHECK-LABEL: define internal void @pointed(
; CHECK: @__xcc_at(ptr %position, i64 [[N:[0-9]+]])
; CHECK-NEXT: call i32 @vote()
; CHECK: call void (ptr, ...) @__xcc_at(ptr %position)
; CHECK-NEXT: ret void
define internal void @pointed() {
  call i32 @vote()
  ret void
}
@table = internal global ptr @pointed

; LOWERED-LABEL: define internal void @kernel.thread
; LOWERED-NOT: @__xcc_at
; LOWERED: getelementptr inbounds i8, ptr %thread, i64 40
; LOWERED-NOT: @__xcc_at
; LOWERED: ret void
define void @kernel(ptr %args) "xcc.cpu_kernel"="1" {
  %t = call i32 @__xcc_linear_thread()
  %c = trunc i32 %t to i1
  call void @arms(i1 %c)
  call void @loop(i32 %t, i32 3)
  %f = load volatile ptr, ptr @table
  call void %f()
  ret void
}

; All threads come to it together: nobody asks where they are.
; LOWERED-LABEL: define internal void @uniform.block
; LOWERED-NOT: iteration
; LOWERED-NOT: @__xcc_position
; LOWERED: ret void
define void @uniform(ptr %args) "xcc.cpu_kernel"="2" {
  %n = load i32, ptr %args
  call void @loop(i32 %n, i32 3)
  ret void
}
