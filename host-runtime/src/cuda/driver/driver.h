// The part of the CUDA driver API that the runtime uses
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libcuda.so.1 comes with the driver, so it is opened when a program with CUDA
// images first uses a device. Programs must build without the toolkit, so types
// and numbers are declared here, after the CUDA Driver API reference (cuda.h).
// Names are the reference's without the prefix.
//
// XCC_CUDA_DRIVER_API is the one list of entry points. Both the runtime's table
// of pointers and the tests' mock driver are made from it.

#ifndef XCC_SRC_CUDA_DRIVER_DRIVER_H
#define XCC_SRC_CUDA_DRIVER_DRIVER_H

#include "xcc/runtime.h"

#include <cstddef>
#include <cstdint>

namespace xcc::rt::cuda {

using DeviceNumber = int;           // CUdevice
using Address = unsigned long long; // CUdeviceptr
using Context = struct ContextObject *;
using Module = struct ModuleObject *;
using Function = struct FunctionObject *;
using Stream = struct StreamObject *;
using EventHandle = struct EventObject *;
using Graph = struct GraphObject *;
using ExecutableGraph = struct ExecutableGraphObject *;
using MemoryPool = struct MemoryPoolObject *;
using HostFunction = void (*)(void *);

/// CUresult: the values that the runtime distinguishes.
enum Result : int {
  Success = 0,
  InvalidValue = 1,
  OutOfMemory = 2,
  NotInitialized = 3,
  Deinitialized = 4,
  StubLibrary = 34,
  DeviceUnavailable = 46,
  NoDevice = 100,
  InvalidImage = 200,
  InvalidContext = 201,
  NoBinaryForGpu = 209,
  EccUncorrectable = 214,
  InvalidPtx = 218,
  NvlinkUncorrectable = 220,
  JitCompilerNotFound = 221,
  UnsupportedPtxVersion = 222,
  JitCompilationDisabled = 223,
  Contained = 226,
  InvalidHandle = 400,
  NotFound = 500,
  NotReady = 600,
  IllegalAddress = 700,
  LaunchOutOfResources = 701,
  LaunchTimeout = 702,
  PeerAccessAlreadyEnabled = 704,
  ContextIsDestroyed = 709,
  Assert = 710,
  HardwareStackError = 714,
  IllegalInstruction = 715,
  MisalignedAddress = 716,
  InvalidAddressSpace = 717,
  InvalidPc = 718,
  LaunchFailed = 719,
  CooperativeTooLarge = 720,
  TensorMemoryLeak = 721,
  NotSupported = 801,
  SystemNotReady = 802,
  SystemDriverMismatch = 803,
  Unknown = 999
};

/// CUdevice_attribute
enum DeviceAttribute : int {
  MaxThreadsPerBlock = 1,
  MaxBlockDimX = 2, // and Y, Z
  MaxGridDimX = 5,  // and Y, Z
  MaxSharedPerBlock = 8,
  WarpSize = 10,
  RegistersPerBlock = 12,
  ClockRate = 13,
  MultiprocessorCount = 16,
  MemoryClockRate = 36,
  MemoryBusWidth = 37,
  L2CacheSize = 38,
  MaxThreadsPerMultiprocessor = 39,
  CapabilityMajor = 75,
  CapabilityMinor = 76,
  ManagedMemory = 83,
  PageableMemoryAccess = 88,
  MaxSharedPerBlockOptin = 97,
  MemoryPoolsSupported = 115
};

/// CUlimit
enum ContextLimit : int { LimitStackSize = 0 };

/// CUfunction_attribute
enum FunctionAttribute : int {
  FunctionMaxThreads = 0,
  FunctionSharedSize = 1,
  FunctionLocalSize = 3,
  FunctionMaxDynamicShared = 8
};

/// CUjit_option
enum JitOption : int { JitErrorLog = 5, JitErrorLogSize = 6 };
/// CUpointer_attribute, and the values of the memory type.
enum PointerAttribute : int { PointerMemoryType = 2 };
constexpr unsigned MemoryTypeHost = 1, MemoryTypeDevice = 2;
/// CUmemPool_attribute, all uint64_t, in bytes: kept at a wait, reserved, used.
enum PoolAttribute : int {
  PoolReleaseThreshold = 4,
  PoolReserved = 5,
  PoolUsed = 7
};

/// CUmemAccessDesc: how a device may access a pool's memory.
///
///     0               4       8        12
///     | location type | number| access |
struct AccessDescription {
  int locationType; ///< LocationDevice
  int number;       ///< the device
  int access;       ///< AccessReadWrite
};
static_assert(sizeof(AccessDescription) == 12);
constexpr int LocationDevice = 1;  // CU_MEM_LOCATION_TYPE_DEVICE
constexpr int AccessReadWrite = 3; // CU_MEM_ACCESS_FLAGS_PROT_READWRITE

constexpr unsigned StreamNonBlocking = 1; // CU_STREAM_NON_BLOCKING
constexpr int CaptureOfThread = 1;        // CU_STREAM_CAPTURE_MODE_THREAD_LOCAL
constexpr unsigned EventDefault = 0;      // CU_EVENT_DEFAULT: with timing
constexpr unsigned HostAllocPortable = 1; // CU_MEMHOSTALLOC_PORTABLE
constexpr unsigned HostAllocDeviceMap = 2; // CU_MEMHOSTALLOC_DEVICEMAP
constexpr unsigned RegisterPortable = 1;   // CU_MEMHOSTREGISTER_PORTABLE
constexpr unsigned RegisterDeviceMap = 2;  // CU_MEMHOSTREGISTER_DEVICEMAP
constexpr unsigned AttachGlobal = 1;       // CU_MEM_ATTACH_GLOBAL

/// CUDA_MEMCPY3D: CopySide is one side of the copy. Arrays and offsets stay 0.
struct CopySide {
  size_t x, y, z, level;
  int memoryType; ///< MemoryTypeHost: at host, MemoryTypeDevice: at device
  const void *host;
  Address device;
  void *array, *reserved;
  size_t pitch, height; ///< bytes of a row, rows of a slice
};
struct CopyOfRows {
  CopySide from, to;
  size_t width, height, depth; ///< bytes, rows, slices
};
static_assert(sizeof(CopyOfRows) == 200);

/// The extra parameter of cuLaunchKernel: keys and values, up to LaunchEnd.
inline void *const LaunchEnd = nullptr;
inline void *const LaunchBuffer = reinterpret_cast<void *>(1);
inline void *const LaunchBufferSize = reinterpret_cast<void *>(2);

/// CUlaunchAttribute; only one attribute is used.
///
///     0    4     8       72
///     | id | pad | value |
struct LaunchAttribute {
  int id; ///< LaunchIsCooperative
  char pad[4];
  int value;
  char rest[60];
};
static_assert(sizeof(LaunchAttribute) == 72);
constexpr int LaunchIsCooperative = 2; // CU_LAUNCH_ATTRIBUTE_COOPERATIVE

/// CUlaunchConfig
struct ExtendedLaunch {
  unsigned grid[3], block[3];
  unsigned shared;
  Stream in;
  LaunchAttribute *attributes;
  unsigned count;
};
static_assert(sizeof(ExtendedLaunch) == 56);

// X(need, name, symbol in the library, parameters). The symbols are those to
// which cuda.h of CUDA 11 and later maps the names.
#define XCC_CUDA_DRIVER_API(X)                                                 \
  X(Required, Init, cuInit, (unsigned))                                        \
  X(Required, DriverGetVersion, cuDriverGetVersion, (int *))                   \
  X(Required, GetErrorName, cuGetErrorName, (Result, const char **))           \
  X(Required, GetErrorString, cuGetErrorString, (Result, const char **))       \
  X(Required, DeviceGetCount, cuDeviceGetCount, (int *))                       \
  X(Required, DeviceGet, cuDeviceGet, (DeviceNumber *, int))                   \
  X(Required, DeviceGetName, cuDeviceGetName, (char *, int, DeviceNumber))     \
  X(Required, DeviceTotalMem, cuDeviceTotalMem_v2, (size_t *, DeviceNumber))   \
  X(Required, DeviceGetAttribute, cuDeviceGetAttribute,                        \
    (int *, DeviceAttribute, DeviceNumber))                                    \
  X(Required, DevicePrimaryCtxRetain, cuDevicePrimaryCtxRetain,                \
    (Context *, DeviceNumber))                                                 \
  X(Required, CtxSetCurrent, cuCtxSetCurrent, (Context))                       \
  X(Required, CtxGetCurrent, cuCtxGetCurrent, (Context *))                     \
  X(Required, ModuleLoadDataEx, cuModuleLoadDataEx,                            \
    (Module *, const void *, unsigned, JitOption *, void **))                  \
  X(Required, ModuleUnload, cuModuleUnload, (Module))                          \
  X(Required, ModuleGetFunction, cuModuleGetFunction,                          \
    (Function *, Module, const char *))                                        \
  X(Required, FuncGetAttribute, cuFuncGetAttribute,                            \
    (int *, FunctionAttribute, Function))                                      \
  X(Required, FuncSetAttribute, cuFuncSetAttribute,                            \
    (Function, FunctionAttribute, int))                                        \
  X(Required, LaunchKernel, cuLaunchKernel,                                    \
    (Function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,     \
     unsigned, Stream, void **, void **))                                      \
  X(Required, LaunchHostFunc, cuLaunchHostFunc,                                \
    (Stream, HostFunction, void *))                                            \
  X(Required, OccupancyMaxActiveBlocks,                                        \
    cuOccupancyMaxActiveBlocksPerMultiprocessor,                               \
    (int *, Function, int, size_t))                                            \
  X(Required, MemGetInfo, cuMemGetInfo_v2, (size_t *, size_t *))               \
  X(Required, MemAlloc, cuMemAlloc_v2, (Address *, size_t))                    \
  X(Required, MemFree, cuMemFree_v2, (Address))                                \
  X(Required, MemHostAlloc, cuMemHostAlloc, (void **, size_t, unsigned))       \
  X(Required, MemFreeHost, cuMemFreeHost, (void *))                            \
  X(Required, MemAllocManaged, cuMemAllocManaged,                              \
    (Address *, size_t, unsigned))                                             \
  X(Required, MemHostRegister, cuMemHostRegister_v2,                           \
    (void *, size_t, unsigned))                                                \
  X(Required, MemHostUnregister, cuMemHostUnregister, (void *))                \
  X(Required, MemcpyAsync, cuMemcpyAsync, (Address, Address, size_t, Stream))  \
  X(Required, MemcpyPeerAsync, cuMemcpyPeerAsync,                              \
    (Address, Context, Address, Context, size_t, Stream))                      \
  X(Required, Memcpy3DAsync, cuMemcpy3DAsync_v2, (const CopyOfRows *, Stream)) \
  X(Required, MemsetD8Async, cuMemsetD8Async,                                  \
    (Address, unsigned char, size_t, Stream))                                  \
  X(Required, MemsetD2D8Async, cuMemsetD2D8Async,                              \
    (Address, size_t, unsigned char, size_t, size_t, Stream))                  \
  X(Required, MemsetD2D32Async, cuMemsetD2D32Async,                            \
    (Address, size_t, unsigned, size_t, size_t, Stream))                       \
  X(Required, PointerGetAttribute, cuPointerGetAttribute,                      \
    (void *, PointerAttribute, Address))                                       \
  X(Required, DeviceCanAccessPeer, cuDeviceCanAccessPeer,                      \
    (int *, DeviceNumber, DeviceNumber))                                       \
  X(Required, CtxEnablePeerAccess, cuCtxEnablePeerAccess, (Context, unsigned)) \
  X(Required, StreamCreate, cuStreamCreate, (Stream *, unsigned))              \
  X(Required, StreamCreateWithPriority, cuStreamCreateWithPriority,            \
    (Stream *, unsigned, int))                                                 \
  X(Required, CtxGetStreamPriorityRange, cuCtxGetStreamPriorityRange,          \
    (int *, int *))                                                            \
  X(Required, StreamSynchronize, cuStreamSynchronize, (Stream))                \
  X(Required, StreamQuery, cuStreamQuery, (Stream))                            \
  X(Required, StreamWaitEvent, cuStreamWaitEvent,                              \
    (Stream, EventHandle, unsigned))                                           \
  X(Required, EventCreate, cuEventCreate, (EventHandle *, unsigned))           \
  X(Required, EventDestroy, cuEventDestroy_v2, (EventHandle))                  \
  X(Required, EventRecord, cuEventRecord, (EventHandle, Stream))               \
  X(Required, EventQuery, cuEventQuery, (EventHandle))                         \
  X(Required, EventSynchronize, cuEventSynchronize, (EventHandle))             \
  X(Required, EventElapsedTime, cuEventElapsedTime,                            \
    (float *, EventHandle, EventHandle))                                       \
  X(Optional, FuncGetParamInfo, cuFuncGetParamInfo,                            \
    (Function, size_t, size_t *, size_t *))                                    \
  X(Optional, LaunchKernelEx, cuLaunchKernelEx,                                \
    (const ExtendedLaunch *, Function, void **, void **))                      \
  X(Optional, StreamDestroy, cuStreamDestroy_v2, (Stream))                     \
  X(Optional, StreamBeginCapture, cuStreamBeginCapture_v2, (Stream, int))      \
  X(Optional, StreamEndCapture, cuStreamEndCapture, (Stream, Graph *))         \
  X(Optional, GraphInstantiate, cuGraphInstantiateWithFlags,                   \
    (ExecutableGraph *, Graph, unsigned long long))                            \
  X(Optional, GraphDestroy, cuGraphDestroy, (Graph))                           \
  X(Optional, GraphExecDestroy, cuGraphExecDestroy, (ExecutableGraph))         \
  X(Optional, GraphLaunch, cuGraphLaunch, (ExecutableGraph, Stream))           \
  X(Optional, CtxGetLimit, cuCtxGetLimit, (size_t *, ContextLimit))            \
  X(Optional, CtxSetLimit, cuCtxSetLimit, (ContextLimit, size_t))              \
  X(Optional, ModuleGetGlobal, cuModuleGetGlobal_v2,                           \
    (Address *, size_t *, Module, const char *))                               \
  X(Optional, MemHostGetDevicePointer, cuMemHostGetDevicePointer_v2,           \
    (Address *, void *, unsigned))                                             \
  X(Optional, MemAllocAsync, cuMemAllocAsync, (Address *, size_t, Stream))     \
  X(Optional, MemFreeAsync, cuMemFreeAsync, (Address, Stream))                 \
  X(Optional, DeviceGetDefaultMemPool, cuDeviceGetDefaultMemPool,              \
    (MemoryPool *, DeviceNumber))                                              \
  X(Optional, MemPoolSetAttribute, cuMemPoolSetAttribute,                      \
    (MemoryPool, PoolAttribute, void *))                                       \
  X(Optional, MemPoolGetAttribute, cuMemPoolGetAttribute,                      \
    (MemoryPool, PoolAttribute, void *))                                       \
  X(Optional, MemPoolTrimTo, cuMemPoolTrimTo, (MemoryPool, size_t))            \
  X(Optional, MemPoolSetAccess, cuMemPoolSetAccess,                            \
    (MemoryPool, const AccessDescription *, size_t))

/// The library's entry points; optional ones may be null.
struct Driver {
#define XCC_CUDA_POINTER(need, name, symbol, params) Result(*name) params;
  // NOLINTNEXTLINE(readability-identifier-naming): the library's own names
  XCC_CUDA_DRIVER_API(XCC_CUDA_POINTER)
#undef XCC_CUDA_POINTER
  int version; ///< of the newest CUDA it supports: 1000 * major + 10 * minor
};

/// Filled in by loadDriver(), constant after it.
extern Driver theDriver;

/// Opens and initialises the library, once. Returns null if it works, else the
/// reason, which the caller owns. Sets noDevices if it works and there are
/// none.
xcc_error *loadDriver(void *library, bool &noDevices);

} // namespace xcc::rt::cuda
#endif // XCC_SRC_CUDA_DRIVER_DRIVER_H
