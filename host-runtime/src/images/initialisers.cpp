// Initialisers and destructors of an image's global variables
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "initialisers.h"
#include "errors/sentence.h"
#include "formats/kernel_row.h"
#include "process/log.h"
#include "process/notice.h"
#include "process/settings.h"

#include <new>

namespace xcc::rt {

xcc_status Initialisers::findPart(Part &part, const char *symbol,
                                  const char *name, Device &on, Image &code,
                                  const OffloadImage &source, xcc_binary &unit,
                                  std::string_view *makes) {
  KernelRow row;
  if (!findKernelRow(source.kernels, symbol, row))
    return XCC_SUCCESS;
  part.info.magic = XCC_KERNEL_MAGIC;
  part.info.abi_version = XCC_ABI_VERSION;
  part.info.name = name;
  part.info.symbol = symbol;
  part.info.file = "";
  part.info.kernarg_size = row.kernargSize;
  part.info.kernarg_alignment = row.kernargSize ? alignof(void *) : 1;
  part.info.fingerprint = row.fingerprint;
  part.info.binary = &unit;
  if (makes)
    *makes = row.column("makes").value_or("");
  return on.findKernel(code, part.info, &part.kernel);
}

xcc_status Initialisers::find(Device &on, Image &code,
                              const OffloadImage &source, xcc_binary &unit,
                              std::string_view elsewhere) {
  XCC_TRY(findPart(init, XCC_SYMBOL_INIT, "initialisers of global variables",
                   on, code, source, unit, &makes));
  if (makes.empty())
    makes = elsewhere;
  XCC_TRY(findPart(fini, XCC_SYMBOL_FINI, "destructors of global variables", on,
                   code, source, unit));
  ready = !init.kernel;
  return XCC_SUCCESS;
}

/// Launches a kernel with one thread.
static xcc_status start(Queue &in, const Kernel &kernel,
                        const void *arguments) {
  static constexpr uint32_t one[3] = {1, 1, 1};
  return in.launch({&kernel, one, one, 0, arguments, nullptr, 0});
}

/// The name of the variable with the number that the kernel wrote, for
/// messages.
std::string Initialisers::nameOf(uint32_t number) const {
  std::string_view rest = makes, name;
  for (; number && !rest.empty(); --number)
    name = takeField(rest, ';');
  return number || name.empty() ? "" : " (" + std::string(name) + ")";
}

xcc_status Initialisers::run(Device &on, const char *kernel) {
  void *memory = nullptr, *seen = nullptr;
  XCC_TRY(on.allocateHost(sizeof(uint32_t), &memory));
  auto *at = new (memory) uint32_t(0);
  Queue *queue = nullptr;
  xcc_status status = on.seenAt(memory, seen);
  if (status == XCC_SUCCESS)
    status = on.createQueue(&queue);
  xcc_error *error = nullptr;
  if (queue) {
    status = start(*queue, *init.kernel, &seen);
    auto tell = [&](bool last) {
      const std::string name = nameOf(*static_cast<volatile uint32_t *>(at));
      if (name.empty() && !makes.empty() && !last)
        return false;
      complain("the initialiser of a global variable%s still runs on device "
               "%d, and the launch of kernel '%s' waits for it; "
               "XCC_NOTICE_AFTER sets when this message appears",
               name.c_str(), on.ordinal(), kernel);
      return true;
    };
    const uint64_t limit = initialiserLimit();
    SentenceOf<128> why;
    why.add("it did not end within %llu s (XCC_INITIALISER_LIMIT)",
            static_cast<unsigned long long>(limit));
    Notice notice(tell, limit, [&](unsigned before) {
      constexpr unsigned MostAttempts = 100;
      on.interrupt(*init.kernel, why.text(), before > MostAttempts);
    });
    queue->drainInterruptibly();
    error = status == XCC_SUCCESS ? queue->takeError() : keepLastError();
    on.destroyQueue(queue);
  } else {
    error = keepLastError();
  }
  const std::string name = nameOf(*static_cast<volatile uint32_t *>(at));
  // After a failure the kernel may still run, on a device that was given up.
  if (!error)
    (void)on.releaseHost(memory);
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
              "the initialiser of a global variable%s failed: %s", name.c_str(),
              text.c_str());
}

bool Initialisers::finish(Device &on) {
  if (!ready || !fini.kernel)
    return false;
  ready = false;
  if (on.createQueue(&last) != XCC_SUCCESS)
    last = nullptr;
  else if (char none = 0; start(*last, *fini.kernel, &none) != XCC_SUCCESS)
    complain("%s", xcc_error_last());
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
