; Elements beside each other are loaded and stored by a vector for each lane, and transposed.
;
; Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; RUN: %opt -passes=xcc-join-accesses -S %s | %FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; The lanes' rows are 48 bytes apart: one address is computed.
; CHECK-LABEL: @rows(
; CHECK: extractelement <4 x ptr> %at, i64 0
; CHECK: load <4 x float>, ptr {{.*}}, align 4
; CHECK: extractelement <4 x ptr> %at, i64 0
; CHECK: getelementptr i8, ptr {{.*}}, i64 48
; CHECK: getelementptr i8, ptr {{.*}}, i64 96
; CHECK: getelementptr i8, ptr {{.*}}, i64 144
; CHECK-NOT: masked.gather
; CHECK-COUNT-8: shufflevector
; CHECK-NOT: masked.gather
; CHECK: ret
define <4 x float> @rows(ptr %p, i64 %x) {
  %one = insertelement <4 x i64> poison, i64 %x, i64 0
  %all = shufflevector <4 x i64> %one, <4 x i64> poison, <4 x i32> zeroinitializer
  %lane = add <4 x i64> %all, <i64 0, i64 1, i64 2, i64 3>
  %index = mul <4 x i64> %lane, splat (i64 12)
  %at = getelementptr float, ptr %p, <4 x i64> %index
  %at1 = getelementptr i8, <4 x ptr> %at, i64 4
  %at2 = getelementptr i8, <4 x ptr> %at, i64 8
  %q = getelementptr i8, ptr %p, i64 12
  %at3 = getelementptr float, ptr %q, <4 x i64> %index
  %a = call <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr> align 4 %at, <4 x i1> splat (i1 true), <4 x float> poison)
  %b = call <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr> align 4 %at1, <4 x i1> splat (i1 true), <4 x float> poison)
  %c = call <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr> align 4 %at2, <4 x i1> splat (i1 true), <4 x float> poison)
  %d = call <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr> align 4 %at3, <4 x i1> splat (i1 true), <4 x float> poison)
  %s = fadd <4 x float> %a, %b
  %t = fadd <4 x float> %c, %d
  %r = fsub <4 x float> %s, %t
  ret <4 x float> %r
}

; Three elements are less than a vector: it would read what the thread does not.
; CHECK-LABEL: @three(
; CHECK-COUNT-3: call <4 x float> @llvm.masked.gather
; CHECK: ret
define <4 x float> @three(<4 x ptr> %at) {
  %at1 = getelementptr i8, <4 x ptr> %at, i64 4
  %at2 = getelementptr i8, <4 x ptr> %at, i64 8
  %a = call <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr> align 4 %at, <4 x i1> splat (i1 true), <4 x float> poison)
  %b = call <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr> align 4 %at1, <4 x i1> splat (i1 true), <4 x float> poison)
  %c = call <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr> align 4 %at2, <4 x i1> splat (i1 true), <4 x float> poison)
  %s = fadd <4 x float> %a, %b
  %r = fadd <4 x float> %s, %c
  ret <4 x float> %r
}

; A store between them may be to the same memory.
; CHECK-LABEL: @written(
; CHECK: call <4 x double> @llvm.masked.gather
; CHECK: store double
; CHECK: call <4 x double> @llvm.masked.gather
define <4 x double> @written(<4 x ptr> %at, ptr %to) {
  %at1 = getelementptr i8, <4 x ptr> %at, i64 8
  %a = call <4 x double> @llvm.masked.gather.v4f64.v4p0(<4 x ptr> align 8 %at, <4 x i1> splat (i1 true), <4 x double> poison)
  store double 1.0, ptr %to
  %b = call <4 x double> @llvm.masked.gather.v4f64.v4p0(<4 x ptr> align 8 %at1, <4 x i1> splat (i1 true), <4 x double> poison)
  %s = fadd <4 x double> %a, %b
  ret <4 x double> %s
}

; Addresses that differ freely, with two elements of 64 bits at each.
; CHECK-LABEL: @apart(
; CHECK: load <2 x double>, ptr
; CHECK: extractelement <4 x ptr> %at, i64 1
; CHECK-NOT: masked.gather
; CHECK: fadd <4 x double>
define <4 x double> @apart(<4 x ptr> %at) {
  %at1 = getelementptr i8, <4 x ptr> %at, i64 8
  %a = call <4 x double> @llvm.masked.gather.v4f64.v4p0(<4 x ptr> align 8 %at, <4 x i1> splat (i1 true), <4 x double> poison)
  %b = call <4 x double> @llvm.masked.gather.v4f64.v4p0(<4 x ptr> align 8 %at1, <4 x i1> splat (i1 true), <4 x double> poison)
  %s = fadd <4 x double> %a, %b
  ret <4 x double> %s
}

; Inactive lanes must not access memory.
; CHECK-LABEL: @masked(
; CHECK-COUNT-2: call <4 x double> @llvm.masked.gather
define <4 x double> @masked(<4 x ptr> %at, <4 x i1> %mask) {
  %at1 = getelementptr i8, <4 x ptr> %at, i64 8
  %a = call <4 x double> @llvm.masked.gather.v4f64.v4p0(<4 x ptr> align 8 %at, <4 x i1> %mask, <4 x double> poison)
  %b = call <4 x double> @llvm.masked.gather.v4f64.v4p0(<4 x ptr> align 8 %at1, <4 x i1> %mask, <4 x double> poison)
  %s = fadd <4 x double> %a, %b
  ret <4 x double> %s
}

; Elements that are stored beside each other: a vector store for each lane, where the last scatter was.
; CHECK-LABEL: @stored(
; CHECK-NOT: masked.scatter
; CHECK-COUNT-8: shufflevector
; CHECK: getelementptr i8, ptr {{.*}}, i64 -12
; CHECK: store <4 x float> {{.*}}, align 4
; CHECK: getelementptr i8, ptr {{.*}}, i64 36
; CHECK-COUNT-3: store <4 x float>
; CHECK-NOT: masked.scatter
; CHECK: ret
define void @stored(ptr %p, i64 %x, <4 x float> %a, <4 x float> %b, <4 x float> %c) {
  %one = insertelement <4 x i64> poison, i64 %x, i64 0
  %all = shufflevector <4 x i64> %one, <4 x i64> poison, <4 x i32> zeroinitializer
  %lane = add <4 x i64> %all, <i64 0, i64 1, i64 2, i64 3>
  %index = mul <4 x i64> %lane, splat (i64 12)
  %at = getelementptr float, ptr %p, <4 x i64> %index
  %at1 = getelementptr i8, <4 x ptr> %at, i64 4
  %at2 = getelementptr i8, <4 x ptr> %at, i64 8
  %at3 = getelementptr i8, <4 x ptr> %at, i64 12
  call void @llvm.masked.scatter.v4f32.v4p0(<4 x float> %a, <4 x ptr> align 4 %at, <4 x i1> splat (i1 true))
  call void @llvm.masked.scatter.v4f32.v4p0(<4 x float> %b, <4 x ptr> align 4 %at2, <4 x i1> splat (i1 true))
  call void @llvm.masked.scatter.v4f32.v4p0(<4 x float> %c, <4 x ptr> align 4 %at1, <4 x i1> splat (i1 true))
  call void @llvm.masked.scatter.v4f32.v4p0(<4 x float> %a, <4 x ptr> align 4 %at3, <4 x i1> splat (i1 true))
  ret void
}

; A load between the scatters may read what the first one writes.
; CHECK-LABEL: @read(
; CHECK: call void @llvm.masked.scatter
; CHECK: load double
; CHECK: call void @llvm.masked.scatter
define double @read(<4 x ptr> %at, ptr %from, <4 x double> %a) {
  %at1 = getelementptr i8, <4 x ptr> %at, i64 8
  call void @llvm.masked.scatter.v4f64.v4p0(<4 x double> %a, <4 x ptr> align 8 %at, <4 x i1> splat (i1 true))
  %v = load double, ptr %from
  call void @llvm.masked.scatter.v4f64.v4p0(<4 x double> %a, <4 x ptr> align 8 %at1, <4 x i1> splat (i1 true))
  ret double %v
}

; The later value of the same element has to stay.
; CHECK-LABEL: @twice(
; CHECK: call void @llvm.masked.scatter.v4f64.v4p0(<4 x double> %a,
; CHECK-NEXT: shufflevector <4 x double> %b, <4 x double> %a
define void @twice(<4 x ptr> %at, <4 x double> %a, <4 x double> %b) {
  %at1 = getelementptr i8, <4 x ptr> %at, i64 8
  call void @llvm.masked.scatter.v4f64.v4p0(<4 x double> %a, <4 x ptr> align 8 %at, <4 x i1> splat (i1 true))
  call void @llvm.masked.scatter.v4f64.v4p0(<4 x double> %b, <4 x ptr> align 8 %at, <4 x i1> splat (i1 true))
  call void @llvm.masked.scatter.v4f64.v4p0(<4 x double> %a, <4 x ptr> align 8 %at1, <4 x i1> splat (i1 true))
  ret void
}
