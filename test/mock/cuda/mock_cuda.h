// A CUDA driver for machines without one
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libcuda.so.1 as far as the runtime uses it, for tests: device memory is host
// memory, streams run at once, kernels do what a test says. It is strict where
// the driver is: handles, contexts and ranges are checked. Every call is
// recorded, and any call can be made to fail.
//
// Settings, read when the library is first called:
//
//   MOCK_CUDA_DEVICES=sm_90,sm_70  the devices (default sm_90; "" for none)
//   MOCK_CUDA_VERSION=13000        what cuDriverGetVersion says
//   MOCK_CUDA_POOLS=0              no allocations in stream order
//   MOCK_CUDA_MANAGED=0            no managed memory
//   MOCK_CUDA_PAGEABLE=1           kernels reach all of the host's memory
//   MOCK_CUDA_FAIL=cuInit:1:999    the first cuInit returns 999; commas between
//   MOCK_CUDA_LOG=file             one line for each call
//   MOCK_CUDA_QUIET=1              as mock_cuda_quiet(1)
//   MOCK_CUDA_KERNELS=file.so      bodies of kernels, by their symbols
//
// The functions below are found with dlsym in a library that is loaded anyway.

#ifndef XCC_TEST_MOCK_CUDA_H
#define XCC_TEST_MOCK_CUDA_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mock_launch {
  unsigned grid[3], block[3];
  unsigned shared; ///< dynamic, bytes
  size_t kernarg_size;
  void *stream;
} mock_launch;

/// What a kernel does. Runs once for a launch, not once for each thread. Other
/// threads may call the driver meanwhile; other kernels wait.
typedef void (*mock_kernel)(const void *kernarg, const mock_launch *launch);

/// Gives a kernel a body; null takes it away.
void mock_cuda_set_kernel(const char *symbol, mock_kernel body);
/// Says where a kernel has its next parameter in a launch's buffer. Of others
/// than these kernels cuFuncGetParamInfo knows nothing.
void mock_cuda_add_parameter(const char *symbol, size_t offset, size_t size);
/// What cuFuncGetAttribute says of every kernel from now on.
void mock_cuda_set_attributes(int shared, int local, int maxThreads);
/// For a kernel's body: it failed; the next call that looks is told so.
void mock_cuda_fault(int result);

/// The variable of that name in the module of the device that was asked for it
/// last; null when there is none. Modules hold __xcc_rpc and __xcc_trap_report
/// if their bytes name them.
void *mock_cuda_variable(const char *name, int device);

/// The calls since the last clear, one "name(arguments)" on each line. Valid
/// until the next call of this function.
const char *mock_cuda_calls(void);
void mock_cuda_clear(void);
/// How often a function was called since the last clear; null: all together.
size_t mock_cuda_count(const char *function);
/// Makes the function's nth call from now (1: the next) return a result.
void mock_cuda_fail(const char *function, int nth, int result);
/// Stops recording, for timings: calls do only what they must.
void mock_cuda_quiet(int quiet);
/// Makes another (or no: -1) device's context the thread's, as another user of
/// CUDA in the process would.
void mock_cuda_switch_context(int device);

#ifdef __cplusplus
}
#endif
#endif // XCC_TEST_MOCK_CUDA_H
