; Blocks side by side: a kernel that knows its index in the grid alone runs the
; blocks of a row as one wide block; one that tells blocks apart does not.
;
; Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; RUN: %block %s | %FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define internal void @by.index.block.team(
; CHECK: region0.x.end:
; CHECK: icmp ult i32 %{{.*}}, %team.width
; CHECK-LABEL: define internal void @xcc.team.rows(ptr %group, i64 %first, i64 %last, ptr %code)
; CHECK: %rows = mul nuw i32 %block.dim.y, %block.dim.z
; CHECK: block:
; CHECK: %[[INROW:.*]] = sub nuw i32 %{{.*}}, %block.x
; CHECK: %team = call i32 @llvm.umin.i32(i32 %[[INROW]],
; CHECK: %team.width = mul nuw nsw i32 %team,
; CHECK: row:
; CHECK: call void %code(ptr %group, i32 %block.x, i32 %block.y, i32 %block.z, i32 %team.width)
; CHECK: icmp ult i32 %{{.*}}, %rows
; CHECK: block.end:
; CHECK: add i32 %block.x, %team
; CHECK-LABEL: define internal void @by.index.block(
; CHECK-NOT: phi
; CHECK: call void @xcc.team.rows(ptr %group, i64 %first, i64 %last, ptr @by.index.block.team)
define void @by.index(ptr %args) "xcc.cpu_kernel"="1" {
entry:
  %t = call i32 @__xcc_thread_idx_x()
  %b = call i32 @__xcc_block_idx_x()
  %d = call i32 @__xcc_block_dim_x()
  %start = mul i32 %b, %d
  %i = add i32 %start, %t
  %p = load ptr, ptr %args
  %i64 = zext i32 %i to i64
  %at = getelementptr float, ptr %p, i64 %i64
  %v = load float, ptr %at
  %w = fmul float %v, 2.0
  store float %w, ptr %at
  ret void
}

; CHECK-LABEL: define internal void @of.block.block
; CHECK-NOT: team
; CHECK: ret void
define void @of.block(ptr %args) "xcc.cpu_kernel"="1" {
entry:
  %t = call i32 @__xcc_thread_idx_x()
  %b = call i32 @__xcc_block_idx_x()
  %d = call i32 @__xcc_block_dim_x()
  %start = mul i32 %b, %d
  %i = add i32 %start, %t
  %p = load ptr, ptr %args
  %i64 = zext i32 %i to i64
  %at = getelementptr float, ptr %p, i64 %i64
  %v = uitofp i32 %b to float
  store float %v, ptr %at
  ret void
}

; CHECK-LABEL: define internal void @of.thread.block
; CHECK-NOT: team
; CHECK: ret void
define void @of.thread(ptr %args) "xcc.cpu_kernel"="1" {
entry:
  %t = call i32 @__xcc_thread_idx_x()
  %b = call i32 @__xcc_block_idx_x()
  %d = call i32 @__xcc_block_dim_x()
  %start = mul i32 %b, %d
  %before = add i32 %t, -1
  %wide = zext i32 %before to i64
  %start64 = zext i32 %start to i64
  %i64 = add i64 %start64, %wide
  %p = load ptr, ptr %args
  %at = getelementptr float, ptr %p, i64 %i64
  store float 1.0, ptr %at
  ret void
}

; With an index along y, each team has its own loops over threads.
; CHECK-LABEL: define internal void @by.row.block.team(
; CHECK: region0.y.end:
; CHECK: icmp ult i32 %{{.*}}, %block.dim.y
; CHECK-LABEL: define internal void @xcc.teams(
; CHECK-NOT: row:
; CHECK: call void %code(
define void @by.row(ptr %args) "xcc.cpu_kernel"="1" {
entry:
  %t = call i32 @__xcc_thread_idx_x()
  %b = call i32 @__xcc_block_idx_x()
  %d = call i32 @__xcc_block_dim_x()
  %start = mul i32 %b, %d
  %i = add i32 %start, %t
  %y = call i32 @__xcc_thread_idx_y()
  %p = load ptr, ptr %args
  %row = getelementptr [1000 x i32], ptr %p, i32 %y
  %at = getelementptr i32, ptr %row, i32 %i
  store i32 1, ptr %at
  ret void
}

; A number in place of the block's size: teams in launches with such blocks.
; CHECK-LABEL: define internal void @xcc.team.rows.16(
; CHECK: %[[FITS:.*]] = icmp eq i32 %block.dim.x, 16
; CHECK: select i1 %[[FITS]], i64 %{{.*}}, i64 1
; CHECK-LABEL: define internal void @by.number.block(
; CHECK: call void @xcc.team.rows.16(
define void @by.number(ptr %args) "xcc.cpu_kernel"="1" {
entry:
  %t = call i32 @__xcc_thread_idx_x()
  %b = call i32 @__xcc_block_idx_x()
  %start = shl i32 %b, 4
  %i = add i32 %start, %t
  %start2 = mul i32 %b, 16
  %i2 = add i32 %start2, %t
  %p = load ptr, ptr %args
  %at = getelementptr float, ptr %p, i32 %i
  %at2 = getelementptr float, ptr %at, i32 %i2
  store float 1.0, ptr %at2
  ret void
}

; One of the two numbers is not the block's size.
; CHECK-LABEL: define internal void @by.numbers.block(
; CHECK-NOT: team
; CHECK: ret void
define void @by.numbers(ptr %args) "xcc.cpu_kernel"="1" {
entry:
  %t = call i32 @__xcc_thread_idx_x()
  %b = call i32 @__xcc_block_idx_x()
  %start = mul i32 %b, 16
  %i = add i32 %start, %t
  %start2 = mul i32 %b, 32
  %i2 = add i32 %start2, %t
  %p = load ptr, ptr %args
  %at = getelementptr float, ptr %p, i32 %i
  %at2 = getelementptr float, ptr %at, i32 %i2
  store float 1.0, ptr %at2
  ret void
}

; The rows of a block use the same cache lines: teams that are not wide.
; CHECK-LABEL: define internal void @xcc.teams.narrow(
; CHECK: udiv i64 16, %{{.*}}
; CHECK-LABEL: define internal void @transposed.block(
; CHECK: call void @xcc.teams.narrow(
define void @transposed(ptr %args) "xcc.cpu_kernel"="1" {
entry:
  %t = call i32 @__xcc_thread_idx_x()
  %b = call i32 @__xcc_block_idx_x()
  %d = call i32 @__xcc_block_dim_x()
  %start = mul i32 %b, %d
  %i = add i32 %start, %t
  %y = call i32 @__xcc_thread_idx_y()
  %p = load ptr, ptr %args
  %row = getelementptr [1000 x i32], ptr %p, i32 %i
  %at = getelementptr i32, ptr %row, i32 %y
  store i32 1, ptr %at
  ret void
}

; With a number, such blocks are tiles.
; CHECK-LABEL: define internal void @tile.block(
; CHECK-NOT: team
; CHECK: ret void
define void @tile(ptr %args) "xcc.cpu_kernel"="1" {
entry:
  %t = call i32 @__xcc_thread_idx_x()
  %b = call i32 @__xcc_block_idx_x()
  %start = mul i32 %b, 16
  %i = add i32 %start, %t
  %y = call i32 @__xcc_thread_idx_y()
  %p = load ptr, ptr %args
  %row = getelementptr [1000 x i32], ptr %p, i32 %i
  %at = getelementptr i32, ptr %row, i32 %y
  store i32 1, ptr %at
  ret void
}

declare i32 @__xcc_thread_idx_x()
declare i32 @__xcc_thread_idx_y()
declare i32 @__xcc_block_idx_x()
declare i32 @__xcc_block_dim_x()
