// Callbacks of xcc's own services
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_RPC_SRC_OWN_H
#define XCC_RPC_SRC_OWN_H

#include "xcc/rpc.h"

namespace xcc::rpc {

/// Like xcc_rpc_server_register and xcc_rpc_server_unregister, which reject the
/// opcodes of xcc's services.
xcc_rpc_status registerService(xcc_rpc_server *server, uint32_t opcode,
                               xcc_rpc_callback callback, void *user);
xcc_rpc_status unregisterService(xcc_rpc_server *server, uint32_t opcode);

} // namespace xcc::rpc
#endif // XCC_RPC_SRC_OWN_H
