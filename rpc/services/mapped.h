/* Copies of the host's allocations, for device code that frees them
 *
 * Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A copy that device code may free, on a device with a heap of its own, has 16
 * bytes in front of it. Its address is a multiple of 16.
 *
 *     -16                  -8      0
 *     | address ^ a state  | size  | the copy
 *
 * When device code frees a copy, only its state changes: the host frees the
 * original later, and the copy with all others. The range of addresses in which
 * such copies are is in the device's heap, 8 bytes from its begin:
 *
 *     8        16     24     32     40       44      48
 *     | lowest | past | list | mask | posted | taken | done |
 *
 * Memory that the host lends, for a heap that is exhausted, has the same bytes in
 * front of it, without a state: what is freed is looked at there.
 *
 * What follows is about blocks of the heap whose contents the host has brought
 * home. Their addresses lie in `list`, the number n at n & mask. The host counts
 * those that it posted, device code those that it took and, when it has freed
 * them, has done. The host posts only when all are done.
 */

#ifndef XCC_RPC_SERVICES_MAPPED_H
#define XCC_RPC_SERVICES_MAPPED_H

#define XCC_MAPPED_HEADER 16u
#define XCC_MAPPED_LIVE 0x6d61705f6c697665ull
#define XCC_MAPPED_FREED 0x6d61705f66726565ull
#define XCC_MAPPED_BOUNDS 8u /* from the heap's begin */

#define XCC_RETURNS_LIST 24u
#define XCC_RETURNS_MASK 32u
#define XCC_RETURNS_POSTED 40u
#define XCC_RETURNS_TAKEN 44u
#define XCC_RETURNS_DONE 48u

#endif /* XCC_RPC_SERVICES_MAPPED_H */
