// What offered.cpp, which marks nothing, has for kernels of other files.
#pragma once

namespace offered {
int twice(int);
template <class T> T half(T); // instantiated there
extern const int table[4];
extern int counter;
extern const char *const names[2];

struct Shape {
  static const int made;
  int width;
  explicit Shape(int width);
  virtual ~Shape();
  virtual int area() const;
};
struct Square : Shape { // whose virtual table is here
  using Shape::Shape;
  int area() const override { return Shape::area() + 1; }
};
Shape *second(Shape *, Shape *);

template <class T> struct Box {
  T value;
  T get() const;
  static T spare;
};
extern template struct Box<int>;
int (*chosen(int i))(int);

int uses_longjmp(int);
int host_only(int);
} // namespace offered
