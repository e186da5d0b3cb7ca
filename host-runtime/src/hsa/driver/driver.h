// The functions of libhsa-runtime64, found at run time
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One table of the entry points of AMD's HSA runtime. A program does not need
// the library to start: the first call that looks for AMD GPUs opens it, and it
// stays open.
//
// An optional entry may be null; its users work without it.

#ifndef XCC_SRC_HSA_DRIVER_DRIVER_H
#define XCC_SRC_HSA_DRIVER_DRIVER_H

#include "abi.h"
#include "errors/error.h"

/// F(kind, name without "hsa_", result, parameters)
#define XCC_HSA_FUNCTIONS(F)                                                   \
  F(Required, init, Status, (void))                                            \
  F(Required, shut_down, Status, (void))                                       \
  F(Required, status_string, Status, (Status, const char **))                  \
  F(Required, system_get_info, Status, (SystemInfo, void *))                   \
  F(Required, iterate_agents, Status, (AgentVisitor, void *))                  \
  F(Required, agent_get_info, Status, (Agent, AgentInfo, void *))              \
  F(Required, agent_iterate_isas, Status, (Agent, IsaVisitor, void *))         \
  F(Required, isa_get_info_alt, Status, (Isa, IsaInfo, void *))                \
  F(Required, queue_create, Status,                                            \
    (Agent, uint32_t, QueueType, QueueErrorHandler, void *, uint32_t,          \
     uint32_t, QueueRef **))                                                   \
  F(Required, queue_destroy, Status, (QueueRef *))                             \
  F(Required, queue_add_write_index_relaxed, uint64_t,                         \
    (const QueueRef *, uint64_t))                                              \
  F(Required, queue_load_write_index_relaxed, uint64_t, (const QueueRef *))    \
  F(Required, queue_load_read_index_scacquire, uint64_t, (const QueueRef *))   \
  F(Required, signal_create, Status,                                           \
    (int64_t, uint32_t, const Agent *, SignalRef *))                           \
  F(Required, signal_destroy, Status, (SignalRef))                             \
  F(Required, signal_load_scacquire, int64_t, (SignalRef))                     \
  F(Required, signal_store_screlease, void, (SignalRef, int64_t))              \
  F(Required, signal_wait_scacquire, int64_t,                                  \
    (SignalRef, Condition, int64_t, uint64_t, WaitState))                      \
  F(Required, code_object_reader_create_from_memory, Status,                   \
    (const void *, size_t, Reader *))                                          \
  F(Required, code_object_reader_destroy, Status, (Reader))                    \
  F(Required, executable_create_alt, Status,                                   \
    (Profile, RoundingMode, const char *, Executable *))                       \
  F(Required, executable_load_agent_code_object, Status,                       \
    (Executable, Agent, Reader, const char *, LoadedObject *))                 \
  F(Required, executable_freeze, Status, (Executable, const char *))           \
  F(Required, executable_destroy, Status, (Executable))                        \
  F(Required, executable_get_symbol_by_name, Status,                           \
    (Executable, const char *, const Agent *, Symbol *))                       \
  F(Required, executable_symbol_get_info, Status,                              \
    (Symbol, SymbolInfo, void *))                                              \
  F(Required, amd_agent_iterate_memory_pools, Status,                          \
    (Agent, PoolVisitor, void *))                                              \
  F(Required, amd_memory_pool_get_info, Status, (Pool, PoolInfo, void *))      \
  F(Required, amd_agent_memory_pool_get_info, Status,                          \
    (Agent, Pool, AgentPoolInfo, void *))                                      \
  F(Required, amd_memory_pool_allocate, Status,                                \
    (Pool, size_t, uint32_t, void **))                                         \
  F(Required, amd_memory_pool_free, Status, (void *))                          \
  F(Required, amd_agents_allow_access, Status,                                 \
    (uint32_t, const Agent *, const uint32_t *, const void *))                 \
  F(Required, amd_memory_async_copy, Status,                                   \
    (void *, Agent, const void *, Agent, size_t, uint32_t, const SignalRef *,  \
     SignalRef))                                                               \
  F(Required, amd_memory_fill, Status, (void *, uint32_t, size_t))             \
  F(Required, amd_memory_lock, Status,                                         \
    (void *, size_t, Agent *, int, void **))                                   \
  F(Required, amd_memory_unlock, Status, (void *))                             \
  F(Optional, amd_queue_set_priority, Status, (QueueRef *, QueuePriority))     \
  F(Optional, amd_memory_async_copy_rect, Status,                              \
    (const PitchedPointer *, const Dim3 *, const PitchedPointer *,             \
     const Dim3 *, const Dim3 *, Agent, CopyDirection, uint32_t,               \
     const SignalRef *, SignalRef))                                            \
  F(Optional, amd_pointer_info, Status,                                        \
    (const void *, PointerInfo *, void *(*)(size_t), uint32_t *, Agent **))    \
  F(Optional, amd_signal_async_handler, Status,                                \
    (SignalRef, Condition, int64_t, SignalHandler, void *))                    \
  F(Optional, amd_profiling_set_profiler_enabled, Status, (QueueRef *, int))   \
  F(Optional, amd_profiling_get_dispatch_time, Status,                         \
    (Agent, SignalRef, DispatchTime *))                                        \
  F(Optional, amd_profiling_async_copy_enable, Status, (bool))                 \
  F(Optional, amd_profiling_get_async_copy_time, Status,                       \
    (SignalRef, CopyTime *))                                                   \
  F(Optional, amd_register_system_event_handler, Status,                       \
    (SystemEventHandler, void *))

namespace xcc::rt::hsa {

struct Driver {
#define XCC_HSA_MEMBER(kind, name, result, parameters) result(*name) parameters;
  XCC_HSA_FUNCTIONS(XCC_HSA_MEMBER)
#undef XCC_HSA_MEMBER
};

/// Filled in by loadDriver(); all entries are null before.
extern Driver hsa;

/// Opens the library and calls hsa_init, once in the process. Returns null on
/// success, else the reason, which the caller owns. Call it under a lock.
xcc_error *loadDriver(void *library);

/// The library's text for a status: "HSA_STATUS_ERROR_...: A sentence". Valid
/// until the thread calls this again.
const char *statusText(Status s);
/// The runtime's code for a failure: out of memory, or a system error.
xcc_status codeOf(Status s);

} // namespace xcc::rt::hsa
#endif // XCC_SRC_HSA_DRIVER_DRIVER_H
