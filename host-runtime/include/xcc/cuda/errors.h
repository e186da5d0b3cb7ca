// CUDA's errors that no function of xcc's headers returns
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs compare results with them, or list them all, to print their names.

#ifndef XCC_CUDA_ERRORS_H
#define XCC_CUDA_ERRORS_H

// clang-format off
#define XCC_CUDA_OTHER_ERRORS(X)                                               \
  X(ProfilerDisabled, 5) X(ProfilerNotInitialized, 6)                          \
  X(ProfilerAlreadyStarted, 7) X(ProfilerAlreadyStopped, 8)                    \
  X(InvalidPitchValue, 12) X(InvalidHostPointer, 16) X(InvalidTexture, 18)     \
  X(InvalidTextureBinding, 19) X(InvalidChannelDescriptor, 20)                 \
  X(AddressOfConstant, 22) X(TextureFetchFailed, 23) X(TextureNotBound, 24)    \
  X(SynchronizationError, 25) X(InvalidFilterSetting, 26)                      \
  X(InvalidNormSetting, 27) X(MixedDeviceExecution, 28)                        \
  X(NotYetImplemented, 31) X(MemoryValueTooLarge, 32) X(StubLibrary, 34)       \
  X(CallRequiresNewerDriver, 36) X(InvalidSurface, 37)                         \
  X(DuplicateVariableName, 43) X(DuplicateTextureName, 44)                     \
  X(DuplicateSurfaceName, 45) X(DevicesUnavailable, 46)                        \
  X(IncompatibleDriverContext, 49) X(MissingConfiguration, 52)                 \
  X(PriorLaunchFailure, 53) X(LaunchMaxDepthExceeded, 65)                      \
  X(LaunchFileScopedTex, 66) X(LaunchFileScopedSurf, 67)                       \
  X(SyncDepthExceeded, 68) X(LaunchPendingCountExceeded, 69)                   \
  X(DeviceNotLicensed, 102) X(SoftwareValidityNotEstablished, 103)             \
  X(StartupFailure, 127) X(DeviceUninitialized, 201)                           \
  X(MapBufferObjectFailed, 205) X(UnmapBufferObjectFailed, 206)                \
  X(ArrayIsMapped, 207) X(AlreadyMapped, 208) X(AlreadyAcquired, 210)          \
  X(NotMapped, 211) X(NotMappedAsArray, 212) X(NotMappedAsPointer, 213)        \
  X(ECCUncorrectable, 214) X(UnsupportedLimit, 215)                            \
  X(DeviceAlreadyInUse, 216) X(PeerAccessUnsupported, 217)                     \
  X(InvalidGraphicsContext, 219) X(NvlinkUncorrectable, 220)                   \
  X(JitCompilerNotFound, 221) X(UnsupportedPtxVersion, 222)                    \
  X(JitCompilationDisabled, 223) X(UnsupportedExecAffinity, 224)               \
  X(UnsupportedDevSideSync, 225) X(Contained, 226) X(InvalidSource, 300)       \
  X(FileNotFound, 301) X(SharedObjectSymbolNotFound, 302)                      \
  X(SharedObjectInitFailed, 303) X(IllegalState, 401) X(LossyQuery, 402)       \
  X(SymbolNotFound, 500) X(LaunchIncompatibleTexturing, 703)                   \
  X(SetOnActiveProcess, 708) X(ContextIsDestroyed, 709) X(TooManyPeers, 711)   \
  X(HardwareStackError, 714) X(IllegalInstruction, 715)                        \
  X(MisalignedAddress, 716) X(InvalidAddressSpace, 717) X(InvalidPc, 718)      \
  X(CooperativeLaunchTooLarge, 720) X(TensorMemoryLeak, 721)                   \
  X(NotPermitted, 800) X(SystemNotReady, 802) X(SystemDriverMismatch, 803)     \
  X(CompatNotSupportedOnDevice, 804) X(MpsConnectionFailed, 805)               \
  X(MpsRpcFailure, 806) X(MpsServerNotReady, 807)                              \
  X(MpsMaxClientsReached, 808) X(MpsMaxConnectionsReached, 809)                \
  X(MpsClientTerminated, 810) X(CdpNotSupported, 811)                          \
  X(CdpVersionMismatch, 812) X(StreamCaptureUnsupported, 900)                  \
  X(StreamCaptureInvalidated, 901) X(StreamCaptureMerge, 902)                  \
  X(StreamCaptureUnmatched, 903) X(StreamCaptureUnjoined, 904)                 \
  X(StreamCaptureIsolation, 905) X(StreamCaptureImplicit, 906)                 \
  X(CapturedEvent, 907) X(StreamCaptureWrongThread, 908) X(Timeout, 909)       \
  X(ExternalDevice, 911) X(InvalidClusterSize, 912) X(FunctionNotLoaded, 913)  \
  X(InvalidResourceType, 914) X(InvalidResourceConfiguration, 915)             \
  X(ApiFailureBase, 10000)
// clang-format on

#endif // XCC_CUDA_ERRORS_H
