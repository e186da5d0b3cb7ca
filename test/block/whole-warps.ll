; A loop over min(left, 32) lanes gets a copy for 32, and turns of which all lanes
; take part a loop of their own in front.
;
; Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; RUN: %whole-warps %s | %FileCheck %s

; CHECK-LABEL: define void @sum
; CHECK: turn.all:
; CHECK: %whole.all = icmp eq i64 %lanes.all, 32
; CHECK: br i1 %whole.all, label %turn.split.whole.all, label %entry.split
; CHECK: lane.whole.all:
; CHECK: %more.whole.all = icmp ne i64 %next.whole.all, 32
; CHECK: turn:
; CHECK: %left = phi i64 [ %left.all, %entry.split ],
; CHECK: %whole = icmp eq i64 %lanes, 32
; CHECK: icmp ne i64 %next.whole, 32
; CHECK: icmp ne i64 %next, %lanes
define void @sum(ptr noalias %sums, ptr noalias %x, i64 %n) {
entry:
  br label %turn
turn:
  %left = phi i64 [ %n, %entry ], [ %left.next, %latch ]
  %at = phi i64 [ 0, %entry ], [ %at.next, %latch ]
  %some = call i64 @llvm.umin.i64(i64 %left, i64 32)
  %lanes = call i64 @llvm.umax.i64(i64 %some, i64 1)
  br label %lane
lane:
  %k = phi i64 [ 0, %turn ], [ %next, %lane ]
  %i = add i64 %at, %k
  %px = getelementptr float, ptr %x, i64 %i
  %v = load float, ptr %px, !llvm.access.group !0
  %ps = getelementptr float, ptr %sums, i64 %k
  %s = load float, ptr %ps, !llvm.access.group !0
  %t = fadd float %s, %v
  store float %t, ptr %ps, !llvm.access.group !0
  %next = add nuw nsw i64 %k, 1
  %more = icmp ne i64 %next, %lanes
  br i1 %more, label %lane, label %latch, !llvm.loop !1
latch:
  %left.next = sub i64 %left, 32
  %at.next = add i64 %at, 32
  %again = icmp sgt i64 %left.next, 0
  br i1 %again, label %turn, label %done
done:
  ret void
}

; Of a loop that is no thread loop, of one of another number of turns, and of one
; that may take more, there is one.
; CHECK-LABEL: define void @others
; CHECK-NOT: whole
define void @others(ptr noalias %x, i64 %n) {
entry:
  %least = call i64 @llvm.umax.i64(i64 %n, i64 1)
  %some = call i64 @llvm.umin.i64(i64 %least, i64 32)
  %more = call i64 @llvm.umin.i64(i64 %least, i64 64)
  br label %a
a:
  %i = phi i64 [ 0, %entry ], [ %i.next, %a ]
  %pa = getelementptr float, ptr %x, i64 %i
  store float 1.0, ptr %pa
  %i.next = add nuw nsw i64 %i, 1
  %ca = icmp ne i64 %i.next, %some
  br i1 %ca, label %a, label %b.ph
b.ph:
  br label %b
b:
  %j = phi i64 [ 0, %b.ph ], [ %j.next, %b ]
  %pb = getelementptr float, ptr %x, i64 %j
  store float 2.0, ptr %pb, !llvm.access.group !0
  %j.next = add nuw nsw i64 %j, 1
  %cb = icmp ne i64 %j.next, %more
  br i1 %cb, label %b, label %c.ph, !llvm.loop !1
c.ph:
  br label %c
c:
  %k = phi i64 [ 0, %c.ph ], [ %k.next, %c ]
  %pc = getelementptr float, ptr %x, i64 %k
  store float 3.0, ptr %pc, !llvm.access.group !0
  %k.next = add nuw nsw i64 %k, 1
  %cc = icmp ne i64 %k.next, %least
  br i1 %cc, label %c, label %done, !llvm.loop !1
done:
  ret void
}

; What the loop computes for those behind it comes from either copy.
; CHECK-LABEL: define float @result
; CHECK: done:
; CHECK-NEXT: %[[LAST:.*]] = phi float [ %v, %lane ], [ %v.whole, %lane.whole ]
; CHECK: end:
; CHECK-NEXT: phi float [ 0.000000e+00, %entry ], [ %[[LAST]], %done ]
define float @result(ptr noalias %x, i64 %n, i1 %c) {
entry:
  %some = call i64 @llvm.umin.i64(i64 %n, i64 32)
  %lanes = call i64 @llvm.umax.i64(i64 %some, i64 1)
  br i1 %c, label %before, label %end
before:
  br label %lane
lane:
  %k = phi i64 [ 0, %before ], [ %next, %lane ]
  %p = getelementptr float, ptr %x, i64 %k
  %v = load float, ptr %p, !llvm.access.group !0
  %next = add nuw nsw i64 %k, 1
  %more = icmp ne i64 %next, %lanes
  br i1 %more, label %lane, label %done, !llvm.loop !1
done:
  br label %end
end:
  %last = phi float [ 0.0, %entry ], [ %v, %done ]
  ret float %last
}

declare i64 @llvm.umin.i64(i64, i64)
declare i64 @llvm.umax.i64(i64, i64)

!0 = distinct !{}
!1 = distinct !{!1, !2}
!2 = !{!"llvm.loop.parallel_accesses", !0}
