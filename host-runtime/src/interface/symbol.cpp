// The address of a global variable on a device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "devices/allocations.h"
#include "images/registry.h"
#include "services/host_services.h"

using namespace xcc::rt;

/// Runs the kernel that stores the address; its one argument says where.
static xcc_status ask(const Kernel &place, Device &on, void *&address) {
  void *there = nullptr;
  XCC_TRY(on.allocate(sizeof(void *), &there));
  Queue *queue = nullptr;
  xcc_status status = on.createQueue(&queue);
  if (status != XCC_SUCCESS) {
    (void)on.release(there);
    return status;
  }
  static constexpr uint32_t one[3] = {1, 1, 1};
  status = queue->launch({&place, one, one, 0, &there, nullptr, 0});
  if (status == XCC_SUCCESS)
    status = queue->copy({.at = &address}, {.at = there, .owner = &on},
                         sizeof(address));
  queue->drain();
  xcc_error *error = queue->takeError();
  on.destroyQueue(queue);
  (void)on.release(there);
  if (error)
    return failWith(error);
  return status;
}

xcc_status xcc_symbol_address(const xcc_kernel_info *place, int device,
                              uint64_t size, void **address) {
  if (!address)
    return failNull("xcc_symbol_address", "address");
  if (!place)
    return fail(XCC_ERROR_INVALID_KERNEL,
                "xcc::symbol was called in code that xcc did not compile, so "
                "no device knows the variable; compile that file with xcc");
  XCC_TRY(checkDescriptor(place));
  XCC_TRY(mayWait("xcc::symbol"));
  Device *on;
  XCC_TRY(findDevice(device, on));
  const Kernel *kernel;
  XCC_TRY(loadKernel(*place, *on, &kernel));
  *address = kernel->variable.load(std::memory_order_acquire);
  if (*address)
    return XCC_SUCCESS;
  if (kernel->kernargSize != sizeof(void *))
    return fail(XCC_ERROR_INVALID_KERNEL,
                "xcc_symbol_address: '%s' is no kernel of xcc::symbol's",
                place->name);
  XCC_TRY(ask(*kernel, *on, *address));
  if (kernel->variable.exchange(*address, std::memory_order_acq_rel))
    return XCC_SUCCESS; // another thread has stored it
  if (!rememberVariable(*place, *on, *address, size))
    return fail(XCC_ERROR_OUT_OF_MEMORY, "out of memory for xcc::symbol");
  return XCC_SUCCESS;
}
