// Kernels in ordinary C++
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     #include <xcc/xcc.h>
//     void saxpy(int n, float a, const float *x, float *y) {
//       if (std::size_t i = xcc::global_id(); i < n) y[i] += a * x[i];
//     }
//     ...
//     xcc::launch({{blocks}, {256}}, saxpy, n, 2.0f, x.data(), y.data());
//     xcc::synchronize();
//
// This header includes:
//
// device.h  indices, barriers, shared memory, warps: what a kernel calls
// fast.h    mathematical functions that are fast rather than exact
// host.h    devices, streams, events, errors
// host_call.h  device code calls host functions
// memory.h  memory of devices
// launch.h  kernel_info_for, launch
// scope.h   xcc::map: objects that stay on a device until a scope ends
// parallel_for.h  loops of one to three dimensions
// pitched.h  images and volumes in memory of devices
// visit_members.h  the members of any object
// misuse.h  messages for calls in the style of other libraries
// shared_copy.h  asynchronous copies to block-shared memory
// symbol.h  a device's own global variables
// shared_global.h  global objects that host and devices share
// warp.h    match, reduce and scan among the lanes of a warp

#ifndef XCC_XCC_H
#define XCC_XCC_H

#if !defined(__cplusplus) || __cplusplus < 201703L
#error "xcc kernels need C++17 or later: compile with -std=c++17"
#endif

#include <xcc/device.h>
#include <xcc/fast.h>
#include <xcc/host.h>
#include <xcc/host_call.h>
#include <xcc/launch.h>
#include <xcc/misuse.h>
#include <xcc/parallel_for.h>
#include <xcc/scope.h>
#include <xcc/shared_copy.h>
#include <xcc/shared_global.h>
#include <xcc/symbol.h>
#include <xcc/visit_members.h>
#include <xcc/warp.h>

#endif // XCC_XCC_H
