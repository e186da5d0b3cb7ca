// What the driver's status codes mean
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda_error.h"

#include <cstring>

namespace xcc::rt::cuda {

ResultText::ResultText(Result R) {
  const char *Given = nullptr, *Sentence = nullptr;
  if (TheDriver.GetErrorName(R, &Given) == Success && Given)
    snprintf(Name, sizeof(Name), "%s", Given);
  else
    snprintf(Name, sizeof(Name), "CUDA error %d", int(R));
  if (TheDriver.GetErrorString(R, &Sentence) != Success || !Sentence)
    Sentence = "the driver has no words for it";
  // Sentences of ours go on after it, so without its full stop.
  size_t Length = strlen(Sentence);
  if (Length && Sentence[Length - 1] == '.')
    --Length;
  snprintf(Text, sizeof(Text), "%.*s (%s)", int(Length), Sentence, Name);
}

xcc_status statusOf(Result R) {
  switch (R) {
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
    return killsContext(R) ? XCC_ERROR_LAUNCH_FAILED : XCC_ERROR_SYSTEM;
  }
}

} // namespace xcc::rt::cuda
