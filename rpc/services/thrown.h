/*===-- services/thrown.h - An exception that leaves a kernel -*- C -*------===*\
|*
|* Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* For traps of kind XCC_CPU_TRAP_THROWN, device code passes an xcc_thrown to
|* __xcc_trap instead of a text. Included by code compiled without any header.
|*
\*===----------------------------------------------------------------------===*/
#ifndef XCC_SERVICES_THROWN_H
#define XCC_SERVICES_THROWN_H

#ifdef __cplusplus
extern "C" {
#endif

/** The place of a throw. The compiler emits these as constants. */
typedef struct xcc_throw_place {
  const char *function; /**< mangled name */
  const char *file;     /**< null: unknown */
  unsigned line;
  unsigned size; /**< size of the exception object; 0: unknown */
} xcc_throw_place;

/** All strings may be null.
 *
 *     0      8      16      24      32      40        52
 *     | type | what | place | object | known | block[3] | thread[3] |
 */
typedef struct xcc_thrown {
  const char *type; /**< std::type_info::name() */
  const char *what; /**< what() of a std::exception */
  const xcc_throw_place *place;
  const void *object;
  unsigned known; /**< 1: block and thread are valid */
  unsigned block[3], thread[3];
} xcc_thrown;

#ifdef __cplusplus
static_assert(sizeof(xcc_thrown) == 64, "xcc_thrown layout");
}
#endif
#endif /* XCC_SERVICES_THROWN_H */
