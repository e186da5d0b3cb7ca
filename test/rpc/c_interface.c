// The interface is C
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled as strict C11; library_test.cpp calls the function.

#include "xcc/rpc.h"

#include <string.h>

static char answer[16];

static void *into_answer(uint64_t size, uint32_t lane, void *context) {
  (void)context;
  return lane == 0 && size <= sizeof answer ? answer : NULL;
}

int xcc_rpc_test_from_c(void *memory, size_t size);
int xcc_rpc_test_from_c(void *memory, size_t size) {
  xcc_rpc_client *client = NULL;
  uint64_t number = 41, sum = 0;
  if (xcc_rpc_client_attach(memory, 100, &client) != XCC_RPC_WRONG_MEMORY)
    return 1;
  if (xcc_rpc_client_attach(memory, size, &client) != XCC_RPC_SUCCESS)
    return 2;
  if (xcc_rpc_client_call(client, XCC_RPC_OPCODE(7, 1), &number, sizeof number,
                          &sum, sizeof sum) != XCC_RPC_SUCCESS ||
      sum != 42)
    return 3;
  if (xcc_rpc_client_call_n(client, XCC_RPC_OPCODE(7, 2), "drawer", 7,
                            into_answer, NULL) != XCC_RPC_SUCCESS ||
      memcmp(answer, "\0reward", 7) != 0)
    return 4;
  if (xcc_rpc_client_call(client, XCC_RPC_OPCODE(7, 3), NULL, 0, NULL, 0) !=
      XCC_RPC_NO_SUCH_OPCODE)
    return 5;
  if (xcc_rpc_client_call(client, XCC_RPC_OPCODE(7, 1), &number, 65, NULL, 0) !=
      XCC_RPC_INVALID_VALUE)
    return 6;
  xcc_rpc_client_detach(client);
  return 0;
}
