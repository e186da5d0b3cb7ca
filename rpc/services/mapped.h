/* Copies of the host's allocations, for device code that frees them
 *
 * Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * On a device with its own heap, a copy that device code may free has 16 bytes
 * before it. The address of the copy is a multiple of 16.
 *
 *     -16                  -8      0
 *     | address ^ a state  | size  | the copy
 *
 * When device code frees a copy, only the state changes. The host frees the
 * original later, and the copy together with all others. The device's heap
 * contains the range of addresses of such copies, 8 bytes after its start:
 *
 *     8        16     24     32     40       44      48
 *     | lowest | past | list | mask | posted | taken | done |
 *
 * Memory that the host lends to an exhausted heap has the same bytes before it,
 * without a state, because free() reads them.
 *
 * The other words are for heap blocks whose contents the host has copied back.
 * `list` has their addresses; block n is at n & mask. The host counts the
 * blocks that it posted. Device code counts the blocks that it took, and those
 * that it has freed (`done`). The host posts more only when all are done.
 */

#ifndef XCC_RPC_SERVICES_MAPPED_H
#define XCC_RPC_SERVICES_MAPPED_H

#define XCC_MAPPED_HEADER 16u
#define XCC_MAPPED_LIVE 0x6d61705f6c697665ull
#define XCC_MAPPED_FREED 0x6d61705f66726565ull
#define XCC_MAPPED_BOUNDS 8u /* offset from the heap's start */

#define XCC_RETURNS_LIST 24u
#define XCC_RETURNS_MASK 32u
#define XCC_RETURNS_POSTED 40u
#define XCC_RETURNS_TAKEN 44u
#define XCC_RETURNS_DONE 48u

#endif /* XCC_RPC_SERVICES_MAPPED_H */
