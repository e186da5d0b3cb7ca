// Failures inside the runtime
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "error.h"
#include "process/log.h"
#include "process/thread_state.h"
#include "thrown.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string_view>

/// The strings follow the object in the same allocation.
struct xcc_error {
  std::atomic<uint32_t> count{1};
  xcc_status status = XCC_SUCCESS;
  int device = -1;
  uint32_t line = 0;
  const char *message = "";
  const char *kernel = "";
  const char *file = "";
  bool isStatic = false;
  std::atomic<bool> reported{false};
  int signal = 0;
  std::shared_ptr<const xcc::rt::ThrownException> thrown = nullptr;
};

namespace xcc::rt {

/// Reported when there is no memory for the real message.
static xcc_error *outOfMemory() {
  static xcc_error error{{1},
                         XCC_ERROR_OUT_OF_MEMORY,
                         -1,
                         0,
                         "out of memory while reporting an error",
                         "",
                         "",
                         true};
  return &error;
}

static xcc_error *vmake(xcc_status status, const ErrorSite &site,
                        const char *format, va_list args) {
  va_list copy;
  va_copy(copy, args);
  int length = vsnprintf(nullptr, 0, format, copy);
  va_end(copy);
  const char *kernel = site.kernel ? site.kernel : "";
  const char *file = site.file ? site.file : "";
  size_t text = length < 0 ? 0 : static_cast<size_t>(length);
  size_t kernelSize = strlen(kernel) + 1, fileSize = strlen(file) + 1;
  const size_t place =
      *file ? sizeof(" (launched at :4294967295)") + fileSize : 0;
  void *memory =
      malloc(sizeof(xcc_error) + text + 1 + place + kernelSize + fileSize);
  if (!memory)
    return outOfMemory();
  auto *error = new (memory) xcc_error;
  char *strings = reinterpret_cast<char *>(error + 1);
  strings[0] = 0;
  vsnprintf(strings, text + 1, format, args);
  error->message = strings;
  // Remove the place if the text already contains it.
  if (place) {
    char *added = strings + text;
    snprintf(added, place, " (launched at %s:%u)", file, site.line);
    const std::string_view all(strings), where(added + sizeof(" (launched at"));
    if (all.substr(0, text).find(where.substr(0, where.size() - 1)) !=
        std::string_view::npos)
      *added = 0;
  }
  strings += text + 1 + place;
  memcpy(strings, kernel, kernelSize);
  error->kernel = strings;
  strings += kernelSize;
  memcpy(strings, file, fileSize);
  error->file = strings;
  error->status = status;
  error->device = site.device;
  error->line = site.line;
  error->signal = site.signal;
  error->thrown = site.thrown;
  return error;
}

int signalOf(const xcc_error *error) { return error->signal; }
const std::shared_ptr<const ThrownException> &thrownOf(const xcc_error *error) {
  return error->thrown;
}

xcc_status failWith(xcc_error *error) {
  ThreadState &state = threadState();
  xcc_error_release(state.lastError);
  state.lastError = error;
  error->reported.store(true, std::memory_order_relaxed);
  XCC_LOG(Error, "%s: %s", xcc_status_name(error->status), error->message);
  return error->status;
}

xcc_status fail(xcc_status status, const char *format, ...) {
  va_list args;
  va_start(args, format);
  xcc_error *error = vmake(status, {}, format, args);
  va_end(args);
  return failWith(error);
}

xcc_status fail(xcc_status status, const ErrorSite &site, const char *format,
                ...) {
  va_list args;
  va_start(args, format);
  xcc_error *error = vmake(status, site, format, args);
  va_end(args);
  return failWith(error);
}

xcc_error *makeError(xcc_status status, const ErrorSite &site,
                     const char *format, ...) {
  va_list args;
  va_start(args, format);
  xcc_error *error = vmake(status, site, format, args);
  va_end(args);
  return error;
}

bool wasReported(const xcc_error *error) {
  return error->reported.load(std::memory_order_relaxed);
}

xcc_status failAt(const ErrorSite &site) {
  xcc_error *error = keepLastError();
  if (!error)
    return failWith(outOfMemory());
  if (*error->file)
    return failWith(error);
  const xcc_status status = fail(error->status,
                                 {site.kernel, site.file, site.line,
                                  site.device, error->signal, error->thrown},
                                 "%s", error->message);
  xcc_error_release(error);
  return status;
}

xcc_error *keepLastError() {
  xcc_error *error = xcc_error_capture();
  if (error)
    error->reported.store(false, std::memory_order_relaxed);
  return error;
}

void forgetLastError() {
  ThreadState &state = threadState();
  xcc_error_release(state.lastError);
  state.lastError = nullptr;
}

} // namespace xcc::rt

using namespace xcc::rt;

const char *xcc_status_name(xcc_status status) {
  switch (status) {
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
    NAME(XCC_ERROR_INVALID_SOURCE)
#undef NAME
  default:
    return "unknown xcc_status";
  }
}

const char *xcc_error_last(void) {
  xcc_error *error = threadState().lastError;
  return error ? error->message : "";
}

xcc_error *xcc_error_capture(void) {
  xcc_error *error = threadState().lastError;
  return error ? xcc_error_retain(error) : nullptr;
}

xcc_error *xcc_error_retain(xcc_error *error) {
  if (error && !error->isStatic)
    error->count.fetch_add(1, std::memory_order_relaxed);
  return error;
}

void xcc_error_release(xcc_error *error) {
  if (!error || error->isStatic)
    return;
  if (error->count.fetch_sub(1, std::memory_order_acq_rel) == 1) {
    error->~xcc_error();
    free(error);
  }
}

xcc_status xcc_error_status(const xcc_error *error) {
  return error ? error->status : XCC_SUCCESS;
}
const char *xcc_error_message(const xcc_error *error) {
  return error ? error->message : "";
}
const char *xcc_error_kernel(const xcc_error *error) {
  return error ? error->kernel : "";
}
const char *xcc_error_file(const xcc_error *error) {
  return error ? error->file : "";
}
uint32_t xcc_error_line(const xcc_error *error) {
  return error ? error->line : 0;
}
const xcc_device_exception *xcc_error_exception(const xcc_error *error) {
  return error && error->thrown ? &error->thrown->get() : nullptr;
}
int xcc_error_device(const xcc_error *error) {
  return error ? error->device : -1;
}
