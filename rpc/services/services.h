/*===-- services/services.h - Services for device code -*- C -*-----------===*\
|*
|* Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* The host's side of printf, files, malloc, exit and calls of host functions:
|* callbacks for a server of <xcc/rpc.h>. For each device, a runtime
|*
|*   1. creates a server, and services for it,
|*   2. writes xcc_services_image(...) into the variable __xcc_rpc of each image
|*      that has one, and the address of a zeroed xcc_trap_record, in memory
|*      that both sides access, into __xcc_trap_report (image.h),
|*   3. starts the server, and announces kernels that may call to it,
|*   4. after a failed launch, gets the reason by xcc_services_trap,
|*   5. destroys the server, then the services.
|*
|* Any thread may call any function, unless its comment says otherwise.
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

/** Kinds of services, which a program may deny device code. */
enum xcc_services_kind {
  XCC_SERVICES_OUTPUT = 1,
  XCC_SERVICES_INPUT = 2,
  XCC_SERVICES_READ_FILES = 4,
  XCC_SERVICES_WRITE_FILES = 8,
  XCC_SERVICES_ENVIRONMENT = 16,
  XCC_SERVICES_PROCESS = 32,
  XCC_SERVICES_HOST_CALLS = 64
};

/** Zero is a good value for all fields but the size. */
typedef struct xcc_services_options {
  size_t size; /**< sizeof(xcc_services_options) */
  /** Memory that the device can use, for malloc once the device's heap is
   *  exhausted; called while kernels run. Null: malloc fails then. */
  void *(*allocate)(size_t size, size_t alignment, void *context);
  void (*free)(void *memory, void *context);
  /** Returns the entry for an id; null if there is none. */
  const xcc_host_entry *(*find_host_entry)(uint64_t id, void *context);
  /** Called for exit(status) on the device, instead of exit, on a thread of the
   *  server. Must not return. */
  void (*exit)(int status, void *context);
  void *context;
  /** Not 0: device code runs in this process and its memory, so that host
   *  functions get their arguments without a copy. */
  int shares_memory;
  /** Returns the kinds of services (enum xcc_services_kind) that are denied
   *  now. Called for each call. Null: none. */
  uint32_t (*denied)(void *context);
  /** Called with the entry whose function is about to run on this thread, and
   *  with null after it has returned. May be null. */
  void (*calling)(const xcc_host_entry *entry, void *context);
} xcc_services_options;

/** Registers the services with a server that has not been started. */
xcc_rpc_status xcc_services_create(xcc_rpc_server *server,
                                   const xcc_services_options *options,
                                   xcc_services **services);
/** Closes the files and frees the memory that device code has left. Call this
 *  after the server was stopped or destroyed. Null is ignored. */
void xcc_services_destroy(xcc_services *services);

/** Returns the size of a block that the host allocated for device code and that
 *  was not freed; 0 for other addresses. */
uint64_t xcc_services_block_size(xcc_services *services, uint64_t address);

/** Frees such a block. Returns 0 for other addresses. */
int xcc_services_free_block(xcc_services *services, uint64_t address);

/** Computes the value of __xcc_rpc for an image.
 *  shared: the device's address of the server's memory; null: the host's.
 *  local: xcc_rpc_client_info::local_size zeroed bytes of the device's memory,
 *  one block for all images of the device.
 *  heap: heapSize zeroed bytes of the device's memory; may be null. */
xcc_rpc_status xcc_services_image(xcc_rpc_server *server, void *shared,
                                  void *local, void *heap, uint64_t heapSize,
                                  xcc_rpc_image *image);

/** The contents of a trap record. */
typedef struct xcc_services_trap_info {
  xcc_trap_note note;
  uint32_t others; /**< other threads that trapped, as far as known */
} xcc_services_trap_info;

/** Reads a trap record and clears it. Returns nonzero if a thread has reported
 *  a trap since the record was last cleared. No kernel may run meanwhile. */
int xcc_services_trap(xcc_trap_record *record, xcc_services_trap_info *trap);

#ifdef __cplusplus
}
#endif
#endif /* XCC_SERVICES_H */
