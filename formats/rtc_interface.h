// The front end as a library
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libxcc-rtc.so is the compiler without its driver's jobs: Clang, LLVM and lld.
// libxcc opens it when a program compiles source and nothing on disk is its
// result, and calls what stands here. The two may be of different builds; both
// check the other's version.

#ifndef XCC_FORMATS_RTC_INTERFACE_H
#define XCC_FORMATS_RTC_INTERFACE_H

#include "jit_interface.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Changes with every change of what stands here, in source_table.h or in
/// xcc_source_options.
#define XCC_RTC_INTERFACE 4u
#define XCC_RTC_LIBRARY "libxcc-rtc.so.0"
#define XCC_RTC_ENTRY "xcc_rtc_library"

/// What to compile. The callee keeps nothing of it.
typedef struct xcc_rtc_request {
  const char *text;
  uint64_t size;
  const xcc_source_options *options;
  /// The device's arch, as in -offload-arch=, if the options name none.
  const char *arch;
  const xcc_jit_functions *generator;
  /// Results that are kept on disk, by a text that names all they depend on. find
  /// passes a result to `take` and returns whether there is one. Both are null if
  /// nothing is kept.
  int (*find)(const char *text,
              void (*take)(void *user, const void *data, uint64_t size),
              void *user);
  void (*store)(const char *text, const void *data, uint64_t size);
} xcc_rtc_request;

/// Exactly one of data and error is there.
typedef struct xcc_rtc_result {
  /// A table (source_table.h) and behind it the images; without images where
  /// the table's diagnostics say why.
  const void *data;
  uint64_t size;
  const char *error; ///< what is wrong and not the source's fault
  void *owner;       ///< the library's own
} xcc_rtc_result;

typedef struct xcc_rtc_functions {
  uint32_t version;     ///< XCC_RTC_INTERFACE
  uint32_t abi_version; ///< XCC_ABI_VERSION
  /// Names all that a result depends on in addition to the request and to the
  /// files of the table.
  const char *identity;
  /// The files that this code is in, one in each line.
  const char *files;
  /// From any thread that has a stack of XCC_RTC_STACK bytes, and from several
  /// at once.
  void (*compile)(const xcc_rtc_request *request, xcc_rtc_result *result);
  void (*release)(xcc_rtc_result *result);
} xcc_rtc_functions;

/// Clang asks for 8 MiB, and takes more where it sees the end of them.
#define XCC_RTC_STACK (64u << 20)

/// XCC_RTC_ENTRY. Null where the library does not know the caller's version.
typedef const xcc_rtc_functions *(*xcc_rtc_entry)(uint32_t version);

#ifdef __cplusplus
}
#endif
#endif // XCC_FORMATS_RTC_INTERFACE_H
