// What does not compile
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each wrong use of a port is a type error. Compiling is the test.

#include "support.h"

#include <concepts>
#include <type_traits>
#include <utility>

namespace {
using namespace rpctest;

using Own = Client<>::Port<State::Own>;
using Wait = Client<>::Port<State::Wait>;
using Give = Client<>::Port<State::Give>;

constexpr auto Fill = [](Packet &, uint32_t) {};
constexpr auto Source = [](uint32_t) { return Bytes{nullptr, 0}; };
constexpr auto Sink = [](uint32_t, uint64_t) -> void * { return nullptr; };

template <class P>
concept CanSend = requires(P port) {
  std::move(port).send(Fill);
  std::move(port).send_n(Source);
};
template <class P>
concept CanReceive = requires(P port) {
  std::move(port).recv(Fill);
  std::move(port).recv_n(Sink);
};
template <class P>
concept CanAcknowledge = requires(P port) { std::move(port).ack(); };
template <class P>
concept CanPass = requires(P port) { std::move(port).pass(); };
template <class P>
concept WorksOnNames =
    requires(P port) { port.send(Fill); } || requires(P port) {
      port.recv(Fill);
    } || requires(P port) { port.ack(); } || requires(P port) { port.pass(); };

// The order of operations.
static_assert(CanSend<Own> && !CanReceive<Own> && !CanAcknowledge<Own> &&
              !CanPass<Own>);
static_assert(!CanSend<Wait> && CanReceive<Wait> && CanAcknowledge<Wait> &&
              !CanPass<Wait>);
static_assert(CanSend<Give> && !CanReceive<Give> && !CanAcknowledge<Give> &&
              CanPass<Give>);

// Every operation takes the port away: a name keeps none of its states.
static_assert(!WorksOnNames<Own> && !WorksOnNames<Wait> && !WorksOnNames<Give>);

// Ports are moved, not copied, and not from state to state by hand.
static_assert(!std::copy_constructible<Own> && std::movable<Own>);
static_assert(!std::is_copy_assignable_v<Give>);
static_assert(!std::convertible_to<Own, Wait>);
static_assert(!std::assignable_from<Give &, Wait>);

// What comes out.
static_assert(
    std::same_as<decltype(std::declval<Own>().send(Fill)), Wait> &&
    std::same_as<decltype(std::declval<Give>().send_n(Source)), Wait> &&
    std::same_as<decltype(std::declval<Wait>().recv(Fill)), Give> &&
    std::same_as<decltype(std::declval<Wait>().recv_n(Sink)), Give> &&
    std::same_as<decltype(std::declval<Wait>().ack()), Own> &&
    std::same_as<decltype(std::declval<Give>().pass()), Wait>);

// The two sides begin differently, and their ports are different things.
static_assert(std::same_as<decltype(std::declval<Client<> &>().open(1)), Own>);
static_assert(std::same_as<decltype(std::declval<Server<>>().tryOpen()),
                           Server<>::Port<State::Wait>>);
static_assert(!std::convertible_to<Server<>::Port<State::Wait>, Wait>);

// A port refers to its client.
template <class C>
concept CanOpen = requires(C from) { static_cast<C &&>(from).open(1); };
static_assert(CanOpen<Client<> &> && !CanOpen<Client<>>);

TEST(Types, WrongOrdersDoNotCompile) { SUCCEED(); }

TEST(Types, Opcodes) {
  static_assert(userOpcode(0x1234, 5) == 0x12340005);
  static_assert(XCC_RPC_OPCODE(0x1234, 5) == userOpcode(0x1234, 5));
  static_assert(FirstUserOpcode == XCC_RPC_FIRST_USER_OPCODE);
  SUCCEED();
}
} // namespace
