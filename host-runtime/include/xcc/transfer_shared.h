// Which memory shared_ptr and weak_ptr share
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An owner of libstdc++ has two addresses, for mapper (transfer.h): the object's,
// and that of a control block with two counts. The object lies in the control
// block (make_shared), or the block has its address (new). Which it is only the
// block's class says, by its virtual table. Counts are those of the device while
// the block is mapped, and come home with it.

#ifndef XCC_TRANSFER_SHARED_H
#define XCC_TRANSFER_SHARED_H

// GCC knows none of Clang's attributes, and would say so at each.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC system_header
#endif

#include <xcc/runtime.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <typeinfo>

namespace std {
/// Only its name is used: in that, Type is written as in the names of the
/// library's control blocks, which are templates of the same namespace.
template <class Type> struct __xcc_shared;
} // namespace std

namespace xcc::detail {

template <class Type, class = void> inline constexpr bool is_shareable = false;
template <class Type>
inline constexpr bool is_shareable<Type, std::void_t<decltype(sizeof(Type))>> =
    true;

/// The begin of every control block.
struct shared_block {
  const void *const *table;
  int users, watchers;
};

/// Is the block's class called \p before, a Type, \p behind?
template <class Type>
bool is_block_of(const shared_block &block, const char *before,
                 const char *behind) {
#ifdef __GXX_RTTI
  const auto *is = static_cast<const std::type_info *>(block.table[-1]);
  const char *name = is ? is->name() : "",
             *type = typeid(std::__xcc_shared<Type> *).name();
  for (; *before; ++before, ++name)
    if (*before != *name)
      return false;
  // PSt12__xcc_sharedI, the type, E.
  for (type += sizeof("PSt12__xcc_sharedI") - 1; type[1]; ++type, ++name)
    if (*type != *name)
      return false;
  for (; *behind && *behind == *name; ++behind)
    ++name;
  return *behind == *name;
#else
  (void)block, (void)before, (void)behind;
  return false;
#endif
}

template <class Mapper> struct shared_owners {
  Mapper &mapper_;

  /// Of a shared_ptr or weak_ptr.
  template <class Owner> void owner(Owner &object) {
    using Object = typename std::remove_cv_t<Owner>::element_type;
    const auto *words = static_cast<void *const *>(static_cast<const void *>(
        __builtin_addressof(const_cast<std::remove_cv_t<Owner> &>(object))));
    auto *at = static_cast<shared_block *>(words[1]);
    if constexpr (sizeof(Owner) != 2 * sizeof(void *) ||
                  std::is_array_v<Object> || !is_shareable<Object>)
      refuse("shares an object of a type that xcc cannot map");
    else if (mapper_.unsure_)
      mapper_.unknown_count();
    else if (at)
      block<Object>(at);
    // Where there is no block it refers to an object that is another's.
    xcc_mapping_address(mapper_.mapping_, words,
                        at ? XCC_ADDRESS_REFERENCE : XCC_ADDRESS_POINTER);
    xcc_mapping_address(mapper_.mapping_, words + 1, XCC_ADDRESS_REFERENCE);
  }

private:
  void refuse(const char *why) { xcc_mapping_refuse(mapper_.mapping_, why); }

  template <class Type> struct in_block : shared_block {
    alignas(std::remove_cv_t<Type>) unsigned char object[sizeof(Type)];
  };
  struct to_object : shared_block {
    void *object;
  };

  template <class Object> void block(shared_block *at) {
    using Bare = std::remove_cv_t<Object>;
    // When a kernel has changed it, the address may be the device's.
    const shared_block *known = mapper_.at_home(at);
    if (!known)
      return made();
    static constexpr char Behind[] = "LN9__gnu_cxx12_Lock_policyE2EE",
                          InBlock[] = "SaIvELN9__gnu_cxx12_Lock_policyE2EE";
    auto is = [&](const char *before, const char *behind) {
      return is_block_of<Bare>(*known, before, behind) ||
             is_block_of<const Bare>(*known, before, behind);
    };
    if (is("St23_Sp_counted_ptr_inplaceI", InBlock))
      inside<Object>(static_cast<in_block<Object> *>(at));
    else if (is("St15_Sp_counted_ptrIP", Behind))
      beside<Object>(static_cast<to_object *>(at));
    else
      refuse("shares an object that neither std::make_shared nor new of the "
             "same type has made (or the unit is compiled with -fno-rtti): "
             "xcc cannot tell what belongs to it");
  }

  void made() {
    refuse("shares an object that a kernel has made: its functions are the "
           "device's; make it on the host, or give it a std::unique_ptr");
  }

  /// Visits what a block of the host's has, for the runtime: mapped owners may all
  /// have gone, while the host has others.
  template <class Object, class Block>
  static void visit_block(xcc_mapping *mapping, void *first, std::uint64_t) {
    Mapper home(mapping);
    home.home_ = home.inside_ = true;
    shared_owners{home}.template contents<Object>(*static_cast<Block *>(first));
  }

  /// Where the host has it, when it was not named before.
  template <class Object, class Block> Block *named(Block *at) {
    using Owned =
        std::conditional_t<std::is_same_v<Block, to_object>, void *, Object>;
    mapper_.template next_is_owned<Owned>(XCC_MAP_UNMADE);
    const bool fresh =
        xcc_mapping_objects(mapper_.mapping_, at, sizeof(Block), sizeof(Block),
                            mapper_.template flags<char>() | XCC_MAP_IN |
                                XCC_MAP_OBJECTS | XCC_MAP_SINGLE | XCC_MAP_PART,
                            &visit_block<Object, Block>);
    return fresh ? mapper_.at_home(at) : nullptr;
  }

  /// std::make_shared: one allocation.
  template <class Object> void inside(in_block<Object> *at) {
    if (auto *here = named<Object>(at))
      contents<Object>(*here);
  }
  template <class Object> void contents(in_block<Object> &here) {
    if (here.users)
      mapper_.inside([&] {
        mapper_.part(*static_cast<Object *>(static_cast<void *>(here.object)));
      });
  }

  /// std::shared_ptr<Object>(new Object).
  template <class Object> void beside(to_object *at) {
    if (auto *here = named<Object>(at))
      contents<Object>(*here);
  }
  template <class Object> void contents(to_object &here) {
    if (here.users)
      mapper_.inside([&] {
        mapper_.template next_is_owned<Object>();
        mapper_.whole(*static_cast<Object *>(here.object));
        mapper_.owned_ = 0;
      });
    xcc_mapping_address(mapper_.mapping_, &here.object, XCC_ADDRESS_REFERENCE);
  }
};

} // namespace xcc::detail
#endif // XCC_TRANSFER_SHARED_H
