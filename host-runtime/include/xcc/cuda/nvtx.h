// NVTX: names of ranges for NVIDIA's profilers, which do nothing here
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     #include <xcc/cuda/nvtx.h>              // for <nvToolsExt.h>

#ifndef XCC_CUDA_NVTX_H
#define XCC_CUDA_NVTX_H

#include <cstddef>
#include <cstdint>

using nvtxRangeId_t = std::uint64_t;
using nvtxDomainHandle_t = void *;
using nvtxStringHandle_t = void *;
union nvtxMessageValue_t {
  const char *ascii;
  const wchar_t *unicode;
  nvtxStringHandle_t registered;
};
union nvtxPayload_t {
  std::uint64_t ullValue;
  std::int64_t llValue;
  double dValue;
};
struct nvtxEventAttributes_t {
  std::uint16_t version, size;
  std::uint32_t category;
  std::int32_t colorType;
  std::uint32_t color;
  std::int32_t payloadType, reserved0;
  nvtxPayload_t payload;
  std::int32_t messageType;
  nvtxMessageValue_t message;
};
#define NVTX_VERSION 3
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE                                          \
  static_cast<std::uint16_t>(sizeof(nvtxEventAttributes_t))
enum : std::int32_t {
  NVTX_COLOR_UNKNOWN = 0,
  NVTX_COLOR_ARGB = 1,
  NVTX_MESSAGE_UNKNOWN = 0,
  NVTX_MESSAGE_TYPE_ASCII = 1,
  NVTX_MESSAGE_TYPE_UNICODE = 2
};

inline int nvtxRangePushA(const char *) { return 0; }
inline int nvtxRangePushW(const wchar_t *) { return 0; }
inline int nvtxRangePushEx(const nvtxEventAttributes_t *) { return 0; }
inline int nvtxRangePop() { return 0; }
inline nvtxRangeId_t nvtxRangeStartA(const char *) { return 0; }
inline nvtxRangeId_t nvtxRangeStartEx(const nvtxEventAttributes_t *) {
  return 0;
}
inline void nvtxRangeEnd(nvtxRangeId_t) {}
inline void nvtxMarkA(const char *) {}
inline void nvtxMarkEx(const nvtxEventAttributes_t *) {}
inline void nvtxNameOsThreadA(std::uint32_t, const char *) {}
template <class Stream> inline void nvtxNameCudaStreamA(Stream, const char *) {}
inline nvtxDomainHandle_t nvtxDomainCreateA(const char *) { return nullptr; }
inline void nvtxDomainDestroy(nvtxDomainHandle_t) {}
inline int nvtxDomainRangePushEx(nvtxDomainHandle_t,
                                 const nvtxEventAttributes_t *) {
  return 0;
}
inline int nvtxDomainRangePop(nvtxDomainHandle_t) { return 0; }
#define nvtxRangePush nvtxRangePushA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxMark nvtxMarkA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxNameCudaStream nvtxNameCudaStreamA
#define nvtxDomainCreate nvtxDomainCreateA

#endif // XCC_CUDA_NVTX_H
