// How tests steer the mock HSA runtime
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The mock libhsa-runtime64.so.1 has agents of host memory, signals, and queues
// whose packets a thread reads, checks, records and completes. It runs no
// device code; a test may give a kernel a body. All functions are C functions
// that a test finds with dlsym in the library the runtime opened.
//
// Environment, read by hsa_init:
//   MOCK_HSA_AGENTS      GPU targets (default "gfx90a:sramecc+:xnack-,gfx1100")
//   MOCK_HSA_QUEUE_SIZE  packets that a queue has at most (default 1024)
//   MOCK_HSA_SVM         set: GPUs reach all of the host's memory
//   MOCK_HSA_NO_PEERS    set: GPUs do not see each other's memory
//   MOCK_HSA_FAIL        "hsa_init:1=0x1008,...": the n-th call fails so
//   MOCK_HSA_KERNELS     a library with bodies, named by the kernels' symbols
//
// Code objects are AMD GPU ELF files (kernels are the symbols that end in .kd),
// or text: "MOCKHSA", then a line for each kernel with symbol, kernarg bytes,
// group bytes, private bytes, and 1 for a dynamic stack. A symbol that begins
// with two underscores is a variable of so many bytes instead.

#ifndef XCC_TEST_MOCK_HSA_H
#define XCC_TEST_MOCK_HSA_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A launch as a kernel's body sees it.
typedef struct mock_dispatch {
  uint32_t grid[3];      ///< blocks
  uint32_t block[3];     ///< threads
  uint32_t group_size;   ///< bytes, static and dynamic
  uint32_t private_size; ///< bytes of each thread
  const void *packet;    ///< the 64 bytes
} mock_dispatch;
typedef void (*mock_body)(const void *kernarg, const mock_dispatch *launch);

/// A dispatch packet that was processed.
typedef struct mock_record {
  unsigned char packet[64]; ///< as found, header included
  const char *symbol;
  const unsigned char *kernarg; ///< a copy, lives as long as the process
  size_t kernarg_size;
  uint64_t queue; ///< its id
  uint64_t index; ///< of the packet
  int agent;      ///< which GPU
} mock_record;

typedef size_t (*mock_hsa_record_count_fn)(void);
typedef int (*mock_hsa_record_fn)(size_t index, mock_record *out);
/// The first rule of HSA that was broken, "" when none.
typedef const char *(*mock_hsa_violation_fn)(void);
/// The n-th call from now (1: the next) of a function fails with a status.
typedef void (*mock_hsa_fail_fn)(const char *function, unsigned n, int status);
typedef size_t (*mock_hsa_calls_fn)(const char *function);
/// The n-th dispatch from now stops its queue with a status.
typedef void (*mock_hsa_fail_dispatch_fn)(unsigned n, int status);
/// The n-th dispatch from now faults at an address and stops its queue.
typedef void (*mock_hsa_fault_fn)(unsigned n, uint64_t address,
                                  uint32_t reason);
/// The n-th copy from now fails while it runs.
typedef void (*mock_hsa_fail_copy_fn)(unsigned n);
/// Stops all packet processors before their next packet, or lets them go on.
typedef void (*mock_hsa_pause_fn)(int paused);
/// Count a packet as read when it begins (default), or when it has ended.
typedef void (*mock_hsa_read_late_fn)(int late);
typedef void (*mock_hsa_body_fn)(const char *symbol, mock_body body);
/// The variable of that name in the GPU's image that was loaded last; null when
/// there is none.
typedef void *(*mock_hsa_variable_fn)(const char *name, int agent);
/// Ranges of host memory that are locked now.
typedef size_t (*mock_hsa_locked_fn)(void);
/// How often places of queues were taken, and doorbells rung.
typedef size_t (*mock_hsa_additions_fn)(void);
typedef size_t (*mock_hsa_rings_fn)(void);
/// Bytes that are allocated now.
typedef size_t (*mock_hsa_allocated_fn)(void);

#ifdef __cplusplus
}
#endif
#endif // XCC_TEST_MOCK_HSA_H
