// The front end as a library
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libxcc-rtc.so is the compiler without its driver: Clang, LLVM and lld. libxcc
// opens it when a program compiles source whose result is not on disk, and
// calls the functions declared here. The two libraries may be of different
// builds, so each checks the other's version.

#ifndef XCC_FORMATS_RTC_INTERFACE_H
#define XCC_FORMATS_RTC_INTERFACE_H

#include "jit_interface.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Changes with every change of this file, of source_table.h or of
/// xcc_source_options.
#define XCC_RTC_INTERFACE 4u
#define XCC_RTC_LIBRARY "libxcc-rtc.so.0"
#define XCC_RTC_ENTRY "xcc_rtc_library"

/// What to compile. The callee keeps no pointer to it.
typedef struct xcc_rtc_request {
  const char *text;
  uint64_t size;
  const xcc_source_options *options;
  /// The device's architecture, as in -offload-arch=, if the options name none.
  const char *arch;
  const xcc_jit_functions *generator;
  /// The cache on disk. Its keys are texts that name everything that a result
  /// depends on. find passes a result to `take` and returns whether there is
  /// one. Both are null if there is no cache.
  int (*find)(const char *text,
              void (*take)(void *user, const void *data, uint64_t size),
              void *user);
  void (*store)(const char *text, const void *data, uint64_t size);
} xcc_rtc_request;

/// Exactly one of data and error is set.
typedef struct xcc_rtc_result {
  /// A table (source_table.h) followed by the images. There are no images if
  /// the table's diagnostics contain errors.
  const void *data;
  uint64_t size;
  const char *error; ///< a failure that is not the source's fault
  void *owner;       ///< for the library
} xcc_rtc_result;

typedef struct xcc_rtc_functions {
  uint32_t version;     ///< XCC_RTC_INTERFACE
  uint32_t abi_version; ///< XCC_ABI_VERSION
  /// Identifies everything that a result depends on, besides the request and
  /// the files in the table.
  const char *identity;
  /// The files that contain this code, one per line.
  const char *files;
  /// May be called from several threads at once. Each needs a stack of
  /// XCC_RTC_STACK bytes.
  void (*compile)(const xcc_rtc_request *request, xcc_rtc_result *result);
  void (*release)(xcc_rtc_result *result);
} xcc_rtc_functions;

/// Clang requires 8 MiB, and needs more when it detects the end of its stack.
#define XCC_RTC_STACK (64u << 20)

/// The type of XCC_RTC_ENTRY. Returns null for a caller's version that the
/// library does not support.
typedef const xcc_rtc_functions *(*xcc_rtc_entry)(uint32_t version);

#ifdef __cplusplus
}
#endif
#endif // XCC_FORMATS_RTC_INTERFACE_H
