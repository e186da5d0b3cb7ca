// std::locale on a GPU
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C locale, which is the only named one, and locales that a program makes
// from it with its own facets.
//
// The C locale's table of facets is empty at first. A facet is found by its
// class's id. _M_id() fills the facet's place in the table, and the empty
// places in the tables of locales that were made before.

#include "streams.h"

#include <cstring>

using namespace xcc::streams;

namespace std {
namespace {
locale::category categories[Slots]; ///< the category of each known facet
bool installed[Slots];              ///< whether the facet is in all tables

using Table = const locale::facet **;

/// A list of the tables of facets of locales made from the C locale. When such
/// a table is no longer used, its entry is reused for another one.
struct DerivedTable {
  DerivedTable *next;
  Table table;
};
DerivedTable *made;

/// The number of threads that are storing facets into tables of that list.
int fillers;

template <class T> T *load(T *const &from) {
  return __atomic_load_n(&from, __ATOMIC_ACQUIRE);
}

void putOnList(Table table) {
  for (DerivedTable *at = load(made); at; at = at->next) {
    Table none = nullptr;
    if (__atomic_compare_exchange_n(&at->table, &none, table, false,
                                    __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
      return;
  }
  DerivedTable *entry = new DerivedTable{load(made), table};
  while (!__atomic_compare_exchange_n(&made, &entry->next, entry, true,
                                      __ATOMIC_RELEASE, __ATOMIC_RELAXED))
    ;
}

/// Takes a table off the list and frees it. The table is lost if a thread that
/// found it earlier may still store into it: to wait for that thread could
/// deadlock, because it may be a lane of the same warp.
void freeTable(Table table) {
  for (DerivedTable *at = load(made); at; at = at->next)
    if (load(at->table) == table)
      __atomic_store_n(&at->table, nullptr, __ATOMIC_RELEASE);
  // Pairs with the fence in install(): either this thread sees the filler, or
  // the filler sees that the table is no longer on the list.
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  if (!__atomic_load_n(&fillers, __ATOMIC_ACQUIRE))
    delete[] table;
}

/// Stores a facet unless there is one.
void fill(Table table, size_t slot, const locale::facet *facet) {
  const locale::facet *none = nullptr;
  facet->_M_add_reference();
  if (!__atomic_compare_exchange_n(&table[slot], &none, facet, false,
                                   __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
    facet->_M_remove_reference();
}

/// Puts a table on the list and stores the C locale's facets in it.
void remember(Table table) {
  putOnList(table);
  // Pairs with the fence in install(): either that thread sees the table, or
  // this one sees the facet.
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  for (size_t i = 0; i < Slots; ++i)
    if (const locale::facet *known = load(classicFacets[i]))
      if (!load(table[i]))
        fill(table, i, known);
}

void install(const KnownFacet &known) {
  const auto *facet = static_cast<const locale::facet *>(known.facet);
  // Threads that get here at the same time write the same values.
  __atomic_store_n(&categories[known.slot], known.category, __ATOMIC_RELAXED);
  __atomic_store_n(&classicCaches[known.slot],
                   static_cast<const locale::facet *>(known.cache),
                   __ATOMIC_RELAXED);
  __atomic_store_n(&classicFacets[known.slot], facet, __ATOMIC_RELEASE);
  __atomic_fetch_add(&fillers, 1, __ATOMIC_RELAXED);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  for (DerivedTable *at = load(made); at; at = at->next)
    if (Table table = load(at->table))
      fill(table, known.slot, facet);
  __atomic_fetch_sub(&fillers, 1, __ATOMIC_RELEASE);
  __atomic_store_n(&installed[known.slot], true, __ATOMIC_RELEASE);
}

bool isClassic(const char *name) {
  return !*name || !strcmp(name, "C") || !strcmp(name, "POSIX");
}

void checkName(const char *name) {
  if (!name)
    __throw_runtime_error("locale::locale null not valid");
  if (!isClassic(name))
    __throw_runtime_error("locale::facet::_S_create_c_locale name not valid");
}
} // namespace

// Numbers given to ids start above 0 and stay small, so no number equals the
// address of a KnownFacet.
_Atomic_word locale::id::_S_refcount;

size_t locale::id::_M_id() const throw() {
  constexpr size_t most = 1 << 20; ///< limit of the program's facet classes
  if (_M_index > most) {
    const auto &known = *reinterpret_cast<const KnownFacet *>(_M_index);
    if (!__atomic_load_n(&installed[known.slot], __ATOMIC_ACQUIRE))
      install(known);
    return known.slot;
  }
  size_t index = __atomic_load_n(&_M_index, __ATOMIC_RELAXED);
  if (!index) {
    size_t next =
        1 + size_t(__atomic_fetch_add(&_S_refcount, 1, __ATOMIC_RELAXED));
    if (__atomic_compare_exchange_n(&_M_index, &index, next, false,
                                    __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      index = next;
  }
  return Slots + index - 1;
}

locale::facet::~facet() {}
__c_locale locale::facet::_S_get_c_locale() { return nullptr; }
const char *locale::facet::_S_get_c_name() throw() { return "C"; }
__c_locale locale::facet::_S_clone_c_locale(__c_locale &) throw() {
  return nullptr;
}
void locale::facet::_S_create_c_locale(__c_locale &to, const char *name,
                                       __c_locale) {
  checkName(name);
  to = nullptr;
}
void locale::facet::_S_destroy_c_locale(__c_locale &) {}

locale::_Impl::_Impl(const _Impl &other, size_t refs)
    : _M_refcount(_Atomic_word(refs)),
      _M_facets(new const facet *[other._M_facets_size]()),
      _M_facets_size(other._M_facets_size),
      _M_caches(new const facet *[other._M_facets_size]()),
      _M_names(new char *[2]()) {
  if (const char *name = other._M_names[0]) {
    _M_names[0] = new char[strlen(name) + 1];
    strcpy(_M_names[0], name);
  }
  // The other locale may have facets of its own, which come first.
  for (size_t i = 0; i < _M_facets_size; ++i)
    if (const facet *its = load(other._M_facets[i]))
      fill(_M_facets, i, its);
  remember(_M_facets);
}

locale::_Impl::~_Impl() throw() {
  for (size_t i = 0; i < _M_facets_size; ++i) {
    if (_M_facets[i])
      _M_facets[i]->_M_remove_reference();
    if (_M_caches[i])
      _M_caches[i]->_M_remove_reference();
  }
  freeTable(_M_facets);
  delete[] _M_caches;
  delete[] _M_names[0];
  delete[] _M_names;
}

void locale::_Impl::_M_install_facet(const locale::id *id, const facet *own) {
  if (!own)
    return;
  size_t index = id->_M_id();
  if (index >= _M_facets_size) {
    size_t size = index + 4;
    auto **facets = new const facet *[size]();
    auto **caches = new const facet *[size]();
    for (size_t i = 0; i < _M_facets_size; ++i) {
      facets[i] = load(_M_facets[i]);
      caches[i] = _M_caches[i];
    }
    // A facet may have been stored into the old table after it was copied.
    remember(facets);
    freeTable(_M_facets);
    _M_facets = facets;
    delete[] _M_caches;
    _M_caches = caches;
    _M_facets_size = size;
  }
  own->_M_add_reference();
  if (const facet *before = _M_facets[index])
    before->_M_remove_reference();
  _M_facets[index] = own;
  // Caches may depend on this facet too, so drop them all.
  for (size_t i = 0; i < _M_facets_size; ++i)
    if (const facet *cache = _M_caches[i]) {
      cache->_M_remove_reference();
      _M_caches[i] = nullptr;
    }
}

void locale::_Impl::_M_install_cache(const facet *cache, size_t index) {
  cache->_M_add_reference();
  const facet *none = nullptr;
  if (!__atomic_compare_exchange_n(&_M_caches[index], &none, cache, false,
                                   __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
    cache->_M_remove_reference();
}

void locale::_Impl::_M_replace_facet(const _Impl *from, const locale::id *id) {
  size_t index = id->_M_id();
  if (index >= from->_M_facets_size || !from->_M_facets[index])
    __throw_runtime_error("locale::_Impl::_M_replace_facet");
  _M_install_facet(id, from->_M_facets[index]);
}

/// Takes the facets of the categories from another locale. An empty place of \p
/// from stands for the C locale's facet.
void locale::_Impl::_M_replace_categories(const _Impl *from,
                                          category replaced) {
  for (size_t i = 0; i < Slots; ++i) {
    const facet *known = load(classicFacets[i]);
    if (!known || !(categories[i] & replaced))
      continue;
    const facet *its = load(from->_M_facets[i]);
    const facet *before = _M_facets[i];
    its = its ? its : known;
    its->_M_add_reference();
    _M_facets[i] = its;
    if (before)
      before->_M_remove_reference();
    if (const facet *cache = _M_caches[i]) {
      cache->_M_remove_reference();
      _M_caches[i] = nullptr;
    }
  }
}

void locale::_S_initialize() {}

locale::locale(_Impl *impl) throw() : _M_impl(impl) {}
locale::locale() throw() : _M_impl(_S_global) {
  if (_M_impl != _S_classic)
    _M_impl->_M_add_reference();
}
locale::locale(const locale &other) throw() : _M_impl(other._M_impl) {
  if (_M_impl != _S_classic)
    _M_impl->_M_add_reference();
}
locale::locale(const char *name) : _M_impl(_S_classic) { checkName(name); }
locale::locale(const locale &base, const char *name, category all)
    : locale(base, (checkName(name), classic()), all) {}
locale::locale(const locale &base, const locale &add, category all)
    : _M_impl(new _Impl(*base._M_impl, 1)) {
  _M_impl->_M_replace_categories(add._M_impl, all);
  if (!add._M_impl->_M_names[0]) {
    delete[] _M_impl->_M_names[0];
    _M_impl->_M_names[0] = nullptr;
  }
}
locale::~locale() throw() {
  if (_M_impl != _S_classic)
    _M_impl->_M_remove_reference();
}
const locale &locale::operator=(const locale &other) throw() {
  if (other._M_impl != _S_classic)
    other._M_impl->_M_add_reference();
  if (_M_impl != _S_classic)
    _M_impl->_M_remove_reference();
  _M_impl = other._M_impl;
  return *this;
}

string locale::name() const {
  const char *name = _M_impl->_M_names[0];
  return name ? name : "*";
}
bool locale::operator==(const locale &other) const throw() {
  if (_M_impl == other._M_impl)
    return true;
  const char *a = _M_impl->_M_names[0], *b = other._M_impl->_M_names[0];
  return a && b && !strcmp(a, b);
}

const locale &locale::classic() {
  // A locale is one pointer; this one is never destroyed.
  return reinterpret_cast<const locale &>(_S_classic);
}
static_assert(sizeof(locale) == sizeof(locale::_Impl *));

locale locale::global(const locale &next) {
  if (next._M_impl != _S_classic)
    next._M_impl->_M_add_reference();
  return locale(
      __atomic_exchange_n(&_S_global, next._M_impl, __ATOMIC_ACQ_REL));
}

} // namespace std
