// Our HSA declarations are hsa.h's
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares every constant, size, offset and signature that the runtime declares
// for itself with the headers, where libhsa-runtime-dev is installed.

#include "hsa/driver/driver.h"

#include <gtest/gtest.h>

#if __has_include(<hsa/hsa_ext_amd.h>)
#define LITTLEENDIAN_CPU
#include <array>
#include <hsa/amd_hsa_queue.h>
#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>

using namespace xcc::rt;
using namespace xcc::rt::hsa;

#define SAME(ours, theirs)                                                     \
  static_assert(static_cast<long long>(ours) == static_cast<long long>(theirs))

SAME(StatusSuccess, HSA_STATUS_SUCCESS);
SAME(StatusInfoBreak, HSA_STATUS_INFO_BREAK);
SAME(StatusInvalidMemoryPool, HSA_STATUS_ERROR_INVALID_MEMORY_POOL);
SAME(StatusApertureViolation, HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION);
SAME(StatusIllegalInstruction, HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION);
SAME(StatusMemoryFault, HSA_STATUS_ERROR_MEMORY_FAULT);
SAME(StatusError, HSA_STATUS_ERROR);
SAME(StatusInvalidArgument, HSA_STATUS_ERROR_INVALID_ARGUMENT);
SAME(StatusInvalidQueueCreation, HSA_STATUS_ERROR_INVALID_QUEUE_CREATION);
SAME(StatusInvalidAllocation, HSA_STATUS_ERROR_INVALID_ALLOCATION);
SAME(StatusInvalidAgent, HSA_STATUS_ERROR_INVALID_AGENT);
SAME(StatusInvalidSignal, HSA_STATUS_ERROR_INVALID_SIGNAL);
SAME(StatusInvalidQueue, HSA_STATUS_ERROR_INVALID_QUEUE);
SAME(StatusOutOfResources, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
SAME(StatusInvalidPacketFormat, HSA_STATUS_ERROR_INVALID_PACKET_FORMAT);
SAME(StatusNotInitialized, HSA_STATUS_ERROR_NOT_INITIALIZED);
SAME(StatusIncompatibleArguments, HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS);
SAME(StatusInvalidIsa, HSA_STATUS_ERROR_INVALID_ISA);
SAME(StatusInvalidCodeObject, HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
SAME(StatusInvalidExecutable, HSA_STATUS_ERROR_INVALID_EXECUTABLE);
SAME(StatusFrozenExecutable, HSA_STATUS_ERROR_FROZEN_EXECUTABLE);
SAME(StatusInvalidSymbolName, HSA_STATUS_ERROR_INVALID_SYMBOL_NAME);
SAME(StatusVariableUndefined, HSA_STATUS_ERROR_VARIABLE_UNDEFINED);
SAME(StatusException, HSA_STATUS_ERROR_EXCEPTION);
SAME(DeviceCpu, HSA_DEVICE_TYPE_CPU);
SAME(DeviceGpu, HSA_DEVICE_TYPE_GPU);
SAME(AgentName, HSA_AGENT_INFO_NAME);
SAME(AgentWavefrontSize, HSA_AGENT_INFO_WAVEFRONT_SIZE);
SAME(AgentWorkgroupMaxDim, HSA_AGENT_INFO_WORKGROUP_MAX_DIM);
SAME(AgentWorkgroupMaxSize, HSA_AGENT_INFO_WORKGROUP_MAX_SIZE);
SAME(AgentGridMaxDim, HSA_AGENT_INFO_GRID_MAX_DIM);
SAME(AgentQueueMinSize, HSA_AGENT_INFO_QUEUE_MIN_SIZE);
SAME(AgentQueueMaxSize, HSA_AGENT_INFO_QUEUE_MAX_SIZE);
SAME(AgentDeviceType, HSA_AGENT_INFO_DEVICE);
SAME(AgentComputeUnits, HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT);
SAME(AgentProductName, HSA_AMD_AGENT_INFO_PRODUCT_NAME);
SAME(AgentMaxWavesPerCu, HSA_AMD_AGENT_INFO_MAX_WAVES_PER_CU);
SAME(AgentSimdsPerCu, HSA_AMD_AGENT_INFO_NUM_SIMDS_PER_CU);
SAME(SystemVersionMajor, HSA_SYSTEM_INFO_VERSION_MAJOR);
SAME(SystemTimestamp, HSA_SYSTEM_INFO_TIMESTAMP);
SAME(SystemTimestampFrequency, HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY);
SAME(IsaNameLength, HSA_ISA_INFO_NAME_LENGTH);
SAME(IsaName, HSA_ISA_INFO_NAME);
SAME(PoolSegment, HSA_AMD_MEMORY_POOL_INFO_SEGMENT);
SAME(PoolGlobalFlags, HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS);
SAME(PoolSize, HSA_AMD_MEMORY_POOL_INFO_SIZE);
SAME(PoolAllocAllowed, HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALLOWED);
SAME(SegmentGlobal, HSA_AMD_SEGMENT_GLOBAL);
SAME(SegmentGroup, HSA_AMD_SEGMENT_GROUP);
SAME(PoolKernarg, HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT);
SAME(PoolFine, HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED);
SAME(PoolCoarse, HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED);
SAME(AgentPoolAccess, HSA_AMD_AGENT_MEMORY_POOL_INFO_ACCESS);
SAME(AccessNever, HSA_AMD_MEMORY_POOL_ACCESS_NEVER_ALLOWED);
SAME(SymbolKernargSize, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_SIZE);
SAME(SymbolKernargAlignment,
     HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_ALIGNMENT);
SAME(SymbolGroupSize, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE);
SAME(SymbolPrivateSize, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE);
SAME(SymbolDynamicCallstack,
     HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_DYNAMIC_CALLSTACK);
SAME(SymbolVariableSize, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_SIZE);
SAME(SymbolVariableAddress, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS);
SAME(SymbolKernelObject, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT);
SAME(ProfileFull, HSA_PROFILE_FULL);
SAME(RoundingDefault, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT);
SAME(QueueMulti, HSA_QUEUE_TYPE_MULTI);
SAME(ConditionEq, HSA_SIGNAL_CONDITION_EQ);
SAME(ConditionLt, HSA_SIGNAL_CONDITION_LT);
SAME(WaitBlocked, HSA_WAIT_STATE_BLOCKED);
SAME(WaitActive, HSA_WAIT_STATE_ACTIVE);
SAME(EventMemoryFault, HSA_AMD_GPU_MEMORY_FAULT_EVENT);
SAME(FaultNotPresent, HSA_AMD_MEMORY_FAULT_PAGE_NOT_PRESENT);
SAME(FaultReadOnly, HSA_AMD_MEMORY_FAULT_READ_ONLY);
SAME(FaultNoExecute, HSA_AMD_MEMORY_FAULT_NX);
SAME(FaultHostOnly, HSA_AMD_MEMORY_FAULT_HOST_ONLY);
SAME(FaultDramEcc, HSA_AMD_MEMORY_FAULT_DRAMECC);
SAME(FaultImprecise, HSA_AMD_MEMORY_FAULT_IMPRECISE);
SAME(FaultSramEcc, HSA_AMD_MEMORY_FAULT_SRAMECC);
SAME(FaultHang, static_cast<uint32_t>(HSA_AMD_MEMORY_FAULT_HANG));
SAME(PointerUnknown, HSA_EXT_POINTER_TYPE_UNKNOWN);
SAME(PointerHsa, HSA_EXT_POINTER_TYPE_HSA);
SAME(PointerLocked, HSA_EXT_POINTER_TYPE_LOCKED);

#define FIELD(Ours, ours, Theirs, theirs)                                      \
  SAME(offsetof(Ours, ours), offsetof(Theirs, theirs))
SAME(sizeof(SystemEvent), sizeof(hsa_amd_event_t));
FIELD(SystemEvent, type, hsa_amd_event_t, event_type);
FIELD(SystemEvent, on, hsa_amd_event_t, memory_fault.agent);
FIELD(SystemEvent, address, hsa_amd_event_t, memory_fault.virtual_address);
FIELD(SystemEvent, reason, hsa_amd_event_t, memory_fault.fault_reason_mask);
SAME(sizeof(DispatchTime), sizeof(hsa_amd_profiling_dispatch_time_t));
FIELD(DispatchTime, end, hsa_amd_profiling_dispatch_time_t, end);
SAME(sizeof(PointerInfo), sizeof(hsa_amd_pointer_info_t));
FIELD(PitchedPointer, slice, hsa_pitched_ptr_t, slice);
FIELD(Dim3, z, hsa_dim3_t, z);
SAME(PriorityLow, HSA_AMD_QUEUE_PRIORITY_LOW);
SAME(PriorityHigh, HSA_AMD_QUEUE_PRIORITY_HIGH);
SAME(HostToDevice, hsaHostToDevice);
SAME(DeviceToHost, hsaDeviceToHost);
SAME(DeviceToDevice, hsaDeviceToDevice);
FIELD(PointerInfo, type, hsa_amd_pointer_info_t, type);
FIELD(PointerInfo, agentBase, hsa_amd_pointer_info_t, agentBaseAddress);
FIELD(PointerInfo, hostBase, hsa_amd_pointer_info_t, hostBaseAddress);
FIELD(PointerInfo, bytes, hsa_amd_pointer_info_t, sizeInBytes);
FIELD(PointerInfo, owner, hsa_amd_pointer_info_t, agentOwner);
FIELD(PointerInfo, flags, hsa_amd_pointer_info_t, global_flags);
FIELD(AmdQueue, writeDispatchId, amd_queue_t, write_dispatch_id);
FIELD(AmdQueue, groupApertureHigh, amd_queue_t, group_segment_aperture_base_hi);
FIELD(AmdQueue, privateApertureHigh, amd_queue_t,
      private_segment_aperture_base_hi);

namespace {
/// How a value travels: its size, and whether it is an address.
template <class T>
constexpr int Shape =
    std::is_void_v<T> ? 0
    : std::is_pointer_v<T>
        ? 100
        : int(sizeof(std::conditional_t<std::is_void_v<T>, char, T>));
template <class R, class... A>
constexpr std::array<int, sizeof...(A) + 1> shape(R (*)(A...)) {
  return {Shape<R>, Shape<A>...};
}
} // namespace

// Every entry point has the parameters that the header gives it.
#define XCC_SHAPE(kind, name, result, parameters)                              \
  static_assert(shape(static_cast<result(*) parameters>(nullptr)) ==           \
                shape(static_cast<decltype(&::hsa_##name)>(nullptr)));
XCC_HSA_FUNCTIONS(XCC_SHAPE)

TEST(HsaAbi, AgreesWithTheHeaders) { SUCCEED(); }
#else
TEST(HsaAbi, AgreesWithTheHeaders) {
  GTEST_SKIP() << "libhsa-runtime-dev is not installed";
}
#endif
