// Templates whose instantiations are in another file, elsewhere.cpp.
#pragma once
template <class T> struct Elsewhere {
  static T table[4];
  static const T fixed;
  static constexpr T literal = 7;
  static inline T counter = 8;
  static const char *const name;
  static T (*const steps[2])(T);
  static const Elsewhere first, second;
  struct Nested {
    static T deep;
  };
  static T get(int i) { return table[i & 3]; }
  static T next(T x) { return x + fixed; }
  static T twice(T x) { return 2 * x; }
  T both() const;
  virtual T made() const { return counter; }
  virtual ~Elsewhere() = default;
  constexpr Elsewhere(const Elsewhere *other) : other(other) {}
  const Elsewhere *other;
};
template <class T> T Elsewhere<T>::table[4] = {1, 2, 3, 4};
template <class T> const T Elsewhere<T>::fixed = 5;
template <class T> const char *const Elsewhere<T>::name = "name";
template <class T> T (*const Elsewhere<T>::steps[2])(T) = {next, twice};
template <class T> constinit const Elsewhere<T> Elsewhere<T>::first{&second};
template <class T> constinit const Elsewhere<T> Elsewhere<T>::second{&first};
template <class T> T Elsewhere<T>::Nested::deep = 6;
template <class T> T Elsewhere<T>::both() const { return table[1] + fixed; }
template <class T> T variable = T(12);

extern template struct Elsewhere<int>;
extern template struct Elsewhere<double>;
extern template int variable<int>;
