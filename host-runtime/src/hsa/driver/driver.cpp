// Opening libhsa-runtime64
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "driver.h"

#include <algorithm>
#include <cstring>
#include <dlfcn.h>

namespace xcc::rt::hsa {

constinit Driver hsa{};

static constexpr char Library[] = "libhsa-runtime64.so.1";

const char *statusText(Status s) {
  // Remove the full stop, because our own text follows.
  static constinit thread_local char sentence[256] = "";
  const char *text = nullptr;
  if (hsa.status_string && hsa.status_string(s, &text) == StatusSuccess &&
      text) {
    size_t length = std::min(strlen(text), sizeof(sentence) - 1);
    while (length && (text[length - 1] == '.' || text[length - 1] == ' '))
      --length;
    memcpy(sentence, text, length);
    sentence[length] = 0;
    return sentence;
  }
  // A library that failed to initialise may not describe the status.
  switch (s) {
#define NAME(Code, Text)                                                       \
  case Code:                                                                   \
    return Text;
    NAME(StatusInvalidMemoryPool, "HSA_STATUS_ERROR_INVALID_MEMORY_POOL")
    NAME(StatusApertureViolation, "HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION")
    NAME(StatusIllegalInstruction, "HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION")
    NAME(StatusMemoryFault, "HSA_STATUS_ERROR_MEMORY_FAULT")
    NAME(StatusError, "HSA_STATUS_ERROR")
    NAME(StatusInvalidArgument, "HSA_STATUS_ERROR_INVALID_ARGUMENT")
    NAME(StatusInvalidAllocation, "HSA_STATUS_ERROR_INVALID_ALLOCATION")
    NAME(StatusOutOfResources, "HSA_STATUS_ERROR_OUT_OF_RESOURCES")
    NAME(StatusInvalidPacketFormat, "HSA_STATUS_ERROR_INVALID_PACKET_FORMAT")
    NAME(StatusNotInitialized, "HSA_STATUS_ERROR_NOT_INITIALIZED")
    NAME(StatusInvalidCodeObject, "HSA_STATUS_ERROR_INVALID_CODE_OBJECT")
    NAME(StatusException, "HSA_STATUS_ERROR_EXCEPTION")
#undef NAME
  default:
    return "a status that the HSA runtime does not describe";
  }
}

xcc_status codeOf(Status s) {
  return s == StatusOutOfResources ? XCC_ERROR_OUT_OF_MEMORY : XCC_ERROR_SYSTEM;
}

static xcc_error *resolve(void *handle) {
  if (!handle)
    handle = dlopen(Library, RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char *why = dlerror();
    if (why && !strstr(why, "No such file"))
      return makeError(XCC_ERROR_INVALID_DEVICE, {},
                       "%s cannot be loaded: %s; reinstall ROCm", Library, why);
    return makeError(XCC_ERROR_INVALID_DEVICE, {},
                     "%s is not installed; install AMD's ROCm runtime (package "
                     "hsa-rocr or libhsa-runtime64-1)",
                     Library);
  }
  Driver found{};
  const char *lacking = nullptr;
  enum Kind { Required, Optional };
#define XCC_HSA_RESOLVE(kind, name, result, parameters)                        \
  found.name =                                                                 \
      reinterpret_cast<decltype(found.name)>(dlsym(handle, "hsa_" #name));     \
  if (!found.name && kind == Required && !lacking)                             \
    lacking = "hsa_" #name;
  XCC_HSA_FUNCTIONS(XCC_HSA_RESOLVE)
#undef XCC_HSA_RESOLVE
  if (lacking) {
    dlclose(handle);
    return makeError(XCC_ERROR_INVALID_DEVICE, {},
                     "the HSA runtime (%s) is too old: it lacks %s; install a "
                     "newer ROCm",
                     Library, lacking);
  }
  hsa = found;
  return nullptr;
}

xcc_error *loadDriver(void *library) {
  if (!hsa.init)
    if (xcc_error *why = resolve(library))
      return why;
  Status s = hsa.init();
  if (s == StatusSuccess)
    return nullptr;
  // ROCr fails so if /dev/kfd is missing or this user may not open it.
  return makeError(
      XCC_ERROR_INVALID_DEVICE, {},
      "hsa_init failed with %s; is the amdgpu kernel driver loaded "
      "(/dev/kfd), and may this user open it (group render)?",
      statusText(s));
}

} // namespace xcc::rt::hsa
