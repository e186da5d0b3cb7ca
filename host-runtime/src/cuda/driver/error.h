// The meaning of the driver's status codes
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

/// Is \p r a failure of running code? Then the context takes no more work, and
/// every later call reports the failure again.
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

/// The signal that would end a process for the same failure.
int signalOf(Result r);

/// The status that the caller gets.
xcc_status statusOf(Result r);

} // namespace xcc::rt::cuda
#endif // XCC_SRC_CUDA_DRIVER_ERROR_H
