// A kernel that casts an object to a class derived from the one by which the
// launch maps it is named, with the cast and what to write instead.
// RUN: %xcc -std=c++20 -fsyntax-only %s 2>&1 | count 0
// RUN: %xcc -std=c++20 -fsyntax-only -offload-arch=sm_90 -Wno-offload-mapping -DRIGHT %s 2>&1 | count 0
// RUN: %not %xcc -std=c++20 -fsyntax-only -offload-arch=host,gfx90a %s 2>&1 | FileCheck %s
// RUN: %not %xcc -std=c++20 -fsyntax-only -offload-arch=gfx90a -Werror -DRIGHT %s 2>&1 \
// RUN:   | FileCheck --check-prefix=ERROR %s
// ERROR: error: capture 'this' is mapped as an object of type 'Animal'
#include <xcc/xcc.h>

#include <future>
#include <future>

struct Animal {
  int legs;
  void count();
};
struct Dog : Animal {
  int barks;
};
void Animal::count() {
  // CHECK: downcasts.cpp:[[#@LINE+4]]:23: warning: capture 'this' is mapped as an object of type 'Animal', and the kernel casts one to the derived class 'Dog': the rest of it is not on a device with memory of its own [-Woffload-mapping]
  // CHECK: downcasts.cpp:[[#@LINE+4]]:12: note: it is cast here
  // CHECK: downcasts.cpp:[[#@LINE+2]]:24: note: captured here; capture the whole object, as in [&self = static_cast<Dog &>(*this)]
  // clang-format off
  xcc::launch({1, 1}, [this] {
    legs = static_cast<Dog *>(this)->barks;
  });
  // clang-format on
  xcc::synchronize();
}
int barksOf(const Animal &animal) { return ((const Dog &)animal).barks; }
void bark(const Animal &animal, int *out) { *out = barksOf(animal); }
using Act = void (Animal::*)();
struct Cat : Animal {
  void meow() { ++lives; }
  int lives;
};
template <class T> struct Part {};
struct Whole : Part<int> {
  int n;
};
void castDown(Animal &animal, const Animal &fixed, Dog &dog, int *out,
              std::unique_ptr<Animal> &owner, Part<int> &part) {
  // CHECK: warning: capture 'animal' is mapped as an object of type 'Animal'
  // CHECK: note: captured here; capture the whole object, as in [&animal = static_cast<Dog &>(animal)]
  xcc::launch({1, 1}, [&] { reinterpret_cast<Dog &>(animal).barks = 1; });
  // CHECK: warning: capture 'fixed' is mapped as an object
  // CHECK: note: captured here; capture the whole object, as in [&fixed = static_cast<const Dog &>(fixed)]
  xcc::launch({1, 1}, [&fixed, out] { *out = barksOf(fixed); });
  // CHECK: warning: parameter 'animal' is mapped as an object of type 'Animal'
  // CHECK: note: declared here; make it a reference to the whole object, a 'const Dog'
  xcc::launch({1, 1}, bark, dog, out);
  // CHECK: warning: capture 'owner' -> element is mapped as an object of type 'Animal'
  xcc::parallel_for(1, [&owner, out](std::size_t) { *out = barksOf(*owner); });
  // CHECK: warning: capture 'animal' is mapped as an object of type 'Animal', {{.*}} the derived class 'Cat'
  xcc::launch({1, 1}, [&animal] { (animal.*static_cast<Act>(&Cat::meow))(); });
  // CHECK: warning: capture 'part' is mapped as an object of type 'Part<int>'
  xcc::launch({1, 1}, [&part] {
    void *any = &part;
    static_cast<Whole *>(static_cast<void *>(&part))->n = any != nullptr;
  });
  // CHECK-NOT: is mapped as an object
  xcc::launch({1, 1}, [&dog, out] { *out = barksOf(dog); });
  xcc::launch({1, 1}, [&animal] { animal.legs = 3; });
  xcc::launch({1, 1}, [&fixed = static_cast<const Dog &>(fixed), out] {
    *out = barksOf(fixed);
  });
}

// What is mapped for a kernel that casts is checked as the derived class.
template <class D> struct Mixin {
  int n = 0;
  void add() {
    xcc::launch({1, 1}, [this] { ++n; });
  }
  void all() {
    // CHECK: error: capture 'this' -> member 'names' of type 'std::shared_future<int>' cannot be mapped
    xcc::launch({1, 1}, [this] { n = static_cast<D *>(this)->own; });
  }
};
struct Mixed : Mixin<Mixed> {
  int own = 0;
  std::shared_future<int> names;
};
void mixins(Mixed &mixed) {
  mixed.add();
#ifndef RIGHT
  mixed.all();
#endif
}
