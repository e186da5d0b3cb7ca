; Values that lanes exchange stay in registers if all of them are vectors.
;
; Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; RUN: %opt -passes=xcc-dead-slots -S %s | %FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

declare void @any()

; The area's address is in the block, the first argument.
; CHECK-LABEL: @forwarded(
; CHECK-NEXT: [[V:%.*]] = shufflevector <2 x i32> %a, <2 x i32> %b, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
; CHECK-NEXT: ret <4 x i32> [[V]]
define <4 x i32> @forwarded(ptr %group, <2 x i32> %a, <2 x i32> %b) "xcc-block-function" {
  %place = getelementptr inbounds i8, ptr %group, i64 24
  %area = load ptr, ptr %place
  store <2 x i32> %a, ptr %area
  %next = getelementptr i8, ptr %area, i64 8
  store <2 x i32> %b, ptr %next
  %v = load <4 x i32>, ptr %area
  ret <4 x i32> %v
}

; Another thread may run in the call.
; CHECK-LABEL: @called(
; CHECK: store <2 x i32> %a
; CHECK: load <2 x i32>
define <2 x i32> @called(ptr %group, <2 x i32> %a) "xcc-block-function" {
  %place = getelementptr inbounds i8, ptr %group, i64 24
  %area = load ptr, ptr %place
  store <2 x i32> %a, ptr %area
  call void @any()
  %v = load <2 x i32>, ptr %area
  ret <2 x i32> %v
}

; A lane's number is known only when the program runs.
; CHECK-LABEL: @unknown(
; CHECK: store <4 x i32> %a
; CHECK: load i32
define i32 @unknown(ptr %group, <4 x i32> %a, i64 %lane) "xcc-block-function" {
  %place = getelementptr inbounds i8, ptr %group, i64 24
  %area = load ptr, ptr %place
  store <4 x i32> %a, ptr %area
  %at = getelementptr i32, ptr %area, i64 %lane
  %v = load i32, ptr %at
  ret i32 %v
}

; Nobody reads it.
; CHECK-LABEL: @unread(
; CHECK-NEXT: ret void
define void @unread(ptr %group, <4 x i32> %a) "xcc-block-function" {
  %place = getelementptr inbounds i8, ptr %group, i64 24
  %area = load ptr, ptr %place
  store <4 x i32> %a, ptr %area
  ret void
}
