// The code generator as a library
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libxcc-jit.so is the compiler's back end: LLVM and lld. libxcc opens it when a
// device has to run a portable image, and calls what stands here. The two may
// be of different builds; both check the other's version.

#ifndef XCC_FORMATS_JIT_INTERFACE_H
#define XCC_FORMATS_JIT_INTERFACE_H

#include "xcc/runtime.h"
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Changes with every change of what stands here.
#define XCC_JIT_INTERFACE 6u
#define XCC_JIT_LIBRARY "libxcc-jit.so.0"
#define XCC_JIT_ENTRY "xcc_jit_library"

/// Bytes that every launch has in the kernarg segment.
typedef struct xcc_jit_constant {
  uint32_t offset, size;
  const void *bytes;
  /// 1: of an object that the kernel's threads share. They may write to it, and
  /// then it is no constant.
  uint32_t shared;
} xcc_jit_constant;

/// A pointer that every launch has in the kernarg segment.
typedef struct xcc_jit_pointer {
  uint32_t offset;
  /// The allocation that it is into, which pointers of other numbers are not;
  /// 0: nothing is known.
  uint32_t allocation;
  uint32_t alignment; ///< a power of two
  uint32_t shared;    ///< as a constant's
} xcc_jit_pointer;

/// One kernel, otherwise than its program was built with.
typedef struct xcc_jit_variant {
  const xcc_jit_options *options;
  const xcc_jit_constant *constants;
  uint64_t constant_count;
  const xcc_jit_pointer *pointers;
  uint64_t pointer_count;
  uint32_t block[3], grid[3]; ///< of every launch; 0: any
} xcc_jit_variant;

/// What to generate. All strings end with a zero byte; the callee keeps none.
typedef struct xcc_jit_request {
  // Strings of the portable image.
  const char *triple;
  const char *layouts; ///< "xcc.layouts"
  const char *options; ///< "xcc.options"
  const void *data;
  uint64_t size;
  /// The device's arch, as it is in -offload-arch=.
  const char *arch;
  /// Symbols of the kernels that the image is to hold; none: all there are.
  const char *const *kernels;
  uint64_t kernel_count;
  /// What the paths of files begin with that keep each stage; null: none do.
  const char *dump;
  /// May be null. There is one kernel then.
  const xcc_jit_variant *variant;
  /// Calls a function, on the thread that generates: the signal that it failed
  /// with, 0 if it returned.
  int (*rescued)(void (*function)(void *argument), void *argument);
} xcc_jit_request;

/// Exactly one of image and error is there.
typedef struct xcc_jit_result {
  const void *image; ///< an OffloadBinary, as it would be in a program
  uint64_t size;
  const char *error; ///< sentences for the user, without a newline at the end
  void *owner;       ///< the library's own
} xcc_jit_result;

typedef struct xcc_jit_functions {
  uint32_t version;     ///< XCC_JIT_INTERFACE
  uint32_t abi_version; ///< XCC_ABI_VERSION
  /// Names all that generated code depends on in addition to the request.
  const char *identity;
  /// The files that this code is in, one in each line.
  const char *files;
  /// From any thread, and from several at once.
  void (*generate)(const xcc_jit_request *request, xcc_jit_result *result);
  void (*release)(xcc_jit_result *result);
  /// Calls a function that uses LLVM, on this thread. Where LLVM would end the
  /// process, it is left instead: what LLVM said, for free(). Null: it returned.
  char *(*attempt)(void (*function)(void *argument), void *argument);
} xcc_jit_functions;

/// XCC_JIT_ENTRY. Null where the library does not know the caller's version.
typedef const xcc_jit_functions *(*xcc_jit_entry)(uint32_t version);

#ifdef __cplusplus
}
#endif
#endif // XCC_FORMATS_JIT_INTERFACE_H
