// The meaning of the driver's status codes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "error.h"

#include <csignal>
#include <cstring>

namespace xcc::rt::cuda {

ResultText::ResultText(Result r) {
  const char *given = nullptr, *sentence = nullptr;
  if (theDriver.GetErrorName(r, &given) == Success && given)
    snprintf(name_, sizeof(name_), "%s", given);
  else
    snprintf(name_, sizeof(name_), "CUDA error %d", int(r));
  if (theDriver.GetErrorString(r, &sentence) != Success || !sentence)
    sentence = "the driver does not describe it";
  // Remove the full stop, because our own text follows.
  size_t length = strlen(sentence);
  if (length && sentence[length - 1] == '.')
    --length;
  snprintf(text_, sizeof(text_), "%.*s (%s)", int(length), sentence, name_);
}

xcc_status statusOf(Result r) {
  switch (r) {
  case OutOfMemory:
    return XCC_ERROR_OUT_OF_MEMORY;
  case InvalidValue:
    return XCC_ERROR_INVALID_VALUE;
  case LaunchOutOfResources:
    return XCC_ERROR_INVALID_LAUNCH;
  case NoBinaryForGpu:
    return XCC_ERROR_NO_IMAGE;
  case InvalidImage:
  case InvalidPtx:
  case UnsupportedPtxVersion:
  case JitCompilerNotFound:
  case JitCompilationDisabled:
    return XCC_ERROR_INVALID_IMAGE;
  default:
    return killsContext(r) ? XCC_ERROR_LAUNCH_FAILED : XCC_ERROR_SYSTEM;
  }
}

int signalOf(Result r) {
  switch (r) {
  case MisalignedAddress:
    return SIGBUS;
  case IllegalAddress:
  case HardwareStackError:
  case InvalidAddressSpace:
  case InvalidPc:
    return SIGSEGV;
  case IllegalInstruction:
  case LaunchFailed: // for example a trap without a message
    return SIGILL;
  default:
    return SIGABRT;
  }
}

} // namespace xcc::rt::cuda
