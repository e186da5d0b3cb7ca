/*===-- services/image.h - What the runtime writes into an image -*- C -*-===*\
|*
|* Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Two variables of a device image, written by the runtime when it loads the
|* image and before a kernel of it starts. Each exists only in images that need
|* it; both are valid while they are zero: services then fail, and a trap only
|* traps.
|*
|*     xcc_rpc_image __xcc_rpc;             services that ask the host
|*     xcc_trap_record *__xcc_trap_report;  where a trap says why
|*
\*===----------------------------------------------------------------------===*/
#ifndef XCC_SERVICES_IMAGE_H
#define XCC_SERVICES_IMAGE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define XCC_SERVICES_ASSERT(cond) static_assert(cond)
extern "C" {
#else
#define XCC_SERVICES_ASSERT(cond) _Static_assert(cond, #cond)
#endif

/** Addresses as the device sees them.
 *
 *     0        8       16      20      24          32          40
 *     | shared | local | ports | lanes | heap_base | heap_size |
 */
typedef struct xcc_rpc_image {
  uint64_t shared; /**< the RPC server's memory; 0: there are no services */
  uint64_t local;  /**< xcc_rpc_client_info::local_size zeroed bytes */
  uint32_t ports, lanes;
  uint64_t heap_base; /**< zeroed memory for malloc; 0: none */
  uint64_t heap_size;
} xcc_rpc_image;
XCC_SERVICES_ASSERT(sizeof(xcc_rpc_image) == 40);

#define XCC_TRAP_TEXT 512u
#define XCC_TRAP_FILE 480u
#define XCC_TRAP_NAME 384u
#define XCC_TRAP_OBJECT 256u

/** What __xcc_trap is given for memory that is freed twice, beside the kinds of
 *  <xcc/abi.h>: text is the address of an xcc_trap_freed. Its note has kind 0, the
 *  text, and the address as its object. */
#define XCC_TRAP_FREED 64u
typedef struct xcc_trap_freed {
  const char *text;
  uint64_t address; /**< of the copy */
} xcc_trap_freed;

/** Why a thread trapped. Of an exception, text is what what() gives, file and
 *  line are those of the throw. Strings end in a zero byte.
 *
 *     0      4      8          20          32         36         40
 *     | kind | line | block[3] | thread[3] | has_text | has_file | has_type
 */
typedef struct xcc_trap_note {
  uint32_t kind; /**< enum xcc_cpu_trap_kind of <xcc/abi.h> */
  uint32_t line;
  uint32_t block[3], thread[3];
  uint32_t has_text, has_file, has_type, has_function;
  uint32_t size;  /**< bytes of object; 0: it is not known, or too large */
  uint32_t known; /**< 1: block and thread are */
  char text[XCC_TRAP_TEXT];
  char file[XCC_TRAP_FILE];
  char type[XCC_TRAP_NAME];     /**< mangled */
  char function[XCC_TRAP_NAME]; /**< that throws; mangled */
  unsigned char object[XCC_TRAP_OBJECT];
} xcc_trap_note;
XCC_SERVICES_ASSERT(sizeof(xcc_trap_note) == 56 + 512 + 480 + 2 * 384 + 256);

/** What threads said before they trapped; in memory that both sides see,
 *  zeroed. No server is needed to fill it in, nor to read it. The first thread
 *  to trap ends the launch, at any moment. So a note is not written over: a
 *  thread that comes before the one who wrote it writes the other.
 *
 *     0         4          8        12       16
 *     | claimed | complete | locked | unused | notes[2] |
 */
typedef struct xcc_trap_record {
  uint32_t claimed;  /**< counts the threads that trapped */
  uint32_t complete; /**< 1 + the index of the note that is valid; 0: none */
  uint32_t locked;   /**< 1: somebody writes */
  uint32_t unused;
  xcc_trap_note notes[2];
} xcc_trap_record;
XCC_SERVICES_ASSERT(sizeof(xcc_trap_record) == 16 + 2 * sizeof(xcc_trap_note));

#ifdef __cplusplus
}
#endif
#endif /* XCC_SERVICES_IMAGE_H */
