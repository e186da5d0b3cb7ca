// Which memory the node containers of the standard library own
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lists, trees, hash tables and deques of libstdc++, for mapper (transfer.h). Each
// node is an allocation of its own. A node is read where the host has it: when a
// kernel has changed the container, addresses in it may be the device's.

#ifndef XCC_TRANSFER_NODES_H
#define XCC_TRANSFER_NODES_H

// GCC knows none of Clang's attributes, and would say so at each.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC system_header
#endif

#include <xcc/runtime.h>
#include <xcc/visit_members.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace xcc::detail {

/// Does a type's name begin so?
template <class Type> constexpr bool is_named(const char *wanted) {
  const char *name = __PRETTY_FUNCTION__;
  while (*name && *name != '[')
    ++name;
  for (const char *prefix = "[Type = "; *prefix && *prefix == *name; ++prefix)
    ++name;
  while (*wanted && *wanted == *name)
    ++wanted, ++name;
  return !*wanted;
}

#define XCC_LOOKS(trait, ...)                                                  \
  template <class Type, class = void> inline constexpr bool trait = false;     \
  template <class Type>                                                        \
  inline constexpr bool trait<Type, std::void_t<__VA_ARGS__>> = true;
XCC_LOOKS(looks_like_linked_list,
          decltype(std::declval<Type &>().end()._M_node->_M_prev),
          decltype(std::declval<Type &>().size()))
XCC_LOOKS(looks_like_forward_list,
          decltype(std::declval<Type &>().before_begin()._M_node->_M_next))
XCC_LOOKS(looks_like_tree,
          decltype(std::declval<Type &>().end()._M_node->_M_left),
          decltype(std::declval<Type &>().size()))
XCC_LOOKS(looks_like_deque, decltype(std::declval<Type &>().begin()._M_first),
          decltype(std::declval<Type &>().begin()._M_node),
          typename Type::value_type)
XCC_LOOKS(looks_like_hash_node, decltype(std::declval<Type &>()._M_nxt))
#undef XCC_LOOKS

template <class Mapper> struct node_containers {
  Mapper &mapper_;

  template <class Type> void linked_list(Type &object) {
    using Node = typename std::remove_cv_t<Type>::iterator::_Node;
    auto &end = *const_cast<std::remove_cv_t<Type> &>(object).end()._M_node;
    // The last leads to where the first is.
    std::size_t left = object.size();
    address(&end._M_next);
    address(&end._M_prev);
    if (left)
      chain<Type, Node>(end._M_next, [&](Node &here) {
        auto *next = --left ? here._M_next : nullptr;
        address(&here._M_next);
        address(&here._M_prev);
        return next;
      });
  }

  template <class Type> void forward_list(Type &object) {
    using Node = typename std::remove_cv_t<Type>::iterator::_Node;
    auto &end =
        *const_cast<std::remove_cv_t<Type> &>(object).before_begin()._M_node;
    address(&end._M_next);
    chain<Type, Node>(end._M_next, [&](Node &here) {
      address(&here._M_next);
      return here._M_next;
    });
  }

  /// Maps and sets.
  template <class Type> void tree(Type &object) {
    using Node = std::remove_pointer_t<
        typename std::remove_cv_t<Type>::iterator::_Link_type>;
    auto &end = *const_cast<std::remove_cv_t<Type> &>(object).end()._M_node;
    auto links = [&](auto &here) {
      address(&here._M_parent);
      address(&here._M_left);
      address(&here._M_right);
    };
    auto *root = end._M_parent;
    comparison(object);
    links(end);
    if (!object.size() || !root)
      return;
    walk<Type, Node>(root, links);
  }

  template <class Type> void hash_table(Type &object) {
    using Table = std::remove_cv_t<Type>;
    auto *self = const_cast<Table *>(__builtin_addressof(object));
    visit_members(*self, [&](auto member, auto &&shown) {
      hash_member<Type>(*self, member.name, shown);
    });
  }

  template <class Type> void deque(Type &object) {
    auto *self =
        const_cast<std::remove_cv_t<Type> *>(__builtin_addressof(object));
    visit_members(*self, [&](auto, auto &&base) { deque_base<Type>(base); });
  }

private:
  static constexpr bool same(const char *one, const char *other) {
    while (*one && *one == *other)
      ++one, ++other;
    return *one == *other;
  }

  /// What a tree compares its keys with.
  template <class Type> void comparison(Type &object) {
    visit_members(object, [&](auto, auto &&shown) {
      using Shown = std::remove_cv_t<std::remove_reference_t<decltype(shown)>>;
      if constexpr (is_named<Shown>("std::_Rb_tree_key_compare<"))
        functions(shown);
      else if constexpr (is_named<Shown>("std::_Rb_tree<"))
        comparison(shown);
    });
  }

  /// Function objects of a container, which may refer to something. Those without
  /// members are bases of its parts.
  template <class Base> void functions(Base &base) {
    visit_members(base, [&](auto member, auto &&shown) {
      using Shown = std::remove_cv_t<std::remove_reference_t<decltype(shown)>>;
      if constexpr (std::is_class_v<Shown> && !std::is_empty_v<Shown>) {
        if constexpr (std::is_same_v<decltype(member), base_member>)
          functions(shown);
        else
          mapper_.part(shown);
      }
    });
  }

  template <class Address> void address(Address *location) {
    xcc_mapping_address(mapper_.mapping_, location, XCC_ADDRESS_REFERENCE);
  }

  /// Names a node of a container. Where the host has it; null: it was named
  /// before, and so was what follows it.
  template <class Type, class Node> Node *node(Node *at) {
    using Value = std::remove_reference_t<decltype(*at->_M_valptr())>;
    using Shown = std::conditional_t<std::is_const_v<Type>, const Value, Value>;
    if (mapper_.unsure_) {
      mapper_.unknown_count();
      return nullptr;
    }
    mapper_.template next_is_containers<std::remove_cv_t<Type>, Node>();
    return xcc_mapping_objects(mapper_.mapping_, at, sizeof(Node), sizeof(Node),
                               mapper_.template flags<Shown>() | XCC_MAP_IN |
                                   XCC_MAP_OBJECTS | XCC_MAP_SINGLE |
                                   XCC_MAP_PART,
                               &Mapper::template visit_nothing<Node>)
               ? mapper_.at_home(at)
               : nullptr;
  }

  /// What a node that is the host's has in it.
  template <class Type, class Node> void element(Node &here) {
    using Value = std::remove_reference_t<decltype(*here._M_valptr())>;
    using Shown = std::conditional_t<std::is_const_v<Type>, const Value, Value>;
    mapper_.inside(
        [&] { mapper_.part(static_cast<Shown &>(*here._M_valptr())); });
  }

  /// Nodes that each lead to the next. \p links names the addresses of one.
  template <class Type, class Node, class Base, class Links>
  void chain(Base *first, const Links &links) {
    for (Base *at = first; at;) {
      Node *here = node<Type>(static_cast<Node *>(at));
      if (!here)
        return;
      at = links(*here);
      element<Type>(*here);
    }
  }

  template <class Type, class Node, class Base, class Links>
  void walk(Base *root, const Links &links) {
    // Nodes that are still to be named; not on the stack, which may be small.
    std::size_t room = 0, count = 0;
    Base **list = nullptr;
    auto push = [&](Base *at) {
      if (!at)
        return;
      if (count == room) {
        auto *more = new Base *[room = 2 * room + 16];
        for (std::size_t place = 0; place != count; ++place)
          more[place] = list[place];
        delete[] list;
        list = more;
      }
      list[count++] = at;
    };
    push(root);
    while (count) {
      Base *at = list[--count];
      Node *here = node<Type>(static_cast<Node *>(at));
      if (!here)
        continue;
      links(*here);
      push(here->_M_right);
      push(here->_M_left);
      element<Type>(*here);
    }
    delete[] list;
  }

  template <class Type, class Table, class Shown>
  void hash_member(Table &table, const char *name, Shown &shown) {
    using Node = std::remove_pointer_t<decltype(table.begin()._M_cur)>;
    using Member = std::remove_cv_t<Shown>;
    if constexpr (std::is_pointer_v<Member>) {
      if (same(name, "_M_buckets")) {
        if (mapper_.home_)
          xcc_mapping_within(mapper_.mapping_, &shown, &table, sizeof(Table));
        const std::size_t count = table.bucket_count();
        const auto *own = reinterpret_cast<const char *>(&table);
        const auto *at = reinterpret_cast<const char *>(shown);
        const bool inside = at >= own && at < own + sizeof(Table);
        if (!inside) {
          mapper_.template next_is_containers<Table,
                                              std::remove_pointer_t<Member>>();
          mapper_.range(shown, count);
          mapper_.owned_ = 0;
        }
        address(&shown);
      } else if (same(name, "_M_single_bucket")) {
        address(&shown);
      }
    } else if constexpr (is_named<Member>("std::__detail::_Hashtable_base<")) {
      functions(shown);
    } else if constexpr (looks_like_hash_node<Member>) {
      if (same(name, "_M_before_begin")) {
        address(&shown._M_nxt);
        chain<Type, Node>(shown._M_nxt, [&](Node &here) {
          address(&here._M_nxt);
          return here._M_nxt;
        });
      }
    }
  }

  /// The base that has a deque's addresses.
  template <class Type, class Base> void deque_base(Base &base) {
    if constexpr (std::is_class_v<Base>)
      visit_members(base, [&](auto member, auto &&shown) {
        if (same(member.name, "_M_impl"))
          deque_blocks<Type>(shown);
      });
  }

  template <class Type, class Impl> void deque_blocks(Impl &impl) {
    using Deque = std::remove_cv_t<Type>;
    using Element = typename Deque::value_type;
    using Shown =
        std::conditional_t<std::is_const_v<Type>, const Element, Element>;
    const std::size_t each = sizeof(Element) < 512 ? 512 / sizeof(Element) : 1;
    auto &start = impl._M_start;
    auto &finish = impl._M_finish;
    auto **map = impl._M_map;
    if (!map)
      return;
    const std::size_t first = std::size_t(start._M_node - map),
                      last = std::size_t(finish._M_node - map),
                      begin = std::size_t(start._M_cur - start._M_first),
                      end = std::size_t(finish._M_cur - finish._M_first);
    mapper_.template next_is_containers<Deque, Element *>();
    xcc_mapping_range(mapper_.mapping_, map, impl._M_map_size * sizeof(*map),
                      impl._M_map_size * sizeof(*map),
                      XCC_MAP_IN | XCC_MAP_OUT |
                          std::exchange(mapper_.owned_, 0));
    auto **here = mapper_.at_home(map);
    for (std::size_t block = first; block <= last; ++block) {
      Element *at = here[block];
      const std::size_t from = block == first ? begin : 0,
                        to = block == last ? end : each;
      mapper_.template next_is_containers<Deque, Element>();
      const bool more = xcc_mapping_objects(
          mapper_.mapping_, at, each * sizeof(Element), each * sizeof(Element),
          mapper_.template flags<Shown>() | XCC_MAP_IN | XCC_MAP_OBJECTS |
              XCC_MAP_PART,
          &Mapper::template visit_nothing<Element>);
      if constexpr (Mapper::template visits<Element>())
        if (more)
          mapper_.inside([&] {
            mapper_.elements(static_cast<Shown *>(mapper_.at_home(at)), from,
                             to);
          });
      address(&here[block]);
    }
    address(&impl._M_map);
    for (auto *side : {&start, &finish}) {
      Element *old = side->_M_first;
      address(&side->_M_first);
      address(&side->_M_node);
      if (mapper_.home_) {
        side->_M_cur = side->_M_first + (side->_M_cur - old);
        side->_M_last = side->_M_first + each;
      } else {
        address(&side->_M_cur);
        xcc_mapping_address(mapper_.mapping_, &side->_M_last,
                            XCC_ADDRESS_POINTER | XCC_ADDRESS_END);
      }
    }
  }
};

} // namespace xcc::detail
#endif // XCC_TRANSFER_NODES_H
