// Failures inside the runtime
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function that can fail returns an xcc_status. Before it returns an error it
// has called fail(), which stores the message and the place as the thread's
// last error. Failures of running kernels happen on other threads: they are
// made with makeError() and kept by their queue. They become the last error of
// the thread that synchronises.

#ifndef XCC_SRC_ERRORS_ERROR_H
#define XCC_SRC_ERRORS_ERROR_H

#include "xcc/runtime.h"
#include <cstdarg>
#include <memory>

namespace xcc::rt {

class ThrownException;

/// The subject of a failure, as far as it is known.
struct ErrorSite {
  const char *kernel = nullptr;
  const char *file = nullptr; ///< of the launch
  uint32_t line = 0;
  int device = -1;
  /// The signal that would end a process with this failure; 0: unknown.
  int signal = 0;
  /// The exception that left the kernel.
  std::shared_ptr<const ThrownException> thrown = nullptr;
};

/// Stores the calling thread's last error and returns \p status.
[[nodiscard, gnu::cold, gnu::format(printf, 2, 3)]] xcc_status
fail(xcc_status status, const char *format, ...);
[[nodiscard, gnu::cold, gnu::format(printf, 3, 4)]] xcc_status
fail(xcc_status status, const ErrorSite &site, const char *format, ...);

/// "xcc_memory_copy: the source is null".
[[nodiscard, gnu::cold]] inline xcc_status failNull(const char *call,
                                                    const char *what) {
  return fail(XCC_ERROR_INVALID_VALUE, "%s: %s is null", call, what);
}

/// Makes an error for another thread to report; the caller owns it. Never
/// returns null: if memory runs out, returns a static error that says so.
[[nodiscard, gnu::cold, gnu::format(printf, 3, 4)]] xcc_error *
makeError(xcc_status status, const ErrorSite &site, const char *format, ...);

/// Makes \p error the thread's last error, and takes over the reference.
[[nodiscard]] xcc_status failWith(xcc_error *error);

/// Adds the launch's place to the thread's last error, if that has none.
[[nodiscard, gnu::cold]] xcc_status failAt(const ErrorSite &site);

/// The fields of its ErrorSite.
int signalOf(const xcc_error *error);
const std::shared_ptr<const ThrownException> &thrownOf(const xcc_error *error);
/// Has a call already failed with this error?
bool wasReported(const xcc_error *error);
/// Takes the thread's last error to report it later, so that it counts as not
/// reported. The caller owns it; null if memory ran out.
xcc_error *keepLastError();

/// Releases the calling thread's last error, at the thread's end.
void forgetLastError();

} // namespace xcc::rt

#define XCC_TRY(call)                                                          \
  do {                                                                         \
    if (xcc_status tryStatus = (call); tryStatus != XCC_SUCCESS)               \
      return tryStatus;                                                        \
  } while (false)

#endif // XCC_SRC_ERRORS_ERROR_H
