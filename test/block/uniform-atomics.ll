; Atomic operations of threads on one variable: integers are combined first, also
; where only some threads operate or there are several variables. Floating-point
; numbers are added to what the variable held, one after the other, and all again
; if it has changed. Not where a result is used, where a thread reads or writes
; memory behind it, or where the loop does what cannot be done again.
;
; Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; RUN: %join-atomics %s | %FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define void @integers
; CHECK: thread:
; CHECK: %[[SUM:.*]] = phi i32 [ 0, %entry ], [ %[[NEXT:.*]], %thread ]
; CHECK: %[[NEXT]] = add i32 %[[SUM]], %v
; CHECK: done:
; CHECK: atomicrmw add ptr %to, i32 %{{.*}} monotonic
; CHECK: ret void
define void @integers(ptr %p, ptr %to, i64 %n) {
entry:
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %thread ]
  %at = getelementptr i32, ptr %p, i64 %i
  %v = load i32, ptr %at, !llvm.access.group !0
  %old = atomicrmw add ptr %to, i32 %v monotonic
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %thread, label %done, !llvm.loop !1
done:
  ret void
}

; CHECK-LABEL: define void @floats
; CHECK: %[[FIRST:.*]] = load atomic i32, ptr %to monotonic, align 4
; CHECK: threads.add:
; CHECK: %old = phi i32 [ %[[FIRST]], %entry ], [ %[[FOUND:.*]], %threads.added ]
; CHECK: thread:
; CHECK-NOT: atomicrmw
; CHECK: fadd float %{{.*}}, %v
; CHECK: threads.added:
; CHECK: cmpxchg weak ptr %to, i32 %old, i32 %{{.*}} monotonic monotonic
; CHECK: br i1 %{{.*}}, label %done, label %threads.add
define void @floats(ptr %p, ptr %to, i64 %n) {
entry:
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %thread ]
  %at = getelementptr float, ptr %p, i64 %i
  %v = load float, ptr %at, !llvm.access.group !0
  %old.value = atomicrmw fadd ptr %to, float %v monotonic, align 4
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %thread, label %done, !llvm.loop !1
done:
  ret void
}

; CHECK-LABEL: define void @results
; CHECK: thread:
; CHECK: atomicrmw add
; CHECK: store i32 %old
; CHECK-NOT: atomicrmw
; CHECK: ret void
define void @results(ptr %p, ptr %to, i64 %n) {
entry:
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %thread ]
  %at = getelementptr i32, ptr %p, i64 %i
  %old = atomicrmw add ptr %to, i32 1 monotonic
  store i32 %old, ptr %at, !llvm.access.group !0
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %thread, label %done, !llvm.loop !1
done:
  ret void
}

; If no thread adds, there may be no variable.
; CHECK-LABEL: define void @some
; CHECK: adds:
; CHECK-NOT: atomicrmw
; CHECK: done:
; CHECK: %[[ANY:.*]] = icmp ne i32 %[[ALL:.*]], 0
; CHECK: br i1 %[[ANY]], label %[[THEN:.*]], label
; CHECK: [[THEN]]:
; CHECK: atomicrmw add ptr %to, i32 %[[ALL]] monotonic
; CHECK: ret void
define void @some(ptr %p, ptr %to, i64 %n) {
entry:
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %end ]
  %at = getelementptr i32, ptr %p, i64 %i
  %v = load i32, ptr %at, !llvm.access.group !0
  %is = icmp sgt i32 %v, 0
  br i1 %is, label %adds, label %end
adds:
  %old = atomicrmw add ptr %to, i32 %v monotonic
  br label %end
end:
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %thread, label %done, !llvm.loop !1
done:
  ret void
}

; CHECK-LABEL: define void @several
; CHECK: thread:
; CHECK: phi i32 [ -2147483648, %entry ]
; CHECK-NOT: atomicrmw
; CHECK: call i32 @llvm.smax.i32
; CHECK: done:
; CHECK: atomicrmw max ptr %most, i32 %{{.*}} monotonic
; CHECK: ret void
define void @several(ptr %p, ptr %to, ptr %most, i64 %n) {
entry:
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %end ]
  %at = getelementptr i32, ptr %p, i64 %i
  %v = load i32, ptr %at, !llvm.access.group !0
  %old.most = atomicrmw max ptr %most, i32 %v monotonic
  %is = icmp sgt i32 %v, 0
  br i1 %is, label %adds, label %end
adds:
  %old = atomicrmw add ptr %to, i32 1 monotonic
  br label %end
end:
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %thread, label %done, !llvm.loop !1
done:
  ret void
}

; CHECK-LABEL: define void @behind
; CHECK: adds:
; CHECK: atomicrmw add
; CHECK: end:
; CHECK: ret void
define void @behind(ptr %p, ptr %to, i64 %n) {
entry:
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %end ]
  %at = getelementptr i32, ptr %p, i64 %i
  %v = load i32, ptr %at, !llvm.access.group !0
  %is = icmp sgt i32 %v, 0
  br i1 %is, label %adds, label %end
adds:
  %old = atomicrmw add ptr %to, i32 %v monotonic
  br label %end
end:
  store i32 0, ptr %at, !llvm.access.group !0
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %thread, label %done, !llvm.loop !1
done:
  ret void
}

; CHECK-LABEL: define void @stores
; CHECK: thread:
; CHECK: store float
; CHECK: atomicrmw fadd
; CHECK: ret void
define void @stores(ptr %p, ptr %to, i64 %n) {
entry:
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %thread ]
  %at = getelementptr float, ptr %p, i64 %i
  store float 1.0, ptr %at, !llvm.access.group !0
  %old = atomicrmw fadd ptr %to, float 1.0 monotonic, align 4
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %thread, label %done, !llvm.loop !1
done:
  ret void
}

!0 = distinct !{}
!1 = distinct !{!1, !2}
!2 = !{!"llvm.loop.parallel_accesses", !0}
