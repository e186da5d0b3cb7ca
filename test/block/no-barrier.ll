; A kernel without barriers that asks for indices along x alone: one loop, which
; covers the threads of a row that have work, and which the loop of all such
; kernels calls; a kernel object that has the kernel's name; and the image's header.
;
; Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; RUN: %block %s | %FileCheck %s
; RUN: %pipeline'<O3>' %s | %FileCheck %s --check-prefix=FAST

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK: @__xcc_image = externally_initialized global { i32, i32, ptr } { i32 {{[0-9]+}}, i32 0, ptr null }
; CHECK: @saxpy = constant {{.*}} { i32 {{[0-9]+}}, i32 0, ptr @saxpy.block, i32 0, i32 0, i32 24, i32 128, i64 12345 }

; CHECK-NOT: define {{.*}}@saxpy(
; CHECK: define internal void @saxpy.block.team(ptr {{.*}}%group, i32 {{.*}}range(i32 0, -2147483648) %block.x, i32 {{.*}}%block.y, i32 {{.*}}%block.z, i32 {{.*}}range(i32 1, 65537) %team.width)
; CHECK: region0.row:
; CHECK: %[[LEFT:.*]] = sub i32 %{{.*}}, %{{.*}}
; CHECK: br i1 %{{.*}}, label %region0.x, label %region0.done
; CHECK: region0.x:
; CHECK-NEXT: %thread.x = phi i32
; CHECK: br i1 %{{.*}}, label %region0.x, label %region0.done, !llvm.loop
; CHECK: define internal void @saxpy.block(ptr %group, i64 %first, i64 %last)
; CHECK: tail call void @xcc.team.rows(ptr %group, i64 %first, i64 %last, ptr @saxpy.block.team)

; Neighbouring threads use neighbouring memory, and no lane is masked.
; FAST: define internal void @saxpy.block.team
; FAST-NOT: masked
; FAST: load <8 x float>, ptr
; FAST-NOT: masked
; FAST: store <8 x float>

define void @saxpy(ptr noundef %args) "xcc.cpu_kernel"="12345" "xcc.max_threads"="128" "xcc.kernarg_size"="24" "target-cpu"="x86-64-v3" {
  %b = call i32 @__xcc_block_idx_x()
  %d = call i32 @__xcc_block_dim_x()
  %t = call i32 @__xcc_thread_idx_x()
  %m = mul i32 %b, %d
  %i = add i32 %m, %t
  %n = load i32, ptr %args
  %in = icmp ult i32 %i, %n
  br i1 %in, label %work, label %done
work:
  %xp = getelementptr i8, ptr %args, i64 8
  %x = load ptr, ptr %xp
  %yp = getelementptr i8, ptr %args, i64 16
  %y = load ptr, ptr %yp
  %i64 = zext i32 %i to i64
  %xi = getelementptr inbounds float, ptr %x, i64 %i64
  %yi = getelementptr inbounds float, ptr %y, i64 %i64
  %xv = load float, ptr %xi
  %yv = load float, ptr %yi
  %s = fadd float %xv, %yv
  store float %s, ptr %yi
  br label %done
done:
  ret void
}

declare i32 @__xcc_thread_idx_x()
declare i32 @__xcc_block_idx_x()
declare i32 @__xcc_block_dim_x()
declare i32 @__xcc_linear_thread()
declare void @__xcc_block_barrier()
declare i32 @__xcc_warp_barrier()
