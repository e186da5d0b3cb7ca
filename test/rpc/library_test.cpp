// Creating and configuring
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support.h"

extern "C" int xcc_rpc_test_from_c(void *Memory, size_t Size);

namespace {
using namespace rpctest;

TEST(Library, InitCounts) {
  EXPECT_EQ(xcc_rpc_shutdown(), XCC_RPC_NOT_INITIALIZED);
  EXPECT_EQ(xcc_rpc_register(Add, addOne, nullptr), XCC_RPC_NOT_INITIALIZED);
  EXPECT_EQ(xcc_rpc_unregister(Add), XCC_RPC_NOT_INITIALIZED);
  xcc_rpc_server_options O = {};
  O.size = sizeof O;
  O.ports = O.lanes = 1;
  xcc_rpc_server *S = nullptr;
  EXPECT_EQ(xcc_rpc_server_create(&O, &S), XCC_RPC_NOT_INITIALIZED);
  ASSERT_EQ(xcc_rpc_init(), XCC_RPC_SUCCESS);
  ASSERT_EQ(xcc_rpc_init(), XCC_RPC_SUCCESS);
  EXPECT_EQ(xcc_rpc_shutdown(), XCC_RPC_SUCCESS);
  EXPECT_EQ(xcc_rpc_register(Add, addOne, nullptr), XCC_RPC_SUCCESS);
  ASSERT_EQ(xcc_rpc_server_create(&O, &S), XCC_RPC_SUCCESS);
  EXPECT_EQ(xcc_rpc_shutdown(), XCC_RPC_BUSY);
  xcc_rpc_server_destroy(S);
  EXPECT_EQ(xcc_rpc_shutdown(), XCC_RPC_SUCCESS);
  // Forgotten.
  ASSERT_EQ(xcc_rpc_init(), XCC_RPC_SUCCESS);
  EXPECT_EQ(xcc_rpc_unregister(Add), XCC_RPC_NO_SUCH_OPCODE);
  EXPECT_EQ(xcc_rpc_shutdown(), XCC_RPC_SUCCESS);
}

TEST(Library, StatusesHaveNames) {
  for (int I = XCC_RPC_SUCCESS; I <= XCC_RPC_SYSTEM; ++I)
    for (int K = I + 1; K <= XCC_RPC_SYSTEM + 1; ++K)
      EXPECT_STRNE(xcc_rpc_status_string(xcc_rpc_status(I)),
                   xcc_rpc_status_string(xcc_rpc_status(K)));
  EXPECT_STREQ(xcc_rpc_status_string(xcc_rpc_status(4711)),
               xcc_rpc_status_string(XCC_RPC_STATUS_32_BITS));
}

TEST(Library, OptionsAreChecked) {
  ASSERT_EQ(xcc_rpc_init(), XCC_RPC_SUCCESS);
  xcc_rpc_server_options Good = {};
  Good.size = sizeof Good;
  Good.ports = Good.lanes = 1;
  xcc_rpc_server *S = nullptr;
  auto refuses = [&](auto Spoil) {
    xcc_rpc_server_options O = Good;
    Spoil(O);
    xcc_rpc_status Status = xcc_rpc_server_create(&O, &S);
    EXPECT_EQ(S, nullptr);
    return Status == XCC_RPC_INVALID_VALUE;
  };
  using Options = xcc_rpc_server_options;
  EXPECT_TRUE(refuses([](Options &O) { O.size = 8; }));
  EXPECT_TRUE(refuses([](Options &O) { O.ports = 0; }));
  EXPECT_TRUE(refuses([](Options &O) { O.ports = MaxPorts + 1; }));
  EXPECT_TRUE(refuses([](Options &O) { O.lanes = 0; }));
  EXPECT_TRUE(refuses([](Options &O) { O.lanes = 65; }));
  for (uint32_t Lanes : {2u, 7u, 31u, 33u, 63u}) {
    EXPECT_TRUE(refuses([&](Options &O) { O.lanes = Lanes; })) << Lanes;
    EXPECT_EQ(xcc_rpc_memory_size(1, Lanes), 0u);
  }
  EXPECT_TRUE(refuses([](Options &O) { O.flags = 4; }));
  EXPECT_TRUE(refuses([](Options &O) {
    O.allocate = [](size_t, void *) -> void * { return nullptr; };
  }));
  Memory M(xcc_rpc_memory_size(1, 1));
  EXPECT_TRUE(refuses([&](Options &O) {
    O.memory = M.get();
    O.memory_size = xcc_rpc_memory_size(1, 1) - 1;
  }));
  EXPECT_TRUE(refuses([&](Options &O) {
    O.memory = M.get() + 8;
    O.memory_size = xcc_rpc_memory_size(1, 1);
  }));
  EXPECT_EQ(xcc_rpc_server_create(nullptr, &S), XCC_RPC_INVALID_VALUE);
  EXPECT_EQ(xcc_rpc_server_create(&Good, nullptr), XCC_RPC_INVALID_VALUE);
  EXPECT_EQ(xcc_rpc_memory_size(0, 1), 0u);
  EXPECT_EQ(xcc_rpc_memory_size(1, 65), 0u);
  xcc_rpc_server_destroy(nullptr);
  xcc_rpc_client_detach(nullptr);
  EXPECT_EQ(xcc_rpc_shutdown(), XCC_RPC_SUCCESS);
}

TEST(Library, AllocationCallbacks) {
  struct State {
    size_t Size = 0;
    unsigned Frees = 0;
    bool Refuse = true;
  } State;
  xcc_rpc_server_options O = {};
  O.size = sizeof O;
  O.ports = 100;
  O.lanes = 32;
  O.context = &State;
  O.allocate = [](size_t Size, void *Context) -> void * {
    auto &S = *static_cast<struct State *>(Context);
    if (S.Refuse)
      return nullptr;
    S.Size = Size;
    void *Bytes = aligned_alloc(4096, (Size + 4095) / 4096 * 4096);
    memset(Bytes, 0xab, Size);
    return Bytes;
  };
  O.free = [](void *Memory, size_t Size, void *Context) {
    auto &S = *static_cast<struct State *>(Context);
    EXPECT_EQ(Size, S.Size);
    ++S.Frees;
    free(Memory);
  };
  ASSERT_EQ(xcc_rpc_init(), XCC_RPC_SUCCESS);
  xcc_rpc_server *S = nullptr;
  EXPECT_EQ(xcc_rpc_server_create(&O, &S), XCC_RPC_OUT_OF_MEMORY);
  State.Refuse = false;
  ASSERT_EQ(xcc_rpc_server_create(&O, &S), XCC_RPC_SUCCESS);
  EXPECT_EQ(State.Size, xcc_rpc_memory_size(100, 32));
  uint32_t Handled = 9;
  EXPECT_EQ(xcc_rpc_server_handle(S, &Handled), XCC_RPC_SUCCESS);
  EXPECT_EQ(Handled, 0u); // It was zeroed.
  xcc_rpc_server_destroy(S);
  EXPECT_EQ(State.Frees, 1u);
  EXPECT_EQ(xcc_rpc_shutdown(), XCC_RPC_SUCCESS);
}

TEST(Library, OpcodesAreTakenOnce) {
  TestServer S;
  EXPECT_EQ(xcc_rpc_register(Add, addOne, nullptr), XCC_RPC_SUCCESS);
  EXPECT_EQ(xcc_rpc_register(Add, addOne, &S), XCC_RPC_OPCODE_TAKEN);
  EXPECT_EQ(xcc_rpc_register(0, addOne, nullptr), XCC_RPC_INVALID_VALUE);
  EXPECT_EQ(xcc_rpc_register(Add + 1, nullptr, nullptr), XCC_RPC_INVALID_VALUE);
  S.start();
  auto C = S.client();
  EXPECT_EQ(callAdd(C, 1), 2u);
  // A server's own come first.
  S.on(
      Add,
      [](xcc_rpc_port *Port, void *User) {
        EXPECT_EQ(xcc_rpc_port_opcode(Port), Add);
        EXPECT_EQ(xcc_rpc_port_server(Port), *static_cast<TestServer *>(User));
        addOne(Port, nullptr);
        xcc_rpc_send(
            Port, [](void *, uint32_t, void *) {}, nullptr);
      },
      &S);
  EXPECT_EQ(xcc_rpc_server_register(S, Add, addOne, nullptr),
            XCC_RPC_OPCODE_TAKEN);
  EXPECT_EQ(callAdd(C, 2), 3u);
  EXPECT_EQ(xcc_rpc_server_unregister(S, Add), XCC_RPC_SUCCESS);
  EXPECT_EQ(xcc_rpc_server_unregister(S, Add), XCC_RPC_NO_SUCH_OPCODE);
  EXPECT_EQ(callAdd(C, 3), 4u);
  EXPECT_EQ(xcc_rpc_unregister(Add), XCC_RPC_SUCCESS);
  auto Ended = C.open(Add).send([](Packet &, uint32_t) {}).ack();
  EXPECT_EQ(Ended.status(), Answer::NoSuchOpcode);
}

TEST(Server, FromC) {
  xcc_rpc_server_options O = {};
  O.flags = XCC_RPC_PROCESS_SHARED;
  TestServer S(O);
  S.on(XCC_RPC_OPCODE(7, 1), addOne);
  S.on(XCC_RPC_OPCODE(7, 2), reverse);
  S.start();
  EXPECT_EQ(xcc_rpc_test_from_c(S.Info.shared, S.Info.shared_size), 0);
}
} // namespace
