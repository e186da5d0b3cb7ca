; What a user can do wrong is an error that names the kernel or the variable.
;
; Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; RUN: %not %block %s -o - 2>&1 | %FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK: error: kernel 'large': its block-shared variables take 400000 bytes; a block has 262144

@tile = internal global [100000 x i32] poison, section ".xcc.shared"

define void @large(ptr %args) "xcc.cpu_kernel"="1" {
  %t = call i32 @__xcc_linear_thread()
  %at = getelementptr i32, ptr @tile, i32 %t
  store i32 1, ptr %at
  ret void
}

declare i32 @__xcc_thread_idx_x()
declare i32 @__xcc_block_idx_x()
declare i32 @__xcc_block_dim_x()
declare i32 @__xcc_linear_thread()
declare void @__xcc_block_barrier()
declare i32 @__xcc_warp_barrier()
