// HSA signals, counted and recycled
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "signal.h"

#include <new>

namespace xcc::rt::hsa {

xcc_status Signal::make(Signal *&Out) {
  Out = takeFree();
  if (Out) {
    Hsa.signal_store_screlease(Out->Handle, 1);
  } else {
    Out = new (std::nothrow) Signal;
    if (!Out)
      return fail(XCC_ERROR_OUT_OF_MEMORY, "out of memory for a signal");
    Status S = Hsa.signal_create(1, 0, nullptr, &Out->Handle);
    if (S != StatusSuccess) {
      delete Out;
      Out = nullptr;
      return fail(codeOf(S), "hsa_signal_create failed: %s", statusText(S));
    }
  }
  Out->Producer = nullptr;
  Out->Copy = false;
  Out->begin();
  return XCC_SUCCESS;
}

} // namespace xcc::rt::hsa
