// HSA signals, counted and recycled
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "signal.h"

#include <new>

namespace xcc::rt::hsa {

xcc_status Signal::make(Signal *&out) {
  out = takeFree();
  if (out) {
    hsa.signal_store_screlease(out->handle, 1);
  } else {
    out = new (std::nothrow) Signal;
    if (!out)
      return fail(XCC_ERROR_OUT_OF_MEMORY, "out of memory for a signal");
    Status s = hsa.signal_create(1, 0, nullptr, &out->handle);
    if (s != StatusSuccess) {
      delete out;
      out = nullptr;
      return fail(codeOf(s), "hsa_signal_create failed: %s", statusText(s));
    }
  }
  out->producer = nullptr;
  out->copy = false;
  out->begin();
  return XCC_SUCCESS;
}

} // namespace xcc::rt::hsa
