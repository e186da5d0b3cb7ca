// The code generator as a library
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libxcc-jit.so is the compiler's back end: LLVM and lld. libxcc opens it when
// a device has to run a portable image, and calls the functions declared here.
// The two libraries may be of different builds, so each checks the other's
// version.

#ifndef XCC_FORMATS_JIT_INTERFACE_H
#define XCC_FORMATS_JIT_INTERFACE_H

#include "xcc/runtime.h"
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Changes with every change of this file.
#define XCC_JIT_INTERFACE 6u
#define XCC_JIT_LIBRARY "libxcc-jit.so.0"
#define XCC_JIT_ENTRY "xcc_jit_library"

/// Bytes of the kernarg segment that are the same in every launch.
typedef struct xcc_jit_constant {
  uint32_t offset, size;
  const void *bytes;
  /// 1: bytes of an object that the kernel's threads share. If they may write
  /// to it, it is no constant.
  uint32_t shared;
} xcc_jit_constant;

/// A pointer in the kernarg segment that is the same in every launch.
typedef struct xcc_jit_pointer {
  uint32_t offset;
  /// A number of the allocation that the pointer points into. Pointers with
  /// different numbers do not alias. 0: unknown.
  uint32_t allocation;
  uint32_t alignment; ///< a power of two
  uint32_t shared;    ///< as for a constant
} xcc_jit_pointer;

/// A specialised variant of one kernel.
typedef struct xcc_jit_variant {
  const xcc_jit_options *options;
  const xcc_jit_constant *constants;
  uint64_t constant_count;
  const xcc_jit_pointer *pointers;
  uint64_t pointer_count;
  uint32_t block[3], grid[3]; ///< sizes of every launch; 0: any
} xcc_jit_variant;

/// What to generate. All strings end with a zero byte. The callee keeps no
/// pointer.
typedef struct xcc_jit_request {
  // Strings of the portable image
  const char *triple;
  const char *layouts; ///< "xcc.layouts"
  const char *options; ///< "xcc.options"
  const void *data;
  uint64_t size;
  /// The device's architecture, as in -offload-arch=.
  const char *arch;
  /// Symbols of the kernels to generate; none: all.
  const char *const *kernels;
  uint64_t kernel_count;
  /// The prefix of paths of files for the output of each stage; null: no files.
  const char *dump;
  /// May be null. If set, there is exactly one kernel.
  const xcc_jit_variant *variant;
  /// Calls a function on the generating thread and handles its signals. Returns
  /// the signal that ended it, or 0 if it returned.
  int (*rescued)(void (*function)(void *argument), void *argument);
} xcc_jit_request;

/// Exactly one of image and error is set.
typedef struct xcc_jit_result {
  const void *image; ///< an OffloadBinary, as it would be in a program
  uint64_t size;
  const char *error; ///< sentences for the user, without a newline at the end
  void *owner;       ///< for the library
} xcc_jit_result;

typedef struct xcc_jit_functions {
  uint32_t version;     ///< XCC_JIT_INTERFACE
  uint32_t abi_version; ///< XCC_ABI_VERSION
  /// Identifies everything that generated code depends on, besides the request.
  const char *identity;
  /// The files that contain this code, one per line.
  const char *files;
  /// May be called from any thread, and from several at once.
  void (*generate)(const xcc_jit_request *request, xcc_jit_result *result);
  void (*release)(xcc_jit_result *result);
  /// Calls a function that uses LLVM, on this thread. If LLVM would end the
  /// process, the function is left, and LLVM's message is returned, which the
  /// caller frees with free(). Returns null if the function returned.
  char *(*attempt)(void (*function)(void *argument), void *argument);
} xcc_jit_functions;

/// The type of XCC_JIT_ENTRY. Returns null for a caller's version that the
/// library does not support.
typedef const xcc_jit_functions *(*xcc_jit_entry)(uint32_t version);

#ifdef __cplusplus
}
#endif
#endif // XCC_FORMATS_JIT_INTERFACE_H
