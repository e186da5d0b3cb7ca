; A row and a column that are a quotient and a remainder of one index are that index.
;
; Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; RUN: %opt -passes=xcc-join-indices -S %s | %FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: @signed(
; CHECK: [[WIDE:%.*]] = sext i32 %k to i64
; CHECK: [[BYTES:%.*]] = mul i64 [[WIDE]], 4
; CHECK: getelementptr inbounds i8, ptr %tile, i64 [[BYTES]]
define ptr @signed(ptr %tile, i32 %k) {
  %q = sdiv i32 %k, 18
  %r = srem i32 %k, 18
  %row = sext i32 %q to i64
  %column = sext i32 %r to i64
  %at = getelementptr inbounds [18 x float], ptr %tile, i64 %row
  %element = getelementptr inbounds float, ptr %at, i64 %column
  ret ptr %element
}

; Sums in either, and another index.
; CHECK-LABEL: @sums(
; CHECK: [[PLANE:%.*]] = mul i64 %z, 1296
; CHECK: [[ELEMENT:%.*]] = mul i64 %k, 4
; CHECK: [[SUM:%.*]] = add i64 [[PLANE]], [[ELEMENT]]
; CHECK: [[ALL:%.*]] = add i64 [[SUM]], 76
; CHECK: getelementptr i8, ptr %tile, i64 [[ALL]]
define ptr @sums(ptr %tile, i64 %z, i64 %k) {
  %q = udiv i64 %k, 18
  %r = urem i64 %k, 18
  %row = add nuw nsw i64 %q, 1
  %column = add nuw nsw i64 %r, 1
  %at = getelementptr [18 x [18 x float]], ptr %tile, i64 %z, i64 %row, i64 %column
  ret ptr %at
}

; Rows of another length, a remainder of something else, a signed quotient that is
; extended as an unsigned one, a sum that may wrap: as they are.
; CHECK-LABEL: @others(
; CHECK-NOT: mul
; CHECK: ret void
define void @others(ptr %tile, i32 %k, i32 %l) {
  %q = sdiv i32 %k, 18
  %r = srem i32 %k, 18
  %row = sext i32 %q to i64
  %column = sext i32 %r to i64
  %longer = getelementptr [20 x float], ptr %tile, i64 %row, i64 %column
  store float 1.0, ptr %longer
  %s = srem i32 %l, 18
  %other = sext i32 %s to i64
  %different = getelementptr [18 x float], ptr %tile, i64 %row, i64 %other
  store float 1.0, ptr %different
  %unsigned = zext i32 %q to i64
  %mixed = getelementptr [18 x float], ptr %tile, i64 %unsigned, i64 %column
  store float 1.0, ptr %mixed
  %t = add i32 %r, 1
  %next = sext i32 %t to i64
  %wraps = getelementptr [18 x float], ptr %tile, i64 %row, i64 %next
  store float 1.0, ptr %wraps
  ret void
}
