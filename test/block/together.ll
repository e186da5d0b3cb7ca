; Loops without barriers that all threads can take together: the loop over the
; threads is the inner one, and what a thread sums up is in scratch memory.
;
; Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; RUN: %block %s | %FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK: @pairs = constant {{.*}} { i32 {{[0-9]+}}, i32 0, ptr @pairs.block, i32 0, i32 4,
; CHECK: @restricted = constant {{.*}} { i32 {{[0-9]+}}, i32 0, ptr @restricted.block, i32 0, i32 4,
; CHECK: @strided = constant {{.*}} { i32 {{[0-9]+}}, i32 2, ptr @strided.block, i32 0, i32 0,
; CHECK: @own.rows = constant {{.*}} { i32 {{[0-9]+}}, i32 0, ptr @own.rows.block, i32 0, i32 0,
; CHECK: @carried = constant {{.*}} { i32 {{[0-9]+}}, i32 0, ptr @carried.block, i32 0, i32 4,

; Every thread looks at all of the data; threads beyond it left at the start.
; CHECK-LABEL: define internal void @pairs.block
; CHECK: region1.x:
; CHECK: load float, ptr %{{.*}}, align 4, !llvm.access.group
; CHECK: region1.done:
; CHECK-NEXT: br i1 %{{.*}}, label %region1, label %region2
; CHECK: idle.done:
; CHECK-NEXT: br i1 %{{.*}}, label %region0, label %block.end
define void @pairs(ptr %args) "xcc.cpu_kernel"="1" {
entry:
  %t = call i32 @__xcc_thread_idx_x()
  %n = load i32, ptr %args
  %in = icmp ult i32 %t, %n
  br i1 %in, label %start, label %done
start:
  %pa = getelementptr i8, ptr %args, i64 8
  %p = load ptr, ptr %pa
  br label %turn
turn:
  %i = phi i32 [ 0, %start ], [ %next, %turn ]
  %sum = phi float [ 0.0, %start ], [ %sum.next, %turn ]
  %i64 = zext i32 %i to i64
  %at = getelementptr float, ptr %p, i64 %i64
  %v = load float, ptr %at
  %t.f = uitofp i32 %t to float
  %w = fmul float %v, %t.f
  %sum.next = fadd float %sum, %w
  %next = add nuw i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %turn, label %store, !llvm.loop !90
store:
  %qa = getelementptr i8, ptr %args, i64 16
  %q = load ptr, ptr %qa
  %t64 = zext i32 %t to i64
  %to = getelementptr float, ptr %q, i64 %t64
  store float %sum.next, ptr %to
  br label %done
done:
  ret void
}

; That pointers are __restrict changes none of this: here the kernel's are, and
; those of a function that the loop calls.
; CHECK-LABEL: define internal void @restricted.block
; CHECK: region1.x:
; CHECK: load float, ptr %{{.*}}, align 4, {{.*}}!llvm.access.group
; CHECK: region1.done:
; CHECK-NEXT: br i1 %{{.*}}, label %region1, label %region2
; CHECK: idle.done:
; CHECK-NEXT: br i1 %{{.*}}, label %region0, label %block.end
define void @restricted(ptr %args) "xcc.cpu_kernel"="1" {
entry:
  call void @llvm.experimental.noalias.scope.decl(metadata !0)
  %t = call i32 @__xcc_thread_idx_x()
  %n = load i32, ptr %args
  %in = icmp ult i32 %t, %n
  br i1 %in, label %start, label %done
start:
  %pa = getelementptr i8, ptr %args, i64 8
  %p = load ptr, ptr %pa
  br label %turn
turn:
  %i = phi i32 [ 0, %start ], [ %next, %turn ]
  %sum = phi float [ 0.0, %start ], [ %sum.next, %turn ]
  %i64 = zext i32 %i to i64
  %at = getelementptr float, ptr %p, i64 %i64
  call void @llvm.experimental.noalias.scope.decl(metadata !3)
  %v = load float, ptr %at, !noalias !0
  %t.f = uitofp i32 %t to float
  %w = fmul float %v, %t.f
  %sum.next = fadd float %sum, %w
  %next = add nuw i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %turn, label %store, !llvm.loop !90
store:
  %qa = getelementptr i8, ptr %args, i64 16
  %q = load ptr, ptr %qa
  %t64 = zext i32 %t to i64
  %to = getelementptr float, ptr %q, i64 %t64
  store float %sum.next, ptr %to, !alias.scope !0
  br label %done
done:
  ret void
}

; The threads of a block take the turns of its first one.
; CHECK-LABEL: define internal void @strided.block
; CHECK: %own.index = add nuw i64 %{{.*}}, %{{.*}}
; CHECK: %next.iteration = add i64
define void @strided(ptr %args) "xcc.cpu_kernel"="1" {
  %t = call i32 @__xcc_thread_idx_x()
  %b = call i32 @__xcc_block_idx_x()
  %d = call i32 @__xcc_block_dim_x()
  %g = call i32 @__xcc_grid_dim_x()
  %t64 = zext i32 %t to i64
  %b64 = zext i32 %b to i64
  %d64 = zext i32 %d to i64
  %g64 = zext i32 %g to i64
  %first = mul i64 %b64, %d64
  %start = add i64 %first, %t64
  %step = mul i64 %g64, %d64
  %n = load i64, ptr %args
  %pa = getelementptr i8, ptr %args, i64 8
  %p = load ptr, ptr %pa
  %in = icmp ult i64 %start, %n
  br i1 %in, label %enter, label %done
enter:
  br label %turn
turn:
  %i = phi i64 [ %start, %enter ], [ %next, %turn ]
  %at = getelementptr float, ptr %p, i64 %i
  %v = load float, ptr %at
  %w = fadd float %v, 1.0
  store float %w, ptr %at
  %next = add i64 %i, %step
  %more = icmp ult i64 %next, %n
  br i1 %more, label %turn, label %done
done:
  ret void
}

; Neighbouring threads are a row apart: each runs its own loop.
; CHECK-LABEL: define internal void @own.rows.block
; CHECK-NOT: region1
; CHECK: }
define void @own.rows(ptr %args) "xcc.cpu_kernel"="1" {
entry:
  %t = call i32 @__xcc_thread_idx_x()
  %n = load i32, ptr %args
  %pa = getelementptr i8, ptr %args, i64 8
  %p = load ptr, ptr %pa
  %row = mul i32 %t, %n
  br label %turn
turn:
  %i = phi i32 [ 0, %entry ], [ %next, %turn ]
  %index = add i32 %row, %i
  %i64 = zext i32 %index to i64
  %at = getelementptr float, ptr %p, i64 %i64
  store float 1.0, ptr %at
  %next = add nuw i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %turn, label %done
done:
  ret void
}

; An index that each thread carries on by a row is its own start and a counter
; of all threads: only the sum is kept.
; CHECK-LABEL: define internal void @carried.block
; CHECK: phi i64 [ 0, %{{.*}} ], [ %{{.*}}, %{{.*}} ]
; CHECK: region1.x:
; CHECK: load float, ptr %{{.*}}, align 4, !llvm.access.group
define void @carried(ptr %args) "xcc.cpu_kernel"="1" {
entry:
  %t = call i32 @__xcc_thread_idx_x()
  %n = load i32, ptr %args
  %width.at = getelementptr i8, ptr %args, i64 4
  %width = load i32, ptr %width.at
  %row = zext i32 %width to i64
  %pa = getelementptr i8, ptr %args, i64 8
  %p = load ptr, ptr %pa
  %t64 = zext i32 %t to i64
  %some = icmp ne i32 %n, 0
  br i1 %some, label %turn, label %done
turn:
  %i = phi i32 [ 0, %entry ], [ %next, %turn ]
  %index = phi i64 [ %t64, %entry ], [ %index.next, %turn ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %turn ]
  %at = getelementptr float, ptr %p, i64 %index
  %v = load float, ptr %at
  %sum.next = fadd float %sum, %v
  %index.next = add nsw i64 %index, %row
  %next = add nuw i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %turn, label %store, !llvm.loop !90
store:
  %qa = getelementptr i8, ptr %args, i64 16
  %q = load ptr, ptr %qa
  %to = getelementptr float, ptr %q, i64 %t64
  store float %sum.next, ptr %to
  br label %done
done:
  ret void
}

declare i32 @__xcc_thread_idx_x()
declare i32 @__xcc_block_idx_x()
declare i32 @__xcc_block_dim_x()
declare i32 @__xcc_grid_dim_x()

declare void @llvm.experimental.noalias.scope.decl(metadata)
!0 = !{!1}
!1 = !{!1, !2}
!2 = !{!2}
!3 = !{!4}
!4 = !{!4, !5}
!5 = !{!5}

; Several turns at once are another test (turns.ll).
!90 = distinct !{!90, !91}
!91 = !{!"llvm.loop.unroll.disable"}
