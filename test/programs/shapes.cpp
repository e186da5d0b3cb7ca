// Virtual functions, virtual bases, pointers to members, run-time types
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %compare %s --devices host,sm_90,gfx1100 --levels=-O2
#include <cstdio>
#include <memory>
#include <typeinfo>
#include <vector>

struct Named {
  const char *name;
  explicit Named(const char *name) : name(name) { std::printf("+%s\n", name); }
  virtual ~Named() { std::printf("-%s\n", name); }
};
struct Shape : virtual Named {
  Shape() : Named("shape") {}
  virtual double area() const = 0;
  virtual void grow(double by) = 0;
};
struct Solid : virtual Named {
  int colour;
  explicit Solid(int colour) : Named("solid"), colour(colour) {}
};
struct Square final : Shape, Solid {
  double side;
  Square(double side, int colour) : Named("square"), Solid(colour), side(side) {}
  double area() const override { return side * side; }
  void grow(double by) override { side += by; }
};
struct Disc : Shape {
  double radius;
  explicit Disc(double radius) : Named("disc"), radius(radius) {}
  double area() const override { return 3 * radius * radius; }
  void grow(double by) override { radius *= by; }
};
static Square global(2, 7);

int main() {
  std::vector<std::unique_ptr<Shape>> shapes;
  shapes.push_back(std::make_unique<Square>(3, 5));
  shapes.push_back(std::make_unique<Disc>(2));
  void (Shape::*grow)(double) = &Shape::grow;
  for (auto &shape : shapes) {
    (shape.get()->*grow)(2);
    auto *solid = dynamic_cast<Solid *>(shape.get());
    std::printf("%s %.2f %d %d\n", shape->name, shape->area(), solid ? solid->colour : -1, typeid(*shape) == typeid(Disc));
  }
  int Solid::*colour = &Solid::colour;
  global.*colour += 1;
  std::printf("%d\n", static_cast<Solid &>(global).colour);
  return int(global.area());
}
