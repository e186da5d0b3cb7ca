// What the driver's status codes mean
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_SRC_CUDA_DRIVER_ERROR_H
#define XCC_SRC_CUDA_DRIVER_ERROR_H

#include "driver.h"

namespace xcc::rt::cuda {

/// "an illegal memory access was encountered (CUDA_ERROR_ILLEGAL_ADDRESS)".
class ResultText {
public:
  explicit ResultText(Result r);
  const char *text() const { return text_; }
  /// "CUDA_ERROR_ILLEGAL_ADDRESS".
  const char *name() const { return name_; }

private:
  char text_[192];
  char name_[64];
};

/// Is this a failure of running code, after which the context takes no more
/// work? The driver reports it again from every later call.
inline bool killsContext(Result r) {
  switch (r) {
  case EccUncorrectable:
  case NvlinkUncorrectable:
  case Contained:
  case IllegalAddress:
  case LaunchTimeout:
  case ContextIsDestroyed:
  case Assert:
  case HardwareStackError:
  case IllegalInstruction:
  case MisalignedAddress:
  case InvalidAddressSpace:
  case InvalidPc:
  case LaunchFailed:
  case TensorMemoryLeak:
    return true;
  default:
    return false;
  }
}

/// What a process that did the same would be ended by.
int signalOf(Result r);

/// What kind of failure it is to a caller.
xcc_status statusOf(Result r);

} // namespace xcc::rt::cuda
#endif // XCC_SRC_CUDA_DRIVER_ERROR_H
