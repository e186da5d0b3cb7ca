/*===-- services/services.h - What device code may ask of its host *- C -*-===*\
|*
|* Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* The host's side of printf, files, malloc, exit, calls of host functions:
|* callbacks for a server of <xcc/rpc.h>. For each device, a runtime
|*
|*   1. creates a server, and services for it,
|*   2. writes xcc_services_image(...) into the variable __xcc_rpc of each image
|*      that has one, and the address of a zeroed xcc_trap_record, in memory
|*      that both sides see, into __xcc_trap_report (image.h),
|*   3. starts the server, and tells it of kernels that may call,
|*   4. after a launch that failed, asks xcc_services_trap why,
|*   5. destroys the server, then the services.
|*
|* Every function may be called from any thread, unless it says otherwise.
|*
\*===----------------------------------------------------------------------===*/
#ifndef XCC_SERVICES_H
#define XCC_SERVICES_H

#include "image.h"
#include "xcc/abi.h"
#include "xcc/rpc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct xcc_services xcc_services;

/** What services let device code do. */
enum xcc_services_kind {
  XCC_SERVICES_OUTPUT = 1,
  XCC_SERVICES_INPUT = 2,
  XCC_SERVICES_READ_FILES = 4,
  XCC_SERVICES_WRITE_FILES = 8,
  XCC_SERVICES_ENVIRONMENT = 16,
  XCC_SERVICES_PROCESS = 32,
  XCC_SERVICES_HOST_CALLS = 64
};

/** Zero is a good value for everything but the size. */
typedef struct xcc_services_options {
  size_t size; /**< sizeof(xcc_services_options) */
  /** Memory that the device can use, for malloc once the device's heap is
   *  exhausted; called while kernels run. Null: malloc fails then. */
  void *(*allocate)(size_t size, size_t alignment, void *context);
  void (*free)(void *memory, void *context);
  /** The entry for an id; null when there is none. */
  const xcc_host_entry *(*find_host_entry)(uint64_t id, void *context);
  /** For exit(status) on the device, instead of exit: must not return. It runs
   *  on a thread of the server. */
  void (*exit)(int status, void *context);
  void *context;
  /** Not 0: device code runs in this process, in its memory, so that host
   *  functions get what they are given without a copy. */
  int shares_memory;
  /** Kinds of services that device code may not use now, enum
   * xcc_services_kind; asked for each call. Null: none. */
  uint32_t (*denied)(void *context);
  /** Says which entry's function is about to run on the calling thread, and with
   *  null that it has returned. Null: nobody wants to know. */
  void (*calling)(const xcc_host_entry *entry, void *context);
} xcc_services_options;

/** Registers the services with a server that has not been started. */
xcc_rpc_status xcc_services_create(xcc_rpc_server *server,
                                   const xcc_services_options *options,
                                   xcc_services **services);
/** Closes the files and frees the memory that device code left. After the
 *  server was stopped or destroyed. Null is ignored. */
void xcc_services_destroy(xcc_services *services);

/** The bytes of a block that the host allocated for device code, and that was
 *  not freed; 0: it is none. */
uint64_t xcc_services_block_size(xcc_services *services, uint64_t address);

/** Frees such a block; 0: it is none. */
int xcc_services_free_block(xcc_services *services, uint64_t address);

/** The bytes of __xcc_rpc for an image.
 *  shared: the server's memory as the device sees it; null: the same address.
 *  local: xcc_rpc_client_info::local_size zeroed bytes of the device's memory,
 *  one block for all images of the device.
 *  heap: heapSize zeroed bytes of the device's memory; may be none. */
xcc_rpc_status xcc_services_image(xcc_rpc_server *server, void *shared,
                                  void *local, void *heap, uint64_t heapSize,
                                  xcc_rpc_image *image);

/** What a trap record said. */
typedef struct xcc_services_trap_info {
  xcc_trap_note note;
  uint32_t others; /**< other threads that trapped, as far as known */
} xcc_services_trap_info;

/** True if a thread trapped and said why, since the record was last asked or
 *  zeroed; makes it ready for the next. Not while kernels run. */
int xcc_services_trap(xcc_trap_record *record, xcc_services_trap_info *trap);

#ifdef __cplusplus
}
#endif
#endif /* XCC_SERVICES_H */
