// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef COMMON_HELPER_CUDA_H_
#define COMMON_HELPER_CUDA_H_
#pragma once
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif
#ifdef __DRIVER_TYPES_H__
static const char *_cudaGetErrorEnum(cudaError_t error) {
  return cudaGetErrorName(error);
}
#endif
template <typename T>
void check(T result, char const *const func, const char *const file,
           int const line) {
  if (result) {
    fprintf(stderr, "CUDA error at %s:%d code=%d(%s) \"%s\" \n", file, line,
            static_cast<unsigned int>(result), _cudaGetErrorEnum(result), func);
    exit(EXIT_FAILURE);
  }
}
#ifdef __DRIVER_TYPES_H__
#define checkCudaErrors(val) check((val), #val, __FILE__, __LINE__)
#define getLastCudaError(msg) __getLastCudaError(msg, __FILE__, __LINE__)
inline void __getLastCudaError(const char *errorMessage, const char *file,
                               const int line) {
  cudaError_t err = cudaGetLastError();
  if (cudaSuccess != err) {
    fprintf(stderr, "%s(%i) : getLastCudaError() CUDA error : %s : (%d) %s.\n",
            file, line, errorMessage, static_cast<int>(err),
            cudaGetErrorString(err));
    exit(EXIT_FAILURE);
  }
}
#endif
#ifndef MAX
#define MAX(a, b) (a > b ? a : b)
#endif
inline int _ConvertSMVer2Cores(int major, int minor) {
  return major * 10 + minor > 60 ? 64 : 128;
}
#ifdef __CUDA_RUNTIME_H__
inline int gpuDeviceInit(int devID) {
  int device_count;
  checkCudaErrors(cudaGetDeviceCount(&device_count));
  int computeMode = -1, major = 0, minor = 0;
  checkCudaErrors(
      cudaDeviceGetAttribute(&computeMode, cudaDevAttrComputeMode, devID));
  checkCudaErrors(
      cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, devID));
  checkCudaErrors(
      cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, devID));
  if (computeMode == cudaComputeModeProhibited)
    return -1;
  checkCudaErrors(cudaSetDevice(devID));
  return devID;
}
inline int gpuGetMaxGflopsDeviceId() {
  int clockRate = 0, multi = 0;
  cudaError_t result =
      cudaDeviceGetAttribute(&clockRate, cudaDevAttrClockRate, 0);
  if (result != cudaSuccess) {
    if (result == cudaErrorInvalidValue)
      clockRate = 1;
    else
      exit(1);
  }
  checkCudaErrors(
      cudaDeviceGetAttribute(&multi, cudaDevAttrMultiProcessorCount, 0));
  return 0;
}
inline int findCudaDevice(int argc, const char **argv) {
  return gpuDeviceInit(gpuGetMaxGflopsDeviceId());
}
#endif
#endif
