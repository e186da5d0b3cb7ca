// The part of libhsa-runtime64's interface that is used
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libxcc builds without the HSA runtime's headers: handles, codes and
// structures that it uses are declared here, under short names. A unit test
// compares each with <hsa/hsa.h> where that is installed.

#ifndef XCC_SRC_HSA_DRIVER_ABI_H
#define XCC_SRC_HSA_DRIVER_ABI_H

#include "common/aql.h"

#include <cstddef>
#include <cstdint>

namespace xcc::rt::hsa {

// Handles are structures of one word, as in hsa.h, so that they do not convert
// to each other.
struct Agent {
  uint64_t handle;
  bool operator==(const Agent &) const = default;
};
struct Pool {
  uint64_t handle;
};
struct Isa {
  uint64_t handle;
};
struct Reader {
  uint64_t handle;
};
struct Executable {
  uint64_t handle;
};
struct LoadedObject {
  uint64_t handle;
};
struct Symbol {
  uint64_t handle;
};
struct SignalRef {
  aql::SignalHandle handle;
};
using QueueRef = aql::QueueHeader; // hsa_queue_t

/// hsa_status_t. Other values may occur; the code uses only these.
enum Status : int {
  StatusSuccess = 0,
  StatusInfoBreak = 1,
  StatusInvalidMemoryPool = 40,
  StatusApertureViolation = 41,
  StatusIllegalInstruction = 42,
  StatusMemoryFault = 43,
  StatusError = 0x1000,
  StatusInvalidArgument = 0x1001,
  StatusInvalidQueueCreation = 0x1002,
  StatusInvalidAllocation = 0x1003,
  StatusInvalidAgent = 0x1004,
  StatusInvalidSignal = 0x1006,
  StatusInvalidQueue = 0x1007,
  StatusOutOfResources = 0x1008,
  StatusInvalidPacketFormat = 0x1009,
  StatusNotInitialized = 0x100B,
  StatusIncompatibleArguments = 0x100D,
  StatusInvalidIsa = 0x100F,
  StatusInvalidCodeObject = 0x1010,
  StatusInvalidExecutable = 0x1011,
  StatusFrozenExecutable = 0x1012,
  StatusInvalidSymbolName = 0x1013,
  StatusVariableUndefined = 0x1015,
  StatusException = 0x1016
};

enum DeviceType : uint32_t { DeviceCpu = 0, DeviceGpu = 1 };

/// hsa_agent_info_t with AMD's extension. The comment is the value's type.
enum AgentInfo : uint32_t {
  AgentName = 0,                ///< char[64]
  AgentWavefrontSize = 6,       ///< uint32_t
  AgentWorkgroupMaxDim = 7,     ///< uint16_t[3]
  AgentWorkgroupMaxSize = 8,    ///< uint32_t
  AgentGridMaxDim = 9,          ///< uint32_t[3]
  AgentQueueMinSize = 13,       ///< uint32_t
  AgentQueueMaxSize = 14,       ///< uint32_t
  AgentDeviceType = 17,         ///< uint32_t
  AgentCacheSize = 18,          ///< uint32_t[4], bytes of each level
  AgentComputeUnits = 0xA002,   ///< uint32_t
  AgentMaxClock = 0xA003,       ///< uint32_t, MHz
  AgentMemoryWidth = 0xA007,    ///< uint32_t, bits
  AgentMaxMemoryClock = 0xA008, ///< uint32_t, MHz
  AgentProductName = 0xA009,    ///< char[64]
  AgentMaxWavesPerCu = 0xA00A,  ///< uint32_t
  AgentSimdsPerCu = 0xA00B,     ///< uint32_t
  AgentFreeMemory = 0xA015      ///< uint64_t, bytes; since ROCm 5.3
};

enum SystemInfo : uint32_t {
  SystemVersionMajor = 0,       ///< uint16_t
  SystemVersionMinor = 1,       ///< uint16_t
  SystemTimestamp = 2,          ///< uint64_t
  SystemTimestampFrequency = 3, ///< uint64_t, Hz
  SystemSvmByDefault = 0x202    ///< bool: agents can access memory of malloc
};

enum IsaInfo : uint32_t { IsaNameLength = 0, IsaName = 1 };

enum PoolInfo : uint32_t {
  PoolSegment = 0,     ///< uint32_t
  PoolGlobalFlags = 1, ///< uint32_t
  PoolSize = 2,        ///< size_t
  PoolAllocAllowed = 5 ///< bool
};
enum Segment : uint32_t { SegmentGlobal = 0, SegmentGroup = 3 };
enum PoolFlags : uint32_t { PoolKernarg = 1, PoolFine = 2, PoolCoarse = 4 };
enum AgentPoolInfo : uint32_t { AgentPoolAccess = 0 }; ///< uint32_t
enum PoolAccess : uint32_t { AccessNever = 0 };

enum SymbolInfo : uint32_t {
  SymbolVariableSize = 9,      ///< uint32_t
  SymbolKernargSize = 11,      ///< uint32_t
  SymbolKernargAlignment = 12, ///< uint32_t
  SymbolGroupSize = 13,        ///< uint32_t
  SymbolPrivateSize = 14,      ///< uint32_t
  SymbolDynamicCallstack = 15, ///< bool
  SymbolVariableAddress = 21,  ///< uint64_t
  SymbolKernelObject = 22      ///< uint64_t
};

enum Profile : uint32_t { ProfileFull = 1 };
enum RoundingMode : uint32_t { RoundingDefault = 0 };
enum QueueType : uint32_t { QueueMulti = 0 };
enum Condition : uint32_t { ConditionEq = 0, ConditionLt = 2 };
/// hsa_amd_signal_handler. Returns true to be called again the next time.
using SignalHandler = bool (*)(int64_t, void *);
enum WaitState : uint32_t { WaitBlocked = 0, WaitActive = 1 };

/// hsa_amd_event_t, the argument of a system event handler.
///
///     0      4   8       16       24       28   32
///     | type |   | agent | address| reason |    |
struct SystemEvent {
  uint32_t type; ///< 0: a GPU memory fault, described by the rest
  Agent on;
  uint64_t address;
  uint32_t reason; ///< enum FaultReason
};
static_assert(sizeof(SystemEvent) == 32);
static_assert(offsetof(SystemEvent, on) == 8);
static_assert(offsetof(SystemEvent, address) == 16);
static_assert(offsetof(SystemEvent, reason) == 24);
enum SystemEventType : uint32_t { EventMemoryFault = 0 };
enum FaultReason : uint32_t {
  FaultNotPresent = 1,
  FaultReadOnly = 2,
  FaultNoExecute = 4,
  FaultHostOnly = 8,
  FaultDramEcc = 16,
  FaultImprecise = 32,
  FaultSramEcc = 64,
  FaultHang = 1u << 31
};

/// hsa_amd_profiling_dispatch_time_t: ticks of the system's timestamp.
struct DispatchTime {
  uint64_t begin, end;
};
static_assert(sizeof(DispatchTime) == 16);

/// hsa_amd_profiling_async_copy_time_t: the same.
struct CopyTime {
  uint64_t begin, end;
};
static_assert(sizeof(CopyTime) == 16);

/// hsa_amd_queue_priority_t
enum QueuePriority : uint32_t {
  PriorityLow = 0,
  PriorityNormal = 1,
  PriorityHigh = 2
};

/// hsa_pitched_ptr_t, hsa_dim3_t and hsa_amd_copy_direction_t.
struct PitchedPointer {
  const void *base;
  size_t pitch, slice; ///< bytes; multiples of 4, as is the base
};
struct Dim3 {
  uint32_t x, y, z;
};
enum CopyDirection : uint32_t {
  HostToDevice = 1,
  DeviceToHost = 2,
  DeviceToDevice = 3
};

/// The part of hsa_amd_pointer_info_t that is read.
///
///     0      4      8       16     24     32     40      48      52   56
///     | size | type | agent | host | size | user | owner | flags |    |
struct PointerInfo {
  uint32_t size; ///< of this structure, set by the caller
  uint32_t type; ///< enum PointerType
  void *agentBase;
  void *hostBase;
  size_t bytes;
  void *userData;
  Agent owner;
  uint32_t flags;
};
static_assert(sizeof(PointerInfo) == 56);
static_assert(offsetof(PointerInfo, owner) == 40);
enum PointerType : uint32_t {
  PointerUnknown = 0,
  PointerHsa = 1,
  PointerLocked = 2
};

/// The part of amd_queue_t that implicit arguments need. Every queue of a GPU
/// is one.
///
///     0       40      56                  64         68         72
///     | queue | ...   | write dispatch id | group hi | private hi |
struct AmdQueue {
  QueueRef queue;
  uint32_t reserved[4];
  uint64_t writeDispatchId;
  uint32_t groupApertureHigh;   ///< bits 32-63 of the address of shared memory
  uint32_t privateApertureHigh; ///< and of scratch
};
static_assert(offsetof(AmdQueue, writeDispatchId) == 56);
static_assert(offsetof(AmdQueue, groupApertureHigh) == 64);
static_assert(offsetof(AmdQueue, privateApertureHigh) == 68);

using AgentVisitor = Status (*)(Agent, void *);
using PoolVisitor = Status (*)(Pool, void *);
using IsaVisitor = Status (*)(Isa, void *);
using QueueErrorHandler = void (*)(Status, QueueRef *, void *);
using SystemEventHandler = Status (*)(const SystemEvent *, void *);

} // namespace xcc::rt::hsa
#endif // XCC_SRC_HSA_DRIVER_ABI_H
