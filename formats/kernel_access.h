// Which memory a kernel reads and writes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The column access= of a kernel's row (<xcc/abi.h>), read so that one who
// follows the addresses in a kernarg block, from memory to memory, knows at
// each step what the kernel does there:
//
//     State at = access.step(KernelAccess::Block, 16); // the address there,
//     at = access.step(at, 0);     // and the one that it points to
//     if (access.writes(at)) ...   // the memory that this one points to
//
// Offsets are from where the address points, not from where the memory that it
// points into begins: an address in front of it has a negative one. Memory
// that several addresses point into is used in all the ways that they say.

#ifndef XCC_FORMATS_KERNEL_ACCESS_H
#define XCC_FORMATS_KERNEL_ACCESS_H

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace xcc::rt {

/// Constant once made, so any thread may ask.
class KernelAccess {
public:
  /// How an address was reached.
  using State = uint32_t;
  /// The kernarg block itself.
  static constexpr State Block = 0;

  struct Use {
    bool read, write;
    bool operator==(const Use &) const = default;
  };

  /// Nothing is known: all reachable memory may be read and written.
  KernelAccess() : KernelAccess(std::nullopt) {}
  /// Reads the column, and overwrites= and beside= with it. Text that is not of its form
  /// says nothing.
  explicit KernelAccess(
      std::optional<std::string_view> column,
      std::optional<std::string_view> overwrites = std::nullopt,
      std::optional<std::string_view> beside = std::nullopt);

  bool known() const { return known_; }

  /// The memory that the address points to which lies \p offset bytes from
  /// where the last one points.
  State step(State at, int64_t offset) const;
  /// All memory that an address between two offsets, the second not included,
  /// may point to.
  std::vector<State> steps(State at, int64_t first, int64_t last) const;
  bool reads(State at) const { return states[at].use.read; }
  bool writes(State at) const { return states[at].use.write; }
  /// May overwritten() say something?
  bool overwrites(State at) const { return states[at].elements.size != 0; }
  /// Bytes from where an address points.
  struct Part {
    uint64_t from, to;
    bool operator==(const Part &) const = default;
  };
  /// What of the memory that the address points to is written by a launch that
  /// ends without a failure, with these arguments and as many threads along x:
  /// all of it, while the kernel changes no address on the way. Empty when
  /// nothing is known.
  Part overwritten(State at, const char *kernarg, size_t size,
                   uint64_t threads) const;
  /// No memory that can be reached from there is used.
  bool ends(State at) const { return states[at].ends; }
  /// Every offset leads to the same.
  bool uniform(State at) const { return states[at].next.empty(); }

  /// The same for a whole path.
  Use operator()(std::initializer_list<int64_t> path) const;

  /// Whether the column names what an address at that offset of the block
  /// points to, other than by "*". A kernel of which it names an offset that
  /// holds no address, as far as types show, made an address of a number.
  bool names(int64_t offset) const;

  /// Does the kernel use what the address at that offset of the block points to
  /// at offsets that are not constant?
  bool usesBeside(int64_t offset) const;
  /// Does it use, at constant offsets, more than so many bytes from there on, or
  /// what lies in front of them?
  bool usesMoreThan(int64_t offset, uint64_t bytes) const;

private:
  struct Beside {
    int64_t offset;
    uint64_t end; ///< of what is used; 0: offsets are not constant
    auto operator<=>(const Beside &) const = default;
  };
  std::vector<Beside> besides; ///< sorted
  struct Node;
  /// An argument.
  struct Number {
    uint32_t offset = 0;
    uint32_t bytes = 0; ///< 0: there is none
    bool isSigned = false;
    bool read(const char *kernarg, size_t size, uint64_t &out) const;
  };
  /// As overwrites= has it.
  struct Elements {
    uint64_t size = 0; ///< 0: nothing is said
    Number count, first;
  };
  struct StateData {
    Use use{};
    Elements elements{};
    bool ends = false;
    State other = 0; ///< where offsets lead that are not in `next`
    std::vector<std::pair<int64_t, State>> next; ///< sorted
  };

  bool known_ = false;
  std::vector<StateData> states;

  bool parse(std::string_view text, std::string_view overwrites);
  bool parseBesides(std::string_view text);
  static bool insert(std::vector<Node> &nodes, std::string_view line);
  static bool insertPath(std::vector<Node> &nodes, std::string_view path,
                         size_t &node);
  static bool insertElements(std::vector<Node> &nodes, std::string_view line);
  static bool parseNumber(std::string_view &text, Number &out);
  bool determine(const std::vector<Node> &nodes);
};

} // namespace xcc::rt
#endif // XCC_FORMATS_KERNEL_ACCESS_H
