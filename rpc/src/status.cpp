// Texts of the statuses
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "xcc/rpc.h"

const char *xcc_rpc_status_string(xcc_rpc_status status) {
  switch (status) {
  case XCC_RPC_SUCCESS:
    return "success";
  case XCC_RPC_NOT_INITIALIZED:
    return "the library is not initialised: call xcc_rpc_init first";
  case XCC_RPC_INVALID_VALUE:
    return "an argument is out of its range or null";
  case XCC_RPC_OUT_OF_MEMORY:
    return "memory ran out";
  case XCC_RPC_OPCODE_TAKEN:
    return "the opcode is registered already: use your vendor's range";
  case XCC_RPC_NO_SUCH_OPCODE:
    return "nobody has registered the opcode on the host";
  case XCC_RPC_BUSY:
    return "it is in use: servers exist or run, or no ports are free";
  case XCC_RPC_CLOSED:
    return "the other side has ended the call";
  case XCC_RPC_CUT:
    return "the call was ended because its client kept others waiting";
  case XCC_RPC_BAD_MESSAGE:
    return "the message names no lanes or more bytes than allowed";
  case XCC_RPC_WRONG_MEMORY:
    return "the memory is not a server's, or of another version";
  case XCC_RPC_SYSTEM:
    return "the operating system refused a thread or a file";
  case XCC_RPC_FORKED:
    return "it belongs to the process that this one was forked from";
  case XCC_RPC_STATUS_32_BITS:
    break;
  }
  return "not a status of xcc_rpc";
}
