// Failures inside the runtime
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "error.h"
#include "process/log.h"
#include "process/thread_state.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

/// The strings follow the object in one allocation.
struct xcc_error {
  std::atomic<uint32_t> Count{1};
  xcc_status Status = XCC_SUCCESS;
  int Device = -1;
  uint32_t Line = 0;
  const char *Message = "";
  const char *Kernel = "";
  const char *File = "";
  bool Static = false;
  std::atomic<bool> Reported{false};
};

namespace xcc::rt {

/// Reported when there is no memory for the real message.
static xcc_error *outOfMemory() {
  static xcc_error Error{{1},
                         XCC_ERROR_OUT_OF_MEMORY,
                         -1,
                         0,
                         "out of memory while reporting an error",
                         "",
                         "",
                         true};
  return &Error;
}

static xcc_error *vmake(xcc_status Status, const ErrorSite &Site,
                        const char *Format, va_list Args) {
  va_list Copy;
  va_copy(Copy, Args);
  int Length = vsnprintf(nullptr, 0, Format, Copy);
  va_end(Copy);
  const char *Kernel = Site.Kernel ? Site.Kernel : "";
  const char *File = Site.File ? Site.File : "";
  size_t Text = Length < 0 ? 0 : static_cast<size_t>(Length);
  size_t KernelSize = strlen(Kernel) + 1, FileSize = strlen(File) + 1;
  void *Memory = malloc(sizeof(xcc_error) + Text + 1 + KernelSize + FileSize);
  if (!Memory)
    return outOfMemory();
  auto *Error = new (Memory) xcc_error;
  char *Strings = reinterpret_cast<char *>(Error + 1);
  Strings[0] = 0;
  vsnprintf(Strings, Text + 1, Format, Args);
  Error->Message = Strings;
  Strings += Text + 1;
  memcpy(Strings, Kernel, KernelSize);
  Error->Kernel = Strings;
  Strings += KernelSize;
  memcpy(Strings, File, FileSize);
  Error->File = Strings;
  Error->Status = Status;
  Error->Device = Site.Device;
  Error->Line = Site.Line;
  return Error;
}

xcc_status failWith(xcc_error *Error) {
  ThreadState &State = threadState();
  xcc_error_release(State.LastError);
  State.LastError = Error;
  Error->Reported.store(true, std::memory_order_relaxed);
  XCC_LOG(Error, "%s: %s", xcc_status_name(Error->Status), Error->Message);
  return Error->Status;
}

xcc_status fail(xcc_status Status, const char *Format, ...) {
  va_list Args;
  va_start(Args, Format);
  xcc_error *Error = vmake(Status, {}, Format, Args);
  va_end(Args);
  return failWith(Error);
}

xcc_status fail(xcc_status Status, const ErrorSite &Site, const char *Format,
                ...) {
  va_list Args;
  va_start(Args, Format);
  xcc_error *Error = vmake(Status, Site, Format, Args);
  va_end(Args);
  return failWith(Error);
}

xcc_error *makeError(xcc_status Status, const ErrorSite &Site,
                     const char *Format, ...) {
  va_list Args;
  va_start(Args, Format);
  xcc_error *Error = vmake(Status, Site, Format, Args);
  va_end(Args);
  return Error;
}

bool wasReported(const xcc_error *Error) {
  return Error->Reported.load(std::memory_order_relaxed);
}

void forgetLastError() {
  ThreadState &State = threadState();
  xcc_error_release(State.LastError);
  State.LastError = nullptr;
}

} // namespace xcc::rt

using namespace xcc::rt;

const char *xcc_status_name(xcc_status Status) {
  switch (Status) {
#define NAME(S)                                                                \
  case S:                                                                      \
    return #S;
    NAME(XCC_SUCCESS)
    NAME(XCC_ERROR_INVALID_VALUE)
    NAME(XCC_ERROR_INVALID_KERNEL)
    NAME(XCC_ERROR_INVALID_LAUNCH)
    NAME(XCC_ERROR_INVALID_IMAGE)
    NAME(XCC_ERROR_NO_IMAGE)
    NAME(XCC_ERROR_INVALID_DEVICE)
    NAME(XCC_ERROR_OUT_OF_MEMORY)
    NAME(XCC_ERROR_LAUNCH_FAILED)
    NAME(XCC_ERROR_NOT_READY)
    NAME(XCC_ERROR_SYSTEM)
#undef NAME
  default:
    return "unknown xcc_status";
  }
}

const char *xcc_last_error(void) {
  xcc_error *Error = threadState().LastError;
  return Error ? Error->Message : "";
}

xcc_error *xcc_error_capture(void) {
  xcc_error *Error = threadState().LastError;
  return Error ? xcc_error_retain(Error) : nullptr;
}

xcc_error *xcc_error_retain(xcc_error *Error) {
  if (Error && !Error->Static)
    Error->Count.fetch_add(1, std::memory_order_relaxed);
  return Error;
}

void xcc_error_release(xcc_error *Error) {
  if (!Error || Error->Static)
    return;
  if (Error->Count.fetch_sub(1, std::memory_order_acq_rel) == 1)
    free(Error);
}

xcc_status xcc_error_status(const xcc_error *Error) {
  return Error ? Error->Status : XCC_SUCCESS;
}
const char *xcc_error_message(const xcc_error *Error) {
  return Error ? Error->Message : "";
}
const char *xcc_error_kernel(const xcc_error *Error) {
  return Error ? Error->Kernel : "";
}
const char *xcc_error_file(const xcc_error *Error) {
  return Error ? Error->File : "";
}
uint32_t xcc_error_line(const xcc_error *Error) {
  return Error ? Error->Line : 0;
}
int xcc_error_device(const xcc_error *Error) {
  return Error ? Error->Device : -1;
}
