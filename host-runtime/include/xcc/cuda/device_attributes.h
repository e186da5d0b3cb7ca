// What cudaDeviceGetAttribute tells of a device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_CUDA_DEVICE_ATTRIBUTES_H
#define XCC_CUDA_DEVICE_ATTRIBUTES_H

/// X(CUDA's name, CUDA's number, the value for device_properties `of`). What xcc
/// does not have, or does not know, is 0.
// clang-format off
#define XCC_CUDA_ATTRIBUTES(X)                                                 \
  X(MaxThreadsPerBlock, 1, of.maxThreadsPerBlock)                              \
  X(MaxBlockDimX, 2, of.maxThreadsDim[0])                                      \
  X(MaxBlockDimY, 3, of.maxThreadsDim[1])                                      \
  X(MaxBlockDimZ, 4, of.maxThreadsDim[2])                                      \
  X(MaxGridDimX, 5, of.maxGridSize[0])                                         \
  X(MaxGridDimY, 6, of.maxGridSize[1])                                         \
  X(MaxGridDimZ, 7, of.maxGridSize[2])                                         \
  X(MaxSharedMemoryPerBlock, 8, of.sharedMemPerBlock)                          \
  X(TotalConstantMemory, 9, of.totalConstMem)                                  \
  X(WarpSize, 10, of.warpSize)                                                 \
  X(MaxPitch, 11, of.memPitch)                                                 \
  X(MaxRegistersPerBlock, 12, of.regsPerBlock)                                 \
  X(ClockRate, 13, of.clockRate)                                               \
  X(TextureAlignment, 14, of.textureAlignment)                                 \
  X(GpuOverlap, 15, of.deviceOverlap)                                          \
  X(MultiProcessorCount, 16, of.multiProcessorCount)                           \
  X(KernelExecTimeout, 17, of.kernelExecTimeoutEnabled)                        \
  X(Integrated, 18, of.integrated)                                             \
  X(CanMapHostMemory, 19, of.canMapHostMemory)                                 \
  X(ComputeMode, 20, of.computeMode)                                           \
  X(MaxTexture1DWidth, 21, of.maxTexture1D)                                    \
  X(MaxTexture2DWidth, 22, of.maxTexture2D[0])                                 \
  X(MaxTexture2DHeight, 23, of.maxTexture2D[1])                                \
  X(MaxTexture3DWidth, 24, of.maxTexture3D[0])                                 \
  X(MaxTexture3DHeight, 25, of.maxTexture3D[1])                                \
  X(MaxTexture3DDepth, 26, of.maxTexture3D[2])                                 \
  X(MaxTexture2DLayeredWidth, 27, of.maxTexture2DLayered[0])                   \
  X(MaxTexture2DLayeredHeight, 28, of.maxTexture2DLayered[1])                  \
  X(MaxTexture2DLayeredLayers, 29, of.maxTexture2DLayered[2])                  \
  X(SurfaceAlignment, 30, of.surfaceAlignment)                                 \
  X(ConcurrentKernels, 31, of.concurrentKernels)                               \
  X(EccEnabled, 32, of.ECCEnabled)                                             \
  X(PciBusId, 33, of.pciBusID)                                                 \
  X(PciDeviceId, 34, of.pciDeviceID)                                           \
  X(TccDriver, 35, of.tccDriver)                                               \
  X(MemoryClockRate, 36, of.memoryClockRate)                                   \
  X(GlobalMemoryBusWidth, 37, of.memoryBusWidth)                               \
  X(L2CacheSize, 38, of.l2CacheSize)                                           \
  X(MaxThreadsPerMultiProcessor, 39, of.maxThreadsPerMultiProcessor)           \
  X(AsyncEngineCount, 40, of.asyncEngineCount)                                 \
  X(UnifiedAddressing, 41, of.unifiedAddressing)                               \
  X(MaxTexture1DLayeredWidth, 42, of.maxTexture1DLayered[0])                   \
  X(MaxTexture1DLayeredLayers, 43, of.maxTexture1DLayered[1])                  \
  X(MaxTexture2DGatherWidth, 45, 0)                                            \
  X(MaxTexture2DGatherHeight, 46, 0)                                           \
  X(MaxTexture3DWidthAlt, 47, 0)                                               \
  X(MaxTexture3DHeightAlt, 48, 0)                                              \
  X(MaxTexture3DDepthAlt, 49, 0)                                               \
  X(PciDomainId, 50, of.pciDomainID)                                           \
  X(TexturePitchAlignment, 51, of.texturePitchAlignment)                       \
  X(MaxTextureCubemapWidth, 52, 0)                                             \
  X(MaxTextureCubemapLayeredWidth, 53, 0)                                      \
  X(MaxTextureCubemapLayeredLayers, 54, 0)                                     \
  X(MaxSurface1DWidth, 55, of.maxSurface1D)                                    \
  X(MaxSurface2DWidth, 56, of.maxSurface2D[0])                                 \
  X(MaxSurface2DHeight, 57, of.maxSurface2D[1])                                \
  X(MaxSurface3DWidth, 58, of.maxSurface3D[0])                                 \
  X(MaxSurface3DHeight, 59, of.maxSurface3D[1])                                \
  X(MaxSurface3DDepth, 60, of.maxSurface3D[2])                                 \
  X(MaxSurface1DLayeredWidth, 61, 0)                                           \
  X(MaxSurface1DLayeredLayers, 62, 0)                                          \
  X(MaxSurface2DLayeredWidth, 63, 0)                                           \
  X(MaxSurface2DLayeredHeight, 64, 0)                                          \
  X(MaxSurface2DLayeredLayers, 65, 0)                                          \
  X(MaxSurfaceCubemapWidth, 66, 0)                                             \
  X(MaxSurfaceCubemapLayeredWidth, 67, 0)                                      \
  X(MaxSurfaceCubemapLayeredLayers, 68, 0)                                     \
  X(MaxTexture1DLinearWidth, 69, of.maxTexture1DLinear)                        \
  X(MaxTexture2DLinearWidth, 70, of.maxTexture2DLinear[0])                     \
  X(MaxTexture2DLinearHeight, 71, of.maxTexture2DLinear[1])                    \
  X(MaxTexture2DLinearPitch, 72, of.maxTexture2DLinear[2])                     \
  X(MaxTexture2DMipmappedWidth, 73, 0)                                         \
  X(MaxTexture2DMipmappedHeight, 74, 0)                                        \
  X(ComputeCapabilityMajor, 75, of.major)                                      \
  X(ComputeCapabilityMinor, 76, of.minor)                                      \
  X(MaxTexture1DMipmappedWidth, 77, 0)                                         \
  X(StreamPrioritiesSupported, 78, of.streamPrioritiesSupported)               \
  X(GlobalL1CacheSupported, 79, of.globalL1CacheSupported)                     \
  X(LocalL1CacheSupported, 80, of.localL1CacheSupported)                       \
  X(MaxSharedMemoryPerMultiprocessor, 81, of.sharedMemPerMultiprocessor)       \
  X(MaxRegistersPerMultiprocessor, 82, of.regsPerMultiprocessor)               \
  X(ManagedMemory, 83, of.managedMemory)                                       \
  X(IsMultiGpuBoard, 84, of.isMultiGpuBoard)                                   \
  X(MultiGpuBoardGroupID, 85, of.multiGpuBoardGroupID)                         \
  X(HostNativeAtomicSupported, 86, of.hostNativeAtomicSupported)               \
  X(SingleToDoublePrecisionPerfRatio, 87, of.singleToDoublePrecisionPerfRatio) \
  X(PageableMemoryAccess, 88, of.pageableMemoryAccess)                         \
  X(ConcurrentManagedAccess, 89, of.concurrentManagedAccess)                   \
  X(ComputePreemptionSupported, 90, of.computePreemptionSupported)             \
  X(CanUseHostPointerForRegisteredMem, 91, of.canUseHostPointerForRegisteredMem)\
  X(CooperativeLaunch, 95, of.cooperativeLaunch)                               \
  X(MaxSharedMemoryPerBlockOptin, 97, of.sharedMemPerBlockOptin)               \
  X(CanFlushRemoteWrites, 98, 0)                                               \
  X(HostRegisterSupported, 99, of.hostRegisterSupported)                       \
  X(PageableMemoryAccessUsesHostPageTables, 100, of.pageableMemoryAccessUsesHostPageTables)\
  X(DirectManagedMemAccessFromHost, 101, of.directManagedMemAccessFromHost)    \
  X(MaxBlocksPerMultiprocessor, 106, of.maxBlocksPerMultiProcessor)            \
  X(MaxPersistingL2CacheSize, 108, of.persistingL2CacheMaxSize)                \
  X(MaxAccessPolicyWindowSize, 109, of.accessPolicyMaxWindowSize)              \
  X(ReservedSharedMemoryPerBlock, 111, of.reservedSharedMemPerBlock)           \
  X(SparseCudaArraySupported, 112, 0)                                          \
  X(HostRegisterReadOnlySupported, 113, 0)                                     \
  X(TimelineSemaphoreInteropSupported, 114, 0)                                 \
  X(MemoryPoolsSupported, 115, 1)                                              \
  X(GPUDirectRDMASupported, 116, 0)                                            \
  X(GPUDirectRDMAFlushWritesOptions, 117, 0)                                   \
  X(GPUDirectRDMAWritesOrdering, 118, 0)                                       \
  X(MemoryPoolSupportedHandleTypes, 119, 0)                                    \
  X(ClusterLaunch, 120, 0)                                                     \
  X(DeferredMappingCudaArraySupported, 121, 0)                                 \
  X(IpcEventSupport, 125, 0)                                                   \
  X(MemSyncDomainCount, 126, 0)                                                \
  X(NumaConfig, 130, 0)                                                        \
  X(NumaId, 131, 0)                                                            \
  X(MpsEnabled, 133, 0)                                                        \
  X(HostNumaId, 134, 0)                                                        \
  X(D3D12CigSupported, 135, 0)                                                 \
  X(VulkanCigSupported, 138, 0)                                                \
  X(GpuPciDeviceId, 139, 0)                                                    \
  X(GpuPciSubsystemId, 140, 0)                                                 \
  X(HostNumaMemoryPoolsSupported, 142, 0)                                      \
  X(HostNumaMultinodeIpcSupported, 143, 0)                                     \
  X(HostMemoryPoolsSupported, 144, 0)                                          \
  X(OnlyPartialHostNativeAtomicSupported, 147, 0)
// clang-format on

#endif // XCC_CUDA_DEVICE_ATTRIBUTES_H
