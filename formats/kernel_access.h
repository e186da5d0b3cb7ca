// Which memory a kernel reads and writes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The column access= of a kernel's row (<xcc/abi.h>), in a form for code that
// follows the addresses in a kernarg block, from memory to memory. At each step
// it tells what the kernel does there:
//
//     State at = access.step(KernelAccess::Block, 16); // the address there,
//     at = access.step(at, 0);     // and the one in the memory at that address
//     if (access.writes(at)) ...   // the memory at the second address
//
// Offsets are relative to the address, not to the start of the allocation, so
// they are negative for memory before the address. If several addresses point
// into the same memory, all their uses apply to it.

#ifndef XCC_FORMATS_KERNEL_ACCESS_H
#define XCC_FORMATS_KERNEL_ACCESS_H

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace xcc::rt {

/// Immutable, so any thread may use it.
class KernelAccess {
public:
  /// The path by which an address was found.
  using State = uint32_t;
  /// The kernarg block itself.
  static constexpr State Block = 0;

  struct Use {
    bool read, write;
    bool operator==(const Use &) const = default;
  };

  /// Nothing is known: the kernel may read and write all reachable memory.
  KernelAccess() : KernelAccess(std::nullopt) {}
  /// Reads the columns access=, overwrites= and beside=. If a text is
  /// malformed, nothing is known.
  explicit KernelAccess(
      std::optional<std::string_view> column,
      std::optional<std::string_view> overwrites = std::nullopt,
      std::optional<std::string_view> beside = std::nullopt);

  bool known() const { return known_; }

  /// The state of the address stored \p offset bytes from where the last
  /// address points.
  State step(State at, int64_t offset) const;
  /// The states of all addresses at offsets from \p first to before \p last.
  std::vector<State> steps(State at, int64_t first, int64_t last) const;
  bool reads(State at) const { return states[at].use.read; }
  bool writes(State at) const { return states[at].use.write; }
  /// Whether overwritten() may return a nonempty part.
  bool overwrites(State at) const { return states[at].elements.size != 0; }
  /// A range in bytes, relative to an address.
  struct Part {
    uint64_t from, to;
    bool operator==(const Part &) const = default;
  };
  /// The part of the memory at the address that a launch overwrites completely,
  /// given its arguments and its threads along x. Applies to launches that end
  /// without failure, and if the kernel changes no address on the way. Empty if
  /// nothing is known.
  Part overwritten(State at, const char *kernarg, size_t size,
                   uint64_t threads) const;
  /// Whether the kernel uses no memory that is reachable from there.
  bool ends(State at) const { return states[at].ends; }
  /// Whether all offsets lead to the same state.
  bool uniform(State at) const { return states[at].next.empty(); }

  /// The use of the memory at the end of a path.
  Use operator()(std::initializer_list<int64_t> path) const;

  /// Whether the column contains the address at that offset of the block, other
  /// than by "*". If it contains an offset that has no address according to the
  /// types, the kernel made an address of an integer.
  bool names(int64_t offset) const;

  /// Whether the kernel uses the memory at the address at that offset of the
  /// block with variable offsets.
  bool usesVariableOffset(int64_t offset) const;
  /// Whether it uses, at constant offsets, more than \p bytes bytes from there
  /// on, or memory before the address.
  bool usesMoreThan(int64_t offset, uint64_t bytes) const;

private:
  struct OffsetUse {
    int64_t offset;
    uint64_t end; ///< end of the use; 0: the offsets are variable
    auto operator<=>(const OffsetUse &) const = default;
  };
  std::vector<OffsetUse> offsetUses; ///< sorted
  struct Node;
  /// A numeric argument of the kernel.
  struct Number {
    uint32_t offset = 0;
    uint32_t bytes = 0; ///< 0: no argument
    bool isSigned = false;
    bool read(const char *kernarg, size_t size, uint64_t &out) const;
  };
  /// An entry of overwrites=.
  struct Elements {
    uint64_t size = 0; ///< 0: no entry
    Number count, first;
  };
  struct StateData {
    Use use{};
    Elements elements{};
    bool ends = false;
    State other = 0; ///< the next state for offsets that are not in `next`
    std::vector<std::pair<int64_t, State>> next; ///< sorted
  };

  bool known_ = false;
  std::vector<StateData> states;

  bool parse(std::string_view text, std::string_view overwrites);
  bool parseOffsetUses(std::string_view text);
  static bool insert(std::vector<Node> &nodes, std::string_view line);
  static bool insertPath(std::vector<Node> &nodes, std::string_view path,
                         size_t &node);
  static bool insertElements(std::vector<Node> &nodes, std::string_view line);
  static bool parseNumber(std::string_view &text, Number &out);
  bool determine(const std::vector<Node> &nodes);
};

} // namespace xcc::rt
#endif // XCC_FORMATS_KERNEL_ACCESS_H
