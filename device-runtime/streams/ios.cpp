// std::ios_base on a GPU
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state of all streams: flags, the words that programs store in them,
// callbacks, and the exception of a stream that must not fail.

#include "streams.h"

#include <cstring>
#include <ios>
#include <istream>

namespace std {

ios_base::ios_base() throw()
    : _M_precision(), _M_width(), _M_flags(), _M_exception(),
      _M_streambuf_state(), _M_callbacks(nullptr),
      _M_word_size(_S_local_word_size), _M_word(_M_local_word) {}

ios_base::~ios_base() {
  _M_call_callbacks(erase_event);
  _M_dispose_callbacks();
  if (_M_word != _M_local_word)
    delete[] _M_word;
}

/// The initial state of a stream, with the locale that is global now.
void ios_base::_M_init() throw() {
  _M_precision = 6;
  _M_width = 0;
  _M_flags = skipws | dec;
  _M_ios_locale = locale();
}

int ios_base::xalloc() throw() {
  static int last; // the first four belong to libstdc++
  return __atomic_fetch_add(&last, 1, __ATOMIC_RELAXED) + 4;
}

ios_base::_Words &ios_base::_M_grow_words(int index, bool isNumber) {
  const size_t most = size_t(-1) / 2 / sizeof(_Words);
  if (index < 0 || size_t(index) >= most) {
    _M_streambuf_state |= badbit;
    if (_M_streambuf_state & _M_exception)
      __throw_ios_failure("ios_base::_M_grow_words is not valid");
    (isNumber ? _M_word_zero._M_iword = 0
              : (_M_word_zero._M_pword = nullptr, 0));
    return _M_word_zero;
  }
  if (index < _M_word_size)
    return _M_word[index];
  auto *words = new _Words[size_t(index) + 1];
  for (int i = 0; i < _M_word_size; ++i)
    words[i] = _M_word[i];
  if (_M_word != _M_local_word)
    delete[] _M_word;
  _M_word = words;
  _M_word_size = index + 1;
  return words[index];
}

void ios_base::register_callback(event_callback call, int index) {
  _M_callbacks = new _Callback_list(call, index, _M_callbacks);
}
void ios_base::_M_call_callbacks(event what) throw() {
  for (_Callback_list *at = _M_callbacks; at; at = at->_M_next)
    at->_M_fn(what, *this, at->_M_index);
}
/// Deletes the callbacks, except those that another stream shares (copyfmt).
void ios_base::_M_dispose_callbacks() throw() {
  _Callback_list *at = _M_callbacks;
  while (at && at->_M_remove_reference() == 0) {
    _Callback_list *next = at->_M_next;
    delete at;
    at = next;
  }
  _M_callbacks = nullptr;
}

locale ios_base::imbue(const locale &to) throw() {
  locale before = _M_ios_locale;
  _M_ios_locale = to;
  _M_call_callbacks(imbue_event);
  return before;
}

/// Leaves the other stream in its initial state.
void ios_base::_M_move(ios_base &other) noexcept {
  _M_precision = other._M_precision;
  _M_width = other._M_width;
  _M_flags = other._M_flags;
  _M_exception = other._M_exception;
  _M_streambuf_state = other._M_streambuf_state;
  _M_callbacks = other._M_callbacks;
  other._M_callbacks = nullptr;
  if (_M_word != _M_local_word)
    delete[] _M_word;
  if (other._M_word == other._M_local_word) {
    _M_word = _M_local_word;
    _M_word_size = _S_local_word_size;
    for (int i = 0; i < _S_local_word_size; ++i) {
      _M_local_word[i] = other._M_local_word[i];
      other._M_local_word[i] = _Words();
    }
  } else {
    _M_word = other._M_word;
    _M_word_size = other._M_word_size;
    other._M_word = other._M_local_word;
    other._M_word_size = _S_local_word_size;
  }
  _M_ios_locale = other._M_ios_locale;
}

void ios_base::_M_swap(ios_base &other) noexcept {
  swap(_M_precision, other._M_precision);
  swap(_M_width, other._M_width);
  swap(_M_flags, other._M_flags);
  swap(_M_exception, other._M_exception);
  swap(_M_streambuf_state, other._M_streambuf_state);
  swap(_M_callbacks, other._M_callbacks);
  swap(_M_local_word, other._M_local_word);
  swap(_M_word, other._M_word);
  swap(_M_word_size, other._M_word_size);
  // A pointer to words inside a stream must point into its own stream.
  if (_M_word == other._M_local_word)
    _M_word = _M_local_word;
  if (other._M_word == _M_local_word)
    other._M_word = other._M_local_word;
  locale between = _M_ios_locale;
  _M_ios_locale = other._M_ios_locale;
  other._M_ios_locale = between;
}

namespace {
[[noreturn]] void failed(const char *what) {
  char text[160] = "std::ios_base::failure: ";
  strncat(text, what, 100);
  __xcc_trap(2, strcat(text, ": iostream error"), nullptr, 0); // an exception
}
} // namespace

void __throw_ios_failure(const char *what) { failed(what); }
void __throw_ios_failure(const char *what, int) { failed(what); }

ios_base::failure::~failure() {}
const char *ios_base::failure::what() const noexcept {
  return runtime_error::what();
}

} // namespace std
