// Creating and configuring
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support.h"

extern "C" int xcc_rpc_test_from_c(void *memory, size_t size);

namespace {
using namespace rpctest;

TEST(Library, InitCounts) {
  EXPECT_EQ(xcc_rpc_shutdown(), XCC_RPC_NOT_INITIALIZED);
  EXPECT_EQ(xcc_rpc_register(Add, addOne, nullptr), XCC_RPC_NOT_INITIALIZED);
  EXPECT_EQ(xcc_rpc_unregister(Add), XCC_RPC_NOT_INITIALIZED);
  xcc_rpc_server_options o = {};
  o.size = sizeof o;
  o.ports = o.lanes = 1;
  xcc_rpc_server *s = nullptr;
  EXPECT_EQ(xcc_rpc_server_create(&o, &s), XCC_RPC_NOT_INITIALIZED);
  ASSERT_EQ(xcc_rpc_init(), XCC_RPC_SUCCESS);
  ASSERT_EQ(xcc_rpc_init(), XCC_RPC_SUCCESS);
  EXPECT_EQ(xcc_rpc_shutdown(), XCC_RPC_SUCCESS);
  EXPECT_EQ(xcc_rpc_register(Add, addOne, nullptr), XCC_RPC_SUCCESS);
  ASSERT_EQ(xcc_rpc_server_create(&o, &s), XCC_RPC_SUCCESS);
  EXPECT_EQ(xcc_rpc_shutdown(), XCC_RPC_BUSY);
  xcc_rpc_server_destroy(s);
  EXPECT_EQ(xcc_rpc_shutdown(), XCC_RPC_SUCCESS);
  // Forgotten.
  ASSERT_EQ(xcc_rpc_init(), XCC_RPC_SUCCESS);
  EXPECT_EQ(xcc_rpc_unregister(Add), XCC_RPC_NO_SUCH_OPCODE);
  EXPECT_EQ(xcc_rpc_shutdown(), XCC_RPC_SUCCESS);
}

TEST(Library, StatusesHaveNames) {
  for (int i = XCC_RPC_SUCCESS; i <= XCC_RPC_SYSTEM; ++i)
    for (int k = i + 1; k <= XCC_RPC_SYSTEM + 1; ++k)
      EXPECT_STRNE(xcc_rpc_status_string(xcc_rpc_status(i)),
                   xcc_rpc_status_string(xcc_rpc_status(k)));
  EXPECT_STREQ(xcc_rpc_status_string(xcc_rpc_status(4711)),
               xcc_rpc_status_string(XCC_RPC_STATUS_32_BITS));
}

TEST(Library, OptionsAreChecked) {
  ASSERT_EQ(xcc_rpc_init(), XCC_RPC_SUCCESS);
  xcc_rpc_server_options good = {};
  good.size = sizeof good;
  good.ports = good.lanes = 1;
  xcc_rpc_server *s = nullptr;
  auto refuses = [&](auto spoil) {
    xcc_rpc_server_options o = good;
    spoil(o);
    xcc_rpc_status status = xcc_rpc_server_create(&o, &s);
    EXPECT_EQ(s, nullptr);
    return status == XCC_RPC_INVALID_VALUE;
  };
  using Options = xcc_rpc_server_options;
  EXPECT_TRUE(refuses([](Options &o) { o.size = 8; }));
  EXPECT_TRUE(refuses([](Options &o) { o.ports = 0; }));
  EXPECT_TRUE(refuses([](Options &o) { o.ports = MaxPorts + 1; }));
  EXPECT_TRUE(refuses([](Options &o) { o.lanes = 0; }));
  EXPECT_TRUE(refuses([](Options &o) { o.lanes = 65; }));
  for (uint32_t lanes : {2u, 7u, 31u, 33u, 63u}) {
    EXPECT_TRUE(refuses([&](Options &o) { o.lanes = lanes; })) << lanes;
    EXPECT_EQ(xcc_rpc_memory_size(1, lanes), 0u);
  }
  EXPECT_TRUE(refuses([](Options &o) { o.flags = 4; }));
  EXPECT_TRUE(refuses([](Options &o) {
    o.allocate = [](size_t, void *) -> void * { return nullptr; };
  }));
  Memory m(xcc_rpc_memory_size(1, 1));
  EXPECT_TRUE(refuses([&](Options &o) {
    o.memory = m.get();
    o.memory_size = xcc_rpc_memory_size(1, 1) - 1;
  }));
  EXPECT_TRUE(refuses([&](Options &o) {
    o.memory = m.get() + 8;
    o.memory_size = xcc_rpc_memory_size(1, 1);
  }));
  EXPECT_EQ(xcc_rpc_server_create(nullptr, &s), XCC_RPC_INVALID_VALUE);
  EXPECT_EQ(xcc_rpc_server_create(&good, nullptr), XCC_RPC_INVALID_VALUE);
  EXPECT_EQ(xcc_rpc_memory_size(0, 1), 0u);
  EXPECT_EQ(xcc_rpc_memory_size(1, 65), 0u);
  xcc_rpc_server_destroy(nullptr);
  xcc_rpc_client_detach(nullptr);
  EXPECT_EQ(xcc_rpc_shutdown(), XCC_RPC_SUCCESS);
}

TEST(Library, AllocationCallbacks) {
  struct State {
    size_t size = 0;
    unsigned frees = 0;
    bool refuse = true;
  } state;
  xcc_rpc_server_options o = {};
  o.size = sizeof o;
  o.ports = 100;
  o.lanes = 32;
  o.context = &state;
  o.allocate = [](size_t size, void *context) -> void * {
    auto &s = *static_cast<struct State *>(context);
    if (s.refuse)
      return nullptr;
    s.size = size;
    void *bytes = aligned_alloc(4096, (size + 4095) / 4096 * 4096);
    memset(bytes, 0xab, size);
    return bytes;
  };
  o.free = [](void *memory, size_t size, void *context) {
    auto &s = *static_cast<struct State *>(context);
    EXPECT_EQ(size, s.size);
    ++s.frees;
    free(memory);
  };
  ASSERT_EQ(xcc_rpc_init(), XCC_RPC_SUCCESS);
  xcc_rpc_server *s = nullptr;
  EXPECT_EQ(xcc_rpc_server_create(&o, &s), XCC_RPC_OUT_OF_MEMORY);
  state.refuse = false;
  ASSERT_EQ(xcc_rpc_server_create(&o, &s), XCC_RPC_SUCCESS);
  EXPECT_EQ(state.size, xcc_rpc_memory_size(100, 32));
  uint32_t handled = 9;
  EXPECT_EQ(xcc_rpc_server_handle(s, &handled), XCC_RPC_SUCCESS);
  EXPECT_EQ(handled, 0u); // It was zeroed.
  xcc_rpc_server_destroy(s);
  EXPECT_EQ(state.frees, 1u);
  EXPECT_EQ(xcc_rpc_shutdown(), XCC_RPC_SUCCESS);
}

TEST(Library, OpcodesAreTakenOnce) {
  TestServer s;
  EXPECT_EQ(xcc_rpc_register(Add, addOne, nullptr), XCC_RPC_SUCCESS);
  EXPECT_EQ(xcc_rpc_register(Add, addOne, &s), XCC_RPC_OPCODE_TAKEN);
  EXPECT_EQ(xcc_rpc_register(0, addOne, nullptr), XCC_RPC_INVALID_VALUE);
  EXPECT_EQ(xcc_rpc_register(Add + 1, nullptr, nullptr), XCC_RPC_INVALID_VALUE);
  // xcc's own.
  for (uint32_t op : {1u, 0x40u, XCC_RPC_FIRST_USER_OPCODE - 1}) {
    EXPECT_EQ(xcc_rpc_register(op, addOne, nullptr), XCC_RPC_INVALID_VALUE);
    EXPECT_EQ(xcc_rpc_server_register(s, op, addOne, nullptr),
              XCC_RPC_INVALID_VALUE);
    EXPECT_EQ(xcc_rpc_server_unregister(s, op), XCC_RPC_INVALID_VALUE);
  }
  EXPECT_EQ(
      xcc_rpc_server_register(s, XCC_RPC_FIRST_USER_OPCODE, addOne, nullptr),
      XCC_RPC_SUCCESS);
  s.start();
  auto c = s.client();
  EXPECT_EQ(callAdd(c, 1), 2u);
  // A server's own come first.
  s.on(
      Add,
      [](xcc_rpc_port *port, void *user) {
        EXPECT_EQ(xcc_rpc_port_opcode(port), Add);
        EXPECT_EQ(xcc_rpc_port_server(port), *static_cast<TestServer *>(user));
        addOne(port, nullptr);
        xcc_rpc_send(port, [](void *, uint32_t, void *) {}, nullptr);
      },
      &s);
  EXPECT_EQ(xcc_rpc_server_register(s, Add, addOne, nullptr),
            XCC_RPC_OPCODE_TAKEN);
  EXPECT_EQ(callAdd(c, 2), 3u);
  EXPECT_EQ(xcc_rpc_server_unregister(s, Add), XCC_RPC_SUCCESS);
  EXPECT_EQ(xcc_rpc_server_unregister(s, Add), XCC_RPC_NO_SUCH_OPCODE);
  EXPECT_EQ(callAdd(c, 3), 4u);
  EXPECT_EQ(xcc_rpc_unregister(Add), XCC_RPC_SUCCESS);
  auto ended = c.open(Add).send([](Packet &, uint32_t) {}).ack();
  EXPECT_EQ(ended.status(), Answer::NoSuchOpcode);
}

TEST(Server, FromC) {
  xcc_rpc_server_options o = {};
  o.flags = XCC_RPC_PROCESS_SHARED;
  TestServer s(o);
  s.on(XCC_RPC_OPCODE(7, 1), addOne);
  s.on(XCC_RPC_OPCODE(7, 2), reverse);
  s.start();
  EXPECT_EQ(xcc_rpc_test_from_c(s.info.shared, s.info.shared_size), 0);
}
} // namespace
