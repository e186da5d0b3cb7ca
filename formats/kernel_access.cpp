// Reading the column access=
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lines form a tree. An address may correspond to several nodes: the one of
// its offset and "*". A state is a set of nodes that occur together. All states
// are computed once, so that a step is a search in a short list.

#include "kernel_access.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <map>
#include <set>

namespace xcc::rt {

/// Limits for untrusted images. The compiler's output is far below these.
static constexpr size_t MaxText = 1 << 16, MaxComponents = 16, MaxNodes = 4096,
                        MaxStates = 4096;
/// Limits that keep all sums within 64 bits.
static constexpr uint64_t MaxElement = 1 << 16, MaxNumber = uint64_t(1) << 40;

struct KernelAccess::Node {
  Use use{};
  Elements elements{};
  size_t below = 0; ///< '+': the node of everything reachable from this one
  size_t any = 0;   ///< the child for "*"; 0: none
  std::map<int64_t, size_t> children;
};

KernelAccess::KernelAccess(std::optional<std::string_view> column,
                           std::optional<std::string_view> overwrites,
                           std::optional<std::string_view> beside) {
  known_ = column && parse(*column, overwrites.value_or("")) &&
           parseOffsetUses(beside.value_or(""));
  if (known_)
    return;
  offsetUses.clear();
  states.clear();
  states.push_back({{true, true}, {}, false, Block, {}});
}

bool KernelAccess::usesVariableOffset(int64_t offset) const {
  return std::binary_search(offsetUses.begin(), offsetUses.end(),
                            OffsetUse{offset, 0});
}

bool KernelAccess::usesMoreThan(int64_t offset, uint64_t bytes) const {
  auto at = std::upper_bound(offsetUses.begin(), offsetUses.end(),
                             OffsetUse{offset, bytes});
  return at != offsetUses.end() && at->offset == offset;
}

bool KernelAccess::parseOffsetUses(std::string_view text) {
  if (text.size() > MaxText)
    return false;
  while (!text.empty()) {
    const char *end = text.data() + text.size();
    OffsetUse beside = {0, 0};
    auto read = std::from_chars(text.data(), end, beside.offset);
    bool ok = read.ec == std::errc();
    const char *stop = read.ptr;
    if (ok && end - stop >= 2 && stop[0] == '+') {
      if (stop[1] == '*') {
        beside.end = UINT64_MAX;
        stop += 2;
      } else {
        read = std::from_chars(stop + 1, end, beside.end);
        ok = read.ec == std::errc();
        stop = read.ptr;
      }
    }
    if (!ok || (stop != end && *stop != ','))
      return false;
    offsetUses.push_back(beside);
    text.remove_prefix(size_t(stop - text.data()) + (stop != end));
  }
  std::sort(offsetUses.begin(), offsetUses.end());
  return true;
}

/// Adds a path such as "0.*.16".
bool KernelAccess::insertPath(std::vector<Node> &nodes, std::string_view path,
                              size_t &node) {
  node = 0;
  for (size_t count = 0;; ++count) {
    if (count == MaxComponents || nodes.size() == MaxNodes)
      return false;
    size_t dot = path.find('.');
    std::string_view component = path.substr(0, dot);
    int64_t offset = 0;
    bool any = component == "*";
    if (!any) {
      const char *end = component.data() + component.size();
      auto [stop, error] = std::from_chars(component.data(), end, offset);
      if (error != std::errc() || stop != end)
        return false;
    }
    size_t fresh = nodes.size();
    size_t &child = any ? nodes[node].any : nodes[node].children[offset];
    if (!child)
      child = fresh;
    node = child;
    if (node == fresh)
      nodes.emplace_back();
    if (dot == std::string_view::npos)
      return true;
    path.remove_prefix(dot + 1);
  }
}

/// Takes a number such as "16u8" off the text.
bool KernelAccess::parseNumber(std::string_view &text, Number &out) {
  const char *end = text.data() + text.size();
  auto [type, error] = std::from_chars(text.data(), end, out.offset);
  if (error != std::errc() || end - type < 2 ||
      (*type != 'u' && *type != 's') || (type[1] != '4' && type[1] != '8'))
    return false;
  out.isSigned = *type == 's';
  out.bytes = uint32_t(type[1] - '0');
  text.remove_prefix(size_t(type + 2 - text.data()));
  return true;
}

/// Adds elements such as "0.0:4@32u8+24u8".
bool KernelAccess::insertElements(std::vector<Node> &nodes,
                                  std::string_view line) {
  size_t colon = line.find(':');
  if (colon == std::string_view::npos)
    return false;
  std::string_view text = line.substr(colon + 1);
  Elements elements;
  const char *end = text.data() + text.size();
  auto [rest, error] = std::from_chars(text.data(), end, elements.size);
  if (error != std::errc() || !elements.size || elements.size > MaxElement)
    return false;
  text.remove_prefix(size_t(rest - text.data()));
  for (auto [mark, number] :
       {std::pair{'@', &elements.count}, {'+', &elements.first}})
    if (text.starts_with(mark)) {
      text.remove_prefix(1);
      if (!parseNumber(text, *number))
        return false;
    }
  size_t node;
  if (!text.empty() || !insertPath(nodes, line.substr(0, colon), node))
    return false;
  nodes[node].elements = elements;
  return true;
}

/// Adds a line such as "0.*.16+:rw".
bool KernelAccess::insert(std::vector<Node> &nodes, std::string_view line) {
  size_t colon = line.find(':');
  if (colon == std::string_view::npos)
    return false;
  std::string_view path = line.substr(0, colon), how = line.substr(colon + 1);
  if (how != "r" && how != "w" && how != "rw")
    return false;
  bool below = path.ends_with('+');
  if (below)
    path.remove_suffix(1);
  size_t node;
  if (!insertPath(nodes, path, node))
    return false;
  if (below && !nodes[node].below) {
    size_t all = nodes.size();
    nodes.emplace_back().below = all;
    nodes[node].below = all;
  }
  for (size_t named : {node, nodes[node].below}) {
    if (named != node && !below)
      break;
    nodes[named].use.read |= how.front() == 'r';
    nodes[named].use.write |= how.back() == 'w';
  }
  return true;
}

bool KernelAccess::parse(std::string_view text, std::string_view overwrites) {
  if (text.size() > MaxText || overwrites.size() > MaxText)
    return false;
  std::vector<Node> nodes(1);
  if (text == "none")
    return determine(nodes);
  for (bool more = true; more;) {
    size_t comma = text.find(',');
    if (!insert(nodes, text.substr(0, comma)))
      return false;
    more = comma != std::string_view::npos;
    if (more)
      text.remove_prefix(comma + 1);
  }
  while (!overwrites.empty()) {
    size_t comma = std::min(overwrites.find(','), overwrites.size());
    if (!insertElements(nodes, overwrites.substr(0, comma)))
      return false;
    overwrites.remove_prefix(std::min(comma + 1, overwrites.size()));
  }
  return determine(nodes);
}

bool KernelAccess::determine(const std::vector<Node> &nodes) {
  using Set = std::vector<size_t>;
  std::map<Set, State> known;
  std::vector<const Set *> sets;
  auto stateOf = [&](Set set) {
    std::sort(set.begin(), set.end());
    set.erase(std::unique(set.begin(), set.end()), set.end());
    auto [at, isNew] =
        known.try_emplace(std::move(set), static_cast<State>(sets.size()));
    if (isNew)
      sets.push_back(&at->first);
    return at->second;
  };
  stateOf({0});
  for (size_t i = 0; i != sets.size(); ++i) {
    if (sets.size() > MaxStates)
      return false;
    const Set &set = *sets[i];
    StateData state;
    Set others;
    std::set<int64_t> offsets;
    for (size_t index : set) {
      const Node &node = nodes[index];
      state.use.read |= node.use.read;
      state.use.write |= node.use.write;
      if (node.elements.size)
        state.elements = node.elements;
      if (node.below)
        others.push_back(node.below);
      if (node.any)
        others.push_back(node.any);
      for (const auto &child : node.children)
        offsets.insert(child.first);
    }
    for (int64_t offset : offsets) {
      Set next = others;
      for (size_t index : set)
        if (auto child = nodes[index].children.find(offset);
            child != nodes[index].children.end())
          next.push_back(child->second);
      state.next.emplace_back(offset, stateOf(std::move(next)));
    }
    state.other = stateOf(std::move(others));
    state.ends = set.empty();
    states.push_back(std::move(state));
  }
  return true;
}

bool KernelAccess::Number::read(const char *kernarg, size_t size,
                                uint64_t &out) const {
  if (offset > size || bytes > size - offset)
    return false;
  if (bytes == 8) {
    memcpy(&out, kernarg + offset, 8);
    if (isSigned && int64_t(out) < 0)
      out = 0;
    return true;
  }
  uint32_t narrow;
  memcpy(&narrow, kernarg + offset, 4);
  out = isSigned && int32_t(narrow) < 0 ? 0 : narrow;
  return true;
}

KernelAccess::Part KernelAccess::overwritten(State at, const char *kernarg,
                                             size_t size,
                                             uint64_t threads) const {
  const Elements &e = states[at].elements;
  // No grid has more threads, so positions cannot overflow.
  if (!e.size || threads > INT32_MAX)
    return {};
  uint64_t count = threads, first = 0;
  if (e.count.bytes) {
    if (!e.count.read(kernarg, size, count))
      return {};
    count = std::min(count, threads);
  }
  if (e.first.bytes &&
      (!e.first.read(kernarg, size, first) || first > MaxNumber))
    return {};
  return {e.size * first, e.size * (first + count)};
}

KernelAccess::State KernelAccess::step(State at, int64_t offset) const {
  const StateData &state = states[at];
  auto found = std::lower_bound(
      state.next.begin(), state.next.end(), offset,
      [](const auto &entry, int64_t value) { return entry.first < value; });
  return found != state.next.end() && found->first == offset ? found->second
                                                             : state.other;
}

std::vector<KernelAccess::State> KernelAccess::steps(State at, int64_t first,
                                                     int64_t last) const {
  std::vector<State> found{states[at].other};
  for (const auto &[offset, next] : states[at].next)
    if (offset >= first && offset < last)
      found.push_back(next);
  return found;
}

KernelAccess::Use
KernelAccess::operator()(std::initializer_list<int64_t> path) const {
  State at = Block;
  for (int64_t offset : path)
    at = step(at, offset);
  return states[at].use;
}

bool KernelAccess::names(int64_t offset) const {
  const auto &next = states[Block].next;
  return std::any_of(next.begin(), next.end(),
                     [&](const auto &entry) { return entry.first == offset; });
}

} // namespace xcc::rt
