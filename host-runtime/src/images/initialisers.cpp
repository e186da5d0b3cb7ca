// What an image runs before its first kernel, and after its last
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "initialisers.h"
#include "images/kernel_row.h"
#include "process/log.h"

namespace xcc::rt {

xcc_status Initialisers::findPart(Part &part, const char *symbol,
                                  const char *name, Device &on, Image &code,
                                  const OffloadImage &source,
                                  xcc_binary &unit) {
  KernelRow row;
  if (!findKernelRow(source.kernels, symbol, row))
    return XCC_SUCCESS;
  part.info.magic = XCC_KERNEL_MAGIC;
  part.info.abi_version = XCC_ABI_VERSION;
  part.info.name = name;
  part.info.symbol = symbol;
  part.info.file = "";
  part.info.kernarg_alignment = 1;
  part.info.fingerprint = row.fingerprint;
  part.info.binary = &unit;
  return on.findKernel(code, part.info, &part.kernel);
}

xcc_status Initialisers::find(Device &on, Image &code,
                              const OffloadImage &source, xcc_binary &unit) {
  XCC_TRY(findPart(init, XCC_SYMBOL_INIT, "initialisers of global variables",
                   on, code, source, unit));
  XCC_TRY(findPart(fini, XCC_SYMBOL_FINI, "destructors of global variables", on,
                   code, source, unit));
  ready = !init.kernel;
  return XCC_SUCCESS;
}

/// One thread, without arguments.
static xcc_status start(Queue &in, const Kernel &kernel) {
  static constexpr uint32_t one[3] = {1, 1, 1};
  char none = 0;
  return in.launch({&kernel, one, one, 0, &none, nullptr, 0});
}

/// The variable that an initialiser has not made. On a device with memory of
/// its own that is not there any more when a kernel has failed.
static std::string unmade(Device &on, Image &code) {
  void *at = nullptr;
  if (on.findVariable(code, XCC_SYMBOL_INIT_AT, at) != XCC_SUCCESS || !at)
    return "";
  const char *name = *static_cast<const char *volatile *>(at);
  return name ? std::string(" ('") + name + "')" : "";
}

xcc_status Initialisers::run(Device &on, Image &code) {
  Queue *queue = nullptr;
  XCC_TRY(on.createQueue(&queue));
  xcc_status status = start(*queue, *init.kernel);
  queue->drain();
  xcc_error *error =
      status == XCC_SUCCESS ? queue->takeError() : keepLastError();
  on.destroyQueue(queue);
  if (!error && status == XCC_SUCCESS) {
    ready = true;
    XCC_LOG(Load, "device %d: ran the initialisers of global variables",
            on.ordinal());
    return XCC_SUCCESS;
  }
  std::string text = error ? xcc_error_message(error) : "out of memory";
  status = error ? xcc_error_status(error) : XCC_ERROR_OUT_OF_MEMORY;
  if (error)
    xcc_error_release(error);
  return fail(status, {nullptr, nullptr, 0, on.ordinal()},
              "the initialiser of a global variable%s failed: %s",
              unmade(on, code).c_str(), text.c_str());
}

bool Initialisers::finish(Device &on) {
  if (!ready || !fini.kernel)
    return false;
  ready = false;
  if (on.createQueue(&last) != XCC_SUCCESS)
    last = nullptr;
  else if (start(*last, *fini.kernel) != XCC_SUCCESS)
    complain("%s", xcc_last_error());
  return last != nullptr;
}

void Initialisers::finished(Device &on) {
  if (!last)
    return;
  last->drain();
  if (xcc_error *error = last->takeError()) {
    complain("%s", xcc_error_message(error));
    xcc_error_release(error);
  }
  on.destroyQueue(last);
  last = nullptr;
}

} // namespace xcc::rt
