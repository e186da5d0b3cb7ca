; Threads with loops of their own side by side in vectors: what lanes compute
; alike stays scalar, neighbours' memory is loaded as vectors under masks, a loop
; repeats while any lane is in it, and what cannot be a vector stays as it is.
;
; Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; RUN: %simd -xcc-simd=always %s | %FileCheck %s
; RUN: %simd -xcc-simd=off %s | %FileCheck %s --check-prefix=OFF
; RUN: %opt -passes=xcc-simd -disable-output -xcc-simd=always -pass-remarks=xcc-simd -pass-remarks-missed=xcc-simd %s 2>&1 \
; RUN:   | %FileCheck %s --check-prefix=REMARK
; RUN: %simd %s | %FileCheck %s --check-prefix=TWO
; RUN: %opt -passes=xcc-simd -disable-output -pass-remarks=xcc-simd %s 2>&1 | %FileCheck %s --check-prefix=TWO-REMARK
; OFF-NOT: <8 x

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; Each thread adds up a column until the sum is large: the counter is one for all
; lanes, the column's elements are a vector, and only lanes that are still in the
; loop load.
; CHECK-LABEL: @column(
; CHECK: store <8 x i32>
; CHECK: icmp eq i64 {{.*}}, %simd.threads
; CHECK: [[IN:%.*]] = phi <8 x i32> [ splat (i32 -1), {{.*}} ]
; CHECK: [[K:%.*]] = phi i64
; CHECK: [[ACTIVE:%.*]] = icmp slt <8 x i32> [[IN]], zeroinitializer
; CHECK: call <8 x float> @llvm.masked.load.v8f32.p0(ptr align 4 {{.*}}, <8 x i1> [[ACTIVE]], <8 x float> zeroinitializer)
; CHECK: fadd <8 x float>
; CHECK-NOT: gather
; CHECK: [[ANY:%.*]] = icmp ne i8 {{.*}}, 0
; CHECK: br i1 [[ANY]]
; The rest of the threads, one by one.
; CHECK: load float, ptr
define void @column(ptr %m, ptr %out, i64 %threads, i64 %rows) #0 {
entry:
  br label %thread
thread:
  %t = phi i64 [ 0, %entry ], [ %t.next, %done ]
  br label %loop
loop:
  %k = phi i64 [ 0, %thread ], [ %k.next, %next ]
  %sum = phi float [ 0.0, %thread ], [ %more, %next ]
  %row = mul i64 %k, %rows
  %index = add i64 %row, %t
  %at = getelementptr float, ptr %m, i64 %index
  %v = load float, ptr %at, align 4, !llvm.access.group !0
  %more = fadd float %sum, %v
  %enough = fcmp ogt float %more, 20.0
  br i1 %enough, label %done, label %next
next:
  %k.next = add i64 %k, 1
  %end = icmp eq i64 %k.next, %rows
  br i1 %end, label %done, label %loop
done:
  %steps = phi i64 [ %k, %loop ], [ %rows, %next ]
  %narrow = trunc i64 %steps to i32
  %to = getelementptr i32, ptr %out, i64 %t
  store i32 %narrow, ptr %to, align 4, !llvm.access.group !0
  %t.next = add nuw nsw i64 %t, 1
  %more.threads = icmp ult i64 %t.next, %threads
  br i1 %more.threads, label %thread, label %exit, !llvm.loop !1
exit:
  ret void
}

; All threads iterate alike: a branch and no mask for the loop. Under the divergent
; branch lanes that are not there divide by 1.
; CHECK-LABEL: @divide(
; CHECK: icmp ne <8 x i32> {{.*}}, zeroinitializer
; CHECK: [[BY:%.*]] = select <8 x i1> {{.*}}, <8 x i32> {{.*}}, <8 x i32> splat (i32 1)
; CHECK: udiv <8 x i32> {{.*}}, [[BY]]
; CHECK-NOT: icmp ne i8
; CHECK: br i1 %end
define void @divide(ptr %in, ptr %out, i64 %threads, i32 %most) #0 {
entry:
  br label %thread
thread:
  %t = phi i64 [ 0, %entry ], [ %t.next, %done ]
  %from = getelementptr i32, ptr %in, i64 %t
  %d = load i32, ptr %from, align 4, !llvm.access.group !0
  br label %loop
loop:
  %k = phi i32 [ 0, %thread ], [ %k.next, %next ]
  %v = phi i32 [ 1000, %thread ], [ %w, %next ]
  %is = icmp ne i32 %d, 0
  br i1 %is, label %some, label %next
some:
  %q = udiv i32 %v, %d
  %r = add i32 %q, %k
  br label %next
next:
  %w = phi i32 [ %v, %loop ], [ %r, %some ]
  %k.next = add i32 %k, 1
  %end = icmp eq i32 %k.next, %most
  br i1 %end, label %done, label %loop
done:
  %w.out = phi i32 [ %w, %next ]
  %to = getelementptr i32, ptr %out, i64 %t
  store i32 %w.out, ptr %to, align 4, !llvm.access.group !0
  %t.next = add nuw nsw i64 %t, 1
  %more.threads = icmp ult i64 %t.next, %threads
  br i1 %more.threads, label %thread, label %exit, !llvm.loop !1
exit:
  ret void
}

; What threads do in order, as the unmarked store, stays scalar.
; CHECK-LABEL: @ordered(
; CHECK-NOT: <8 x
; CHECK: ret void
; REMARK: threads are vectorised
; REMARK: threads are vectorised
; REMARK: threads are not vectorised: threads use memory of their own, or in order
define void @ordered(ptr %in, ptr %out, i64 %threads, i64 %most) #0 {
entry:
  br label %thread
thread:
  %t = phi i64 [ 0, %entry ], [ %t.next, %done ]
  br label %loop
loop:
  %k = phi i64 [ 0, %thread ], [ %k.next, %loop ]
  store i64 %k, ptr %out, align 8
  %k.next = add i64 %k, 1
  %end = icmp uge i64 %k.next, %t
  br i1 %end, label %done, label %loop
done:
  %t.next = add nuw nsw i64 %t, 1
  %more.threads = icmp ult i64 %t.next, %threads
  br i1 %more.threads, label %thread, label %exit, !llvm.loop !1
exit:
  ret void
}

; The sum of an int and the thread index is extended: no thread's may wrap, which
; is checked before the loop. Its elements are beside each other then.
; CHECK-LABEL: @narrow(
; CHECK: [[WRAPS:%.*]] = freeze i1
; CHECK: [[COUNT:%.*]] = select i1 [[WRAPS]], i64 0, i64
; CHECK: and i64 [[COUNT]], -8
; CHECK-NOT: gather
; CHECK: load <8 x float>, ptr
; CHECK: ret void
define void @narrow(ptr %m, ptr %out, i32 %first, i64 %threads, i64 %rows, i64 %width) #0 {
entry:
  br label %thread
thread:
  %t = phi i64 [ 0, %entry ], [ %t.next, %done ]
  %t.int = trunc i64 %t to i32
  %index = add i32 %first, %t.int
  %start = sext i32 %index to i64
  br label %loop
loop:
  %k = phi i64 [ 0, %thread ], [ %k.next, %loop ]
  %j = phi i64 [ %start, %thread ], [ %j.next, %loop ]
  %sum = phi float [ 0.0, %thread ], [ %more, %loop ]
  %at = getelementptr float, ptr %m, i64 %j
  %v = load float, ptr %at, align 4, !llvm.access.group !0
  %more = fadd float %sum, %v
  %j.next = add i64 %j, %width
  %k.next = add i64 %k, 1
  %end = icmp eq i64 %k.next, %rows
  br i1 %end, label %done, label %loop
done:
  %to = getelementptr float, ptr %out, i64 %t
  store float %more, ptr %to, align 4, !llvm.access.group !0
  %t.next = add nuw nsw i64 %t, 1
  %more.threads = icmp ult i64 %t.next, %threads
  br i1 %more.threads, label %thread, label %exit, !llvm.loop !1
exit:
  ret void
}

; Each thread sums up a row of its own: the rows of all lanes are loaded along
; themselves and transposed. The iterations of a whole square follow each other
; without a branch. What is left of a row is loaded under a mask.
; CHECK-LABEL: @rows(
; CHECK-NOT: gather
; CHECK: simd.rows:
; CHECK-COUNT-8: load <8 x float>, ptr
; CHECK-COUNT-24: shufflevector <8 x float>
; CHECK-COUNT-8: fadd <8 x float>
; CHECK: simd.rows.part:
; CHECK-COUNT-8: call <8 x float> @llvm.masked.load
; CHECK-NOT: gather
define void @rows(ptr %m, ptr %out, i64 %threads, i64 %width) #0 {
entry:
  br label %thread
thread:
  %t = phi i64 [ 0, %entry ], [ %t.next, %done ]
  %row = mul i64 %t, %width
  %start = getelementptr float, ptr %m, i64 %row
  br label %loop
loop:
  %k = phi i64 [ 0, %thread ], [ %k.next, %loop ]
  %sum = phi float [ 0.0, %thread ], [ %more, %loop ]
  %at = getelementptr float, ptr %start, i64 %k
  %v = load float, ptr %at, align 4, !llvm.access.group !0
  %more = fadd float %sum, %v
  %k.next = add nuw i64 %k, 1
  %end = icmp eq i64 %k.next, %width
  br i1 %end, label %done, label %loop
done:
  %to = getelementptr float, ptr %out, i64 %t
  store float %more, ptr %to, align 4, !llvm.access.group !0
  %t.next = add nuw nsw i64 %t, 1
  %more.threads = icmp ult i64 %t.next, %threads
  br i1 %more.threads, label %thread, label %exit, !llvm.loop !1
exit:
  ret void
}

; An index of 32 bits may wrap on its way along the row: then each element is loaded
; by itself.
; CHECK-LABEL: @rows.narrow(
; CHECK: simd.rows:
; CHECK-COUNT-8: load <8 x float>, ptr
; CHECK: icmp ule <8 x i32> {{.*}}, splat (i32 -8)
; CHECK-COUNT-8: call <8 x float> @llvm.masked.load
; CHECK-COUNT-8: call <8 x float> @llvm.masked.gather
define void @rows.narrow(ptr %m, ptr %out, i64 %threads, i32 %width) #0 {
entry:
  br label %thread
thread:
  %t = phi i64 [ 0, %entry ], [ %t.next, %done ]
  %t.narrow = trunc i64 %t to i32
  %start = mul i32 %t.narrow, %width
  br label %loop
loop:
  %k = phi i32 [ 0, %thread ], [ %k.next, %loop ]
  %sum = phi float [ 0.0, %thread ], [ %more, %loop ]
  %index = add i32 %start, %k
  %wide = zext i32 %index to i64
  %at = getelementptr float, ptr %m, i64 %wide
  %v = load float, ptr %at, align 4, !llvm.access.group !0
  %more = fadd float %sum, %v
  %k.next = add nuw i32 %k, 1
  %end = icmp eq i32 %k.next, %width
  br i1 %end, label %done, label %loop
done:
  %to = getelementptr float, ptr %out, i64 %t
  store float %more, ptr %to, align 4, !llvm.access.group !0
  %t.next = add nuw nsw i64 %t, 1
  %more.threads = icmp ult i64 %t.next, %threads
  br i1 %more.threads, label %thread, label %exit, !llvm.loop !1
exit:
  ret void
}

; Lanes part on either side of a uniform branch, and come together in one block,
; which not all of them pass.
; CHECK-LABEL: @two.heads(
; CHECK: simd.threads:
; CHECK: call void @llvm.masked.store.v8i32
define void @two.heads(ptr %m, ptr %out, i64 %threads, i1 %which) #0 {
entry:
  br label %thread
thread:
  %t = phi i64 [ 0, %entry ], [ %t.next, %latch ]
  %at = getelementptr i32, ptr %m, i64 %t
  %v = load i32, ptr %at, align 4, !llvm.access.group !0
  %odd = trunc i32 %v to i1
  br i1 %which, label %left, label %right
left:
  br i1 %odd, label %latch, label %more
more:
  %big = icmp sgt i32 %v, 100
  br i1 %big, label %latch, label %join
right:
  br i1 %odd, label %loop, label %join
loop:
  %k = phi i32 [ 0, %right ], [ %k.next, %loop ]
  %k.next = add nuw nsw i32 %k, 3
  %end = icmp sgt i32 %k.next, %v
  br i1 %end, label %join, label %loop
join:
  %r = phi i32 [ %v, %more ], [ 7, %right ], [ %k.next, %loop ]
  %to = getelementptr i32, ptr %out, i64 %t
  store i32 %r, ptr %to, align 4, !llvm.access.group !0
  br label %latch
latch:
  %t.next = add nuw nsw i64 %t, 1
  %more.threads = icmp ult i64 %t.next, %threads
  br i1 %more.threads, label %thread, label %exit, !llvm.loop !1
exit:
  ret void
}

; Each thread exchanges elements with the one whose index differs in some bits: the
; partners' elements are a vector whose lanes are exchanged. The warp of a thread is
; one for all lanes.
; CHECK-LABEL: @partners(
; CHECK: [[LOADED:%.*]] = call <8 x i32> @llvm.masked.load
; CHECK: shufflevector <8 x i32> [[LOADED]], <8 x i32> poison, <8 x i32> <i32 5, i32 4, i32 7, i32 6, i32 1, i32 0, i32 3, i32 2>
; CHECK: lshr i64 %t{{[0-9.]+}}, 5
; CHECK-NOT: lshr <8 x i64>
; CHECK-NOT: gather
; CHECK: call void @llvm.masked.store.v8i32
; CHECK: load i32, ptr
define void @partners(ptr %m, ptr %out, i64 %threads, ptr %warps) #0 {
entry:
  br label %thread
thread:
  %t = phi i64 [ 0, %entry ], [ %t.next, %done ]
  %other = xor i64 %t, 13
  %low = icmp ult i64 %t, %other
  br i1 %low, label %exchange, label %done
exchange:
  %at = getelementptr i32, ptr %m, i64 %other
  %v = load i32, ptr %at, align 4, !llvm.access.group !0
  %warp = lshr i64 %t, 5
  %warp.at = getelementptr i32, ptr %warps, i64 %warp
  %w = load i32, ptr %warp.at, align 4, !llvm.access.group !0
  %sum = add i32 %v, %w
  %to = getelementptr i32, ptr %out, i64 %t
  store i32 %sum, ptr %to, align 4, !llvm.access.group !0
  br label %done
done:
  %t.next = add nuw nsw i64 %t, 1
  %more.threads = icmp ult i64 %t.next, %threads
  br i1 %more.threads, label %thread, label %exit, !llvm.loop !1
exit:
  ret void
}

; The bits are known when the kernel runs: one instruction exchanges the elements.
; CHECK-LABEL: @partners.of(
; CHECK: xor <8 x i32> {{.*}}, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
; CHECK: call <8 x i32> @llvm.x86.avx2.permd
; CHECK-NOT: select
; CHECK-NOT: scatter
; CHECK: load i32, ptr
define void @partners.of(ptr %m, ptr %out, i64 %threads, i64 %bits) #0 {
entry:
  br label %thread
thread:
  %t = phi i64 [ 0, %entry ], [ %t.next, %thread ]
  %other = xor i64 %t, %bits
  %at = getelementptr i32, ptr %m, i64 %t
  %v = load i32, ptr %at, align 4, !llvm.access.group !0
  %to = getelementptr i32, ptr %out, i64 %other
  store i32 %v, ptr %to, align 4, !llvm.access.group !0
  %t.next = add nuw nsw i64 %t, 1
  %more.threads = icmp ult i64 %t.next, %threads
  br i1 %more.threads, label %thread, label %exit, !llvm.loop !1
exit:
  ret void
}

; Without such an instruction each bit is an exchange, or none.
; CHECK-LABEL: @partners.old(
; CHECK-COUNT-2: select i1 {{.*}}, <4 x i32> {{.*}}, <4 x i32>
; CHECK-NOT: scatter
; CHECK: load i32, ptr
define void @partners.old(ptr %m, ptr %out, i64 %threads, i64 %bits) #1 {
entry:
  br label %thread
thread:
  %t = phi i64 [ 0, %entry ], [ %t.next, %thread ]
  %other = xor i64 %t, %bits
  %at = getelementptr i32, ptr %m, i64 %t
  %v = load i32, ptr %at, align 4, !llvm.access.group !0
  %to = getelementptr i32, ptr %out, i64 %other
  store i32 %v, ptr %to, align 4, !llvm.access.group !0
  %t.next = add nuw nsw i64 %t, 1
  %more.threads = icmp ult i64 %t.next, %threads
  br i1 %more.threads, label %thread, label %exit, !llvm.loop !1
exit:
  ret void
}

; Of an index and its partner, high bits that differ decide for all lanes: a branch
; without masks. Where none differ the lanes' numbers decide, which are constants.
; CHECK-LABEL: @far.partners(
; CHECK: [[FIRST:%.*]] = xor i64 [[T:%.*]], 8
; CHECK: [[LOW:%.*]] = icmp ult i64 [[T]], [[FIRST]]
; CHECK: br i1 [[LOW]]
; CHECK: load <8 x i32>, ptr
; CHECK: store <8 x i32>
; CHECK-NOT: masked
; CHECK: load i32, ptr
define void @far.partners(ptr %m, i64 %threads) #0 {
entry:
  br label %thread
thread:
  %t = phi i64 [ 0, %entry ], [ %t.next, %done ]
  %other = xor i64 %t, 8
  %low = icmp ult i64 %t, %other
  br i1 %low, label %exchange, label %done
exchange:
  %at = getelementptr i32, ptr %m, i64 %other
  %v = load i32, ptr %at, align 4, !llvm.access.group !0
  %to = getelementptr i32, ptr %m, i64 %t
  store i32 %v, ptr %to, align 4, !llvm.access.group !0
  br label %done
done:
  %t.next = add nuw nsw i64 %t, 1
  %more.threads = icmp ult i64 %t.next, %threads
  br i1 %more.threads, label %thread, label %exit, !llvm.loop !1
exit:
  ret void
}

; CHECK-LABEL: @near.partners(
; CHECK: select i1 {{.*}}, <8 x i1> <i1 true, i1 false, i1 true, i1 false, i1 true, i1 false, i1 true, i1 false>
; CHECK: load i32, ptr
define void @near.partners(ptr %m, i64 %threads) #0 {
entry:
  br label %thread
thread:
  %t = phi i64 [ 0, %entry ], [ %t.next, %done ]
  %other = xor i64 %t, 1
  %low = icmp ult i64 %t, %other
  br i1 %low, label %exchange, label %done
exchange:
  %at = getelementptr i32, ptr %m, i64 %other
  %v = load i32, ptr %at, align 4, !llvm.access.group !0
  %to = getelementptr i32, ptr %m, i64 %t
  store i32 %v, ptr %to, align 4, !llvm.access.group !0
  br label %done
done:
  %t.next = add nuw nsw i64 %t, 1
  %more.threads = icmp ult i64 %t.next, %threads
  br i1 %more.threads, label %thread, label %exit, !llvm.loop !1
exit:
  ret void
}

; Each iteration waits for the product before it, so a second vector takes no time:
; two run side by side. One runs the threads that are left, unless rows of threads
; are short.
; TWO-LABEL: @powers(
; TWO: fmul <16 x float>
; TWO: fmul <8 x float>
; TWO: fmul float
; TWO-LABEL: @powers.of.rows(
; TWO-NOT: <16 x float>
; TWO: fmul <8 x float>
; TWO-REMARK: threads are vectorised (16 lanes in 2 vectors, loops until the last lane leaves)
define void @powers(ptr %in, ptr %out, i64 %threads) #0 {
entry:
  br label %thread
thread:
  %t = phi i64 [ 0, %entry ], [ %t.next, %done ]
  %from = getelementptr float, ptr %in, i64 %t
  %x = load float, ptr %from, align 4, !llvm.access.group !0
  br label %loop
loop:
  %v = phi float [ 1.0, %thread ], [ %w, %loop ]
  %w = fmul float %v, %x
  %enough = fcmp ogt float %w, 20.0
  br i1 %enough, label %done, label %loop
done:
  %last = phi float [ %w, %loop ]
  %to = getelementptr float, ptr %out, i64 %t
  store float %last, ptr %to, align 4, !llvm.access.group !0
  %t.next = add nuw nsw i64 %t, 1
  %more.threads = icmp ult i64 %t.next, %threads
  br i1 %more.threads, label %thread, label %exit, !llvm.loop !1
exit:
  ret void
}

define void @powers.of.rows(ptr %in, ptr %out, i64 %threads) #0 {
entry:
  br label %thread
thread:
  %t = phi i64 [ 0, %entry ], [ %t.next, %done ]
  %from = getelementptr float, ptr %in, i64 %t
  %x = load float, ptr %from, align 4, !llvm.access.group !0
  br label %loop
loop:
  %v = phi float [ 1.0, %thread ], [ %w, %loop ]
  %w = fmul float %v, %x
  %enough = fcmp ogt float %w, 20.0
  br i1 %enough, label %done, label %loop
done:
  %last = phi float [ %w, %loop ]
  %to = getelementptr float, ptr %out, i64 %t
  store float %last, ptr %to, align 4, !llvm.access.group !0
  %t.next = add nuw nsw i64 %t, 1
  %more.threads = icmp ult i64 %t.next, %threads
  br i1 %more.threads, label %thread, label %exit, !llvm.loop !4
exit:
  ret void
}

attributes #0 = { "target-cpu"="x86-64-v3" }
attributes #1 = { "target-cpu"="x86-64-v2" }
!0 = distinct !{}
!1 = distinct !{!1, !2, !3}
!2 = !{!"llvm.loop.parallel_accesses", !0}
!3 = !{!"xcc.threads"}
!4 = distinct !{!4, !2, !3, !5}
!5 = !{!"llvm.loop.interleave.count", i32 1}
