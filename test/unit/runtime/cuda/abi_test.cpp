// Our CUDA declarations are cuda.h's
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares every constant, size, symbol and signature that the runtime declares
// for itself with the toolkit's header, where that is installed.

#include "cuda/driver/driver.h"

#include <gtest/gtest.h>

#ifdef XCC_TEST_CUDA_H
#include XCC_TEST_CUDA_H
#include <type_traits>

namespace ours = xcc::rt::cuda;

#define SAME(name, theirs)                                                     \
  static_assert(static_cast<long long>(ours::name) ==                          \
                static_cast<long long>(theirs))

SAME(Success, CUDA_SUCCESS);
SAME(InvalidValue, CUDA_ERROR_INVALID_VALUE);
SAME(OutOfMemory, CUDA_ERROR_OUT_OF_MEMORY);
SAME(NotInitialized, CUDA_ERROR_NOT_INITIALIZED);
SAME(Deinitialized, CUDA_ERROR_DEINITIALIZED);
SAME(StubLibrary, CUDA_ERROR_STUB_LIBRARY);
SAME(DeviceUnavailable, CUDA_ERROR_DEVICE_UNAVAILABLE);
SAME(NoDevice, CUDA_ERROR_NO_DEVICE);
SAME(InvalidImage, CUDA_ERROR_INVALID_IMAGE);
SAME(InvalidContext, CUDA_ERROR_INVALID_CONTEXT);
SAME(NoBinaryForGpu, CUDA_ERROR_NO_BINARY_FOR_GPU);
SAME(EccUncorrectable, CUDA_ERROR_ECC_UNCORRECTABLE);
SAME(InvalidPtx, CUDA_ERROR_INVALID_PTX);
SAME(NvlinkUncorrectable, CUDA_ERROR_NVLINK_UNCORRECTABLE);
SAME(JitCompilerNotFound, CUDA_ERROR_JIT_COMPILER_NOT_FOUND);
SAME(UnsupportedPtxVersion, CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
SAME(JitCompilationDisabled, CUDA_ERROR_JIT_COMPILATION_DISABLED);
SAME(InvalidHandle, CUDA_ERROR_INVALID_HANDLE);
SAME(NotFound, CUDA_ERROR_NOT_FOUND);
SAME(NotReady, CUDA_ERROR_NOT_READY);
SAME(IllegalAddress, CUDA_ERROR_ILLEGAL_ADDRESS);
SAME(LaunchOutOfResources, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
SAME(LaunchTimeout, CUDA_ERROR_LAUNCH_TIMEOUT);
SAME(PeerAccessAlreadyEnabled, CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED);
SAME(ContextIsDestroyed, CUDA_ERROR_CONTEXT_IS_DESTROYED);
SAME(Assert, CUDA_ERROR_ASSERT);
SAME(HardwareStackError, CUDA_ERROR_HARDWARE_STACK_ERROR);
SAME(IllegalInstruction, CUDA_ERROR_ILLEGAL_INSTRUCTION);
SAME(MisalignedAddress, CUDA_ERROR_MISALIGNED_ADDRESS);
SAME(InvalidAddressSpace, CUDA_ERROR_INVALID_ADDRESS_SPACE);
SAME(InvalidPc, CUDA_ERROR_INVALID_PC);
SAME(LaunchFailed, CUDA_ERROR_LAUNCH_FAILED);
SAME(NotSupported, CUDA_ERROR_NOT_SUPPORTED);
SAME(SystemNotReady, CUDA_ERROR_SYSTEM_NOT_READY);
SAME(SystemDriverMismatch, CUDA_ERROR_SYSTEM_DRIVER_MISMATCH);
SAME(Unknown, CUDA_ERROR_UNKNOWN);
#if CUDA_VERSION >= 12090
SAME(Contained, CUDA_ERROR_CONTAINED);
SAME(TensorMemoryLeak, CUDA_ERROR_TENSOR_MEMORY_LEAK);
#endif

SAME(MaxThreadsPerBlock, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
SAME(MaxBlockDimX, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X);
SAME(MaxBlockDimX + 2, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z);
SAME(MaxGridDimX, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X);
SAME(MaxGridDimX + 2, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z);
SAME(MaxSharedPerBlock, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
SAME(WarpSize, CU_DEVICE_ATTRIBUTE_WARP_SIZE);
SAME(MultiprocessorCount, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
SAME(MaxThreadsPerMultiprocessor,
     CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
SAME(CapabilityMajor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
SAME(CapabilityMinor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
SAME(MaxSharedPerBlockOptin,
     CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
SAME(MemoryPoolsSupported, CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED);

SAME(FunctionMaxThreads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
SAME(FunctionSharedSize, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
SAME(FunctionLocalSize, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
SAME(FunctionMaxDynamicShared, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
SAME(JitErrorLog, CU_JIT_ERROR_LOG_BUFFER);
SAME(JitErrorLogSize, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES);
SAME(PointerMemoryType, CU_POINTER_ATTRIBUTE_MEMORY_TYPE);
SAME(MemoryTypeDevice, CU_MEMORYTYPE_DEVICE);
SAME(MemoryTypeHost, CU_MEMORYTYPE_HOST);
SAME(PoolReleaseThreshold, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD);
SAME(PoolReserved, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT);
SAME(PoolUsed, CU_MEMPOOL_ATTR_USED_MEM_CURRENT);
SAME(ManagedMemory, CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY);
SAME(AttachGlobal, CU_MEM_ATTACH_GLOBAL);
SAME(RegisterPortable, CU_MEMHOSTREGISTER_PORTABLE);
SAME(RegisterDeviceMap, CU_MEMHOSTREGISTER_DEVICEMAP);
SAME(LocationDevice, CU_MEM_LOCATION_TYPE_DEVICE);
SAME(AccessReadWrite, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
SAME(StreamNonBlocking, CU_STREAM_NON_BLOCKING);
SAME(EventDefault, CU_EVENT_DEFAULT);
SAME(HostAllocPortable, CU_MEMHOSTALLOC_PORTABLE);
SAME(HostAllocDeviceMap, CU_MEMHOSTALLOC_DEVICEMAP);

static_assert(sizeof(ours::AccessDescription) == sizeof(CUmemAccessDesc));
static_assert(offsetof(ours::AccessDescription, number) ==
              offsetof(CUmemAccessDesc, location.id));
static_assert(offsetof(ours::AccessDescription, access) ==
              offsetof(CUmemAccessDesc, flags));
static_assert(sizeof(ours::CopyOfRows) == sizeof(CUDA_MEMCPY3D));
#define FIELD(name, theirs)                                                    \
  static_assert(offsetof(ours::CopyOfRows, name) ==                            \
                offsetof(CUDA_MEMCPY3D, theirs))
FIELD(from.memoryType, srcMemoryType);
FIELD(from.host, srcHost);
FIELD(from.device, srcDevice);
FIELD(from.pitch, srcPitch);
FIELD(from.height, srcHeight);
FIELD(to.memoryType, dstMemoryType);
FIELD(to.host, dstHost);
FIELD(to.device, dstDevice);
FIELD(to.height, dstHeight);
FIELD(width, WidthInBytes);
FIELD(depth, Depth);
static_assert(sizeof(CUmemorytype) == sizeof(unsigned));

TEST(CudaAbi, LaunchKeys) {
  EXPECT_EQ(ours::LaunchEnd, CU_LAUNCH_PARAM_END);
  EXPECT_EQ(ours::LaunchBuffer, CU_LAUNCH_PARAM_BUFFER_POINTER);
  EXPECT_EQ(ours::LaunchBufferSize, CU_LAUNCH_PARAM_BUFFER_SIZE);
}

// Signatures: as many parameters, each of the same size and kind.
template <class Ours, class Theirs>
constexpr bool Alike = sizeof(Ours) == sizeof(Theirs) &&
                       std::is_pointer_v<Ours> == std::is_pointer_v<Theirs>;
template <class Ours, class Theirs> struct SameCall : std::false_type {};
template <class R, class... A, class Q, class... B>
  requires(sizeof...(A) == sizeof...(B))
struct SameCall<R (*)(A...), Q (*)(B...)>
    : std::bool_constant<Alike<R, Q> && (Alike<A, B> && ...)> {};

// The header declares no function of an older version that another replaced;
// those are spelt as they were when they were the newest.
#define CHECK_CALL(need, name, symbol, params)                                 \
  static_assert(                                                               \
      SameCall<decltype(ours::Driver::name), decltype(&::symbol)>::value,      \
      #symbol);
XCC_CUDA_DRIVER_API(CHECK_CALL)

TEST(CudaAbi, AgreesWithTheHeader) {}

#else
TEST(CudaAbi, AgreesWithTheHeader) {
  GTEST_SKIP() << "cuda.h is not installed";
}
#endif
