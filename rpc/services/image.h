/*===-- services/image.h - Variables that the runtime writes -*- C -*-----===*\
|*
|* Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Two variables of a device image, which the runtime writes when it loads the
|* image, before a kernel of it starts. Each exists only in images that need it.
|* Zero is valid for both: services then fail, and a trap has no report.
|*
|*     xcc_rpc_image __xcc_rpc;             for services of the host
|*     xcc_trap_record *__xcc_trap_report;  for the report of a trap
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

/** The addresses are the device's.
 *
 *     0        8       16      20      24          32          40
 *     | shared | local | ports | lanes | heap_base | heap_size |
 */
typedef struct xcc_rpc_image {
  uint64_t shared; /**< the RPC server's memory; 0: no services */
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

/** A further kind for __xcc_trap, beside those of <xcc/abi.h>: memory was freed
 *  twice. Its text is the address of an xcc_trap_freed. The note then has kind
 *  0, the text, and the address as its object. */
#define XCC_TRAP_FREED 64u
typedef struct xcc_trap_freed {
  const char *text;
  uint64_t address; /**< of the copy */
} xcc_trap_freed;

/** Why a thread trapped. For an exception, text is the result of what(), and
 *  file and line are those of the throw. Strings end with a zero byte.
 *
 *     0      4      8          20          32         36         40
 *     | kind | line | block[3] | thread[3] | has_text | has_file | has_type
 */
typedef struct xcc_trap_note {
  uint32_t kind; /**< enum xcc_cpu_trap_kind of <xcc/abi.h> */
  uint32_t line;
  uint32_t block[3], thread[3];
  uint32_t has_text, has_file, has_type, has_function;
  uint32_t size;  /**< bytes of object; 0: unknown, or too large */
  uint32_t known; /**< 1: block and thread are known */
  char text[XCC_TRAP_TEXT];
  char file[XCC_TRAP_FILE];
  char type[XCC_TRAP_NAME];     /**< mangled */
  char function[XCC_TRAP_NAME]; /**< the function that throws; mangled */
  unsigned char object[XCC_TRAP_OBJECT];
} xcc_trap_note;
XCC_SERVICES_ASSERT(sizeof(xcc_trap_note) == 56 + 512 + 480 + 2 * 384 + 256);

/** The reports of threads that trapped, in memory that both sides access,
 *  initially zero. Writing and reading it needs no server. The first thread to
 *  trap may end the launch at any moment, so a complete note is never
 *  overwritten: a thread that precedes the note's thread writes the other note.
 *
 *     0         4          8        12       16
 *     | claimed | complete | locked | unused | notes[2] |
 */
typedef struct xcc_trap_record {
  uint32_t claimed;  /**< number of threads that trapped */
  uint32_t complete; /**< 1 + the index of the valid note; 0: none */
  uint32_t locked;   /**< 1: a thread is writing */
  uint32_t unused;
  xcc_trap_note notes[2];
} xcc_trap_record;
XCC_SERVICES_ASSERT(sizeof(xcc_trap_record) == 16 + 2 * sizeof(xcc_trap_note));

#ifdef __cplusplus
}
#endif
#endif /* XCC_SERVICES_IMAGE_H */
