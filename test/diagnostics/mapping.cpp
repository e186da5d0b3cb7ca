// What cannot be brought to a device with memory of its own is named when the launch
// is compiled for one, with how the kernel reaches it and what to write instead.
// RUN: %xcc -Wno-offload-lifetime -Wno-offload-race -std=c++20 -fsyntax-only -Wno-offload-host-code %s 2>&1 | count 0
// RUN: %not %xcc -Wno-offload-lifetime -Wno-offload-race -std=c++20 -fsyntax-only -ferror-limit=0 -Wno-offload-host-code -offload-arch=host,gfx90a %s 2>&1 \
// RUN:   | %FileCheck %s
// RUN: %xcc -Wno-offload-lifetime -Wno-offload-race -std=c++20 -fsyntax-only -Wno-offload-host-code -Wno-error=offload-mapping -offload-arch=sm_90 %s 2>&1 \
// RUN:   | %FileCheck %s --check-prefix=WARNING
// RUN: %xcc -Wno-offload-lifetime -Wno-offload-race -std=c++20 -fsyntax-only -Wno-offload-host-code -Wno-offload-mapping -offload-arch=sm_90 %s 2>&1 \
// RUN:   | count 0
#include <xcc/xcc.h>

#include <array>
#include <cstdio>
#include <future>
#include <fstream>
#include <functional>
#include <map>
#include <future>
#include <any>
#include <future>
#include <mutex>
#include <optional>
#include <queue>
#include <set>
#include <pthread.h>
#include <sstream>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_set>
#include <variant>
#include <vector>

struct Job {
  int n;
  std::function<void()> callback;
};
struct Batch {
  std::vector<std::pair<int, Job>> jobs;
};
struct Node {
  int value;
  Node *next;
};
struct Child;
struct Parent {
  std::vector<Child> children;
};
struct Child {
  Parent *parent;
};
struct Shape {
  virtual double area() const;
};
struct VirtualBase : virtual Node {};
union Either {
  int number;
  int *address;
};
struct Locked : private Job {
  std::mutex lock;
};
struct Posix {
  pthread_mutex_t lock;
};
struct Files {
  std::FILE *log;
};
struct Callbacks {
  int (*table[4])(int);
};
struct Unknown;
struct Method {
  void (Shape::*call)();
};

struct Tree {
  Node *root;
};
struct Traited {
  Traited *next;
  std::shared_future<int> list;
};
template <> struct xcc::transfer<Traited> {
  template <class M, class T> static void map(M &, T &) {}
};
template <class T> struct Mine {
  Mine *next;
};
template <class T> struct xcc::transfer<Mine<T>> {
  template <class M, class U> static void map(M &, U &) {}
};

void kernel(const Batch &batch, std::string &text, Node *) {}

void refused(Job &job, Batch &batch, Unknown &unknown, int (&open)[]) {
  // CHECK: mapping.cpp:[[#@LINE+2]]:23: error: capture 'job' -> member 'callback' of type 'std::function<void ()>' cannot be mapped to a device with memory of its own: functions have other addresses there [-Woffload-mapping]
  // WARNING: mapping.cpp:[[#@LINE+1]]:23: warning: capture 'job' -> member 'callback' of type 'std::function<void ()>'
  xcc::launch({1, 1}, [&job] { (void)job.n; });
  // CHECK: mapping.cpp:36:25: note: declared here; call the function by its name in the kernel, or make it a template argument
  // CHECK: mapping.cpp:[[#@LINE+1]]:23: error: parameter 'batch' -> member 'jobs' -> element -> part 1 -> member 'callback' of type 'std::function<void ()>'
  xcc::launch({1, 1}, kernel, batch, *new std::string, nullptr);
  // CHECK: mapping.cpp:[[#@LINE+1]]:24: error: capture 'batch' -> member 'jobs' -> element -> part 1 -> member 'callback' of type
  xcc::parallel_for(3, [&batch](std::size_t) { (void)batch; });
  Node node{};
  // CHECK: error: capture 'node' -> member 'next' of type 'Node *' cannot be mapped to a device with memory of its own: it leads back to the object that contains it
  // CHECK: note: declared here; specialise xcc::transfer for the class to say what its pointers refer to, or keep such objects in a std::vector and refer to them by number
  xcc::launch({1, 1}, [&] { node.value = 1; });
  Parent parent;
  // CHECK: error: capture 'parent' -> member 'children' -> element -> member 'parent' of type 'Parent *' cannot be mapped
  xcc::launch({1, 1}, [&] { (void)parent; });
  std::vector<std::unique_ptr<Shape>> shapes;
  // CHECK: error: capture 'shapes' -> element -> element of type 'Shape' cannot be mapped to a device with memory of its own: it has virtual functions, and an object that the host made calls the host's functions
  // CHECK: note: declared here; make the object in the kernel, or use a std::variant
  xcc::launch({1, 1}, [&] { (void)shapes; });
  VirtualBase base;
  // CHECK: error: capture 'base' of type 'VirtualBase' cannot be mapped to a device with memory of its own: it has virtual bases
  xcc::launch({1, 1}, [&] { (void)base; });
  Either either;
  // CHECK: error: capture 'either' of type 'Either' cannot be mapped to a device with memory of its own: only the program knows which of its members is active
  xcc::launch({1, 1}, [&] { (void)either; });
  Locked *locked = nullptr;
  // CHECK: error: capture 'it' -> base 'Job' -> member 'callback' of type
  xcc::launch({1, 1}, [&it = *locked] { (void)it; });
  std::mutex mutex;
  // CHECK: error: capture 'mutex' of type 'std::mutex' cannot be mapped to a device with memory of its own: it is a lock of the host's threads
  xcc::launch({1, 1}, [&] { (void)mutex; });
  std::optional<Posix> posix;
  // CHECK: error: capture 'posix' -> part 0 -> member 'lock' of type 'pthread_mutex_t' cannot be mapped
  xcc::launch({1, 1}, [&] { (void)posix; });
  Files files{};
  // CHECK: error: capture 'files' -> member 'log' of type 'std::FILE *' cannot be mapped to a device with memory of its own: it is an open file of the host's
  xcc::launch({1, 1}, [&] { (void)files; });
  std::ostringstream stream;
  // CHECK: error: capture 'stream' of type 'std::ostringstream' cannot be mapped
  xcc::launch({1, 1}, [&] { (void)stream; });
  Callbacks callbacks{};
  // CHECK: error: capture 'callbacks' -> member 'table' of type 'int (*[4])(int)' cannot be mapped to a device with memory of its own: functions have other addresses there
  xcc::launch({1, 1}, [&] { (void)callbacks; });
  Method method{};
  // CHECK: error: capture 'method' -> member 'call' of type 'void (Shape::*)()' cannot be mapped
  xcc::launch({1, 1}, [&] { (void)method; });
  std::shared_future<int> list;
  // CHECK: error: capture 'list' of type 'std::shared_future<int>' cannot be mapped to a device with memory of its own: nothing says what memory belongs to it
  // CHECK: note: declared here; pass its elements in a std::vector or a std::span, or specialise xcc::transfer for it
  xcc::launch({1, 1}, [&] { (void)list; });
  std::future<long> map;
  // CHECK: error: capture 'map' of type 'std::future<long>' cannot be mapped
  xcc::launch({1, 1}, [&] { (void)map; });
  std::tuple<int, std::shared_future<int>> shared;
  // CHECK: error: capture 'shared' -> part 1 of type 'std::shared_future<int>' cannot be mapped
  xcc::launch({1, 1}, [&] { (void)shared; });
  // CHECK: error: capture 'unknown' of type 'Unknown' cannot be mapped to a device with memory of its own: its class is not defined here
  xcc::launch({1, 1}, [&] { (void)unknown; });
  // CHECK: error: capture 'open' of type 'int[]' cannot be mapped to a device with memory of its own: nothing says how many elements it has
  xcc::launch({1, 1}, [&] { open[0] = 1; });
  std::unordered_set<const int *> byHash;
  // CHECK: error: capture 'byHash' of type 'std::unordered_set<const int *>' cannot be mapped to a device with memory of its own: its order depends on addresses, which differ there: nothing would be found
  // CHECK: note: declared here; use numbers of elements as keys, or compare what the keys point to
  xcc::launch({1, 1}, [&] { (void)byHash; });
  std::map<std::pair<int, std::shared_ptr<int>>, int> byOrder;
  // CHECK: error: capture 'byOrder' of type 'std::map<std::pair<int, std::shared_ptr<int>>, int>' cannot be mapped
  xcc::launch({1, 1}, [&] { (void)byOrder; });
  std::priority_queue<std::vector<int>::iterator> first;
  // CHECK: error: capture 'first' of type {{.*}} cannot be mapped to a device with memory of its own: its order depends on addresses
  xcc::launch({1, 1}, [&] { (void)first; });
  auto inner = [&list] { (void)list; };
  // CHECK: error: capture 'inner' -> capture 'list' of type 'std::shared_future<int>' cannot be mapped
  xcc::launch({1, 1}, [inner] { (void)inner; });
  // CHECK: error: capture 'inner' -> capture 'list' of type 'std::shared_future<int>' cannot be mapped
  xcc::launch({1, 1}, [&inner] { (void)inner; });
}

// Each problem of a launch is said, and each class's once.
struct Several {
  std::array<std::future<int>, 2> rows;
  std::optional<std::future<long>> index;
  std::tuple<int, std::shared_future<int>> shared;
  std::variant<int, std::function<void()>> either;
  std::mutex locks[2];
  std::ifstream file;
  std::vector<Shape> shapes;
  Posix first, second;
  Node *list;
};
void several(Several &it, std::future<int> &queue) {
  // CHECK: error: capture 'it' -> member 'rows' -> part 0 of type 'std::future<int>' cannot be mapped
  // CHECK: error: capture 'it' -> member 'index' -> part 0 of type 'std::future<long>' cannot be mapped
  // CHECK: error: capture 'it' -> member 'shared' -> part 1 of type 'std::shared_future<int>' cannot be mapped
  // CHECK: error: capture 'it' -> member 'either' -> part 1 of type 'std::function<void ()>' cannot be mapped
  // CHECK: error: capture 'it' -> member 'locks' of type 'std::mutex[2]' cannot be mapped
  // CHECK: error: capture 'it' -> member 'file' of type 'std::ifstream' cannot be mapped
  // CHECK: error: capture 'it' -> member 'shapes' -> element of type 'Shape' cannot be mapped
  // CHECK: error: capture 'it' -> member 'first' -> member 'lock' of type 'pthread_mutex_t' cannot be mapped
  // CHECK-NOT: error: capture 'it'
  // CHECK: error: capture 'queue' of type 'std::future<int>' cannot be mapped
  xcc::launch({1, 1}, [&] { (void)it, (void)queue; });
}

struct Application {
  std::vector<float> x;
  std::any windows;
  void run() {
    // CHECK: error: capture 'this' -> member 'windows' of type 'std::any' cannot be mapped
    xcc::parallel_for(x.size(), [this](std::size_t i) { x[i] = 1; });
  }
};
struct Widget {
  virtual void draw();
  std::vector<float> x;
  void run() {
    // CHECK: error: capture 'this' of type 'Widget' cannot be mapped to a device with memory of its own: it has virtual functions
    // CHECK: note: declared here; capture the members that the kernel uses, as in [&x = x]
    xcc::launch({1, 1}, [this] { x[0] = 1; });
    xcc::launch({1, 1}, [&x = x] { x[0] = 1; });
  }
};

// Nothing is said of these.
struct World {
  std::vector<std::vector<std::string>> names;
  std::unique_ptr<float[]> field;
  std::optional<std::vector<int>> chosen;
  std::variant<int, std::string> either;
  std::tuple<int, std::pair<char, std::string>> tuple;
  std::array<std::vector<int>, 3> rows;
  std::vector<World> inside;
  std::vector<bool> flags;
  std::reference_wrapper<int> to;
  int *plain;
  Tree tree;
  union {
    int number;
    float bits;
  };
};
struct ByTarget {
  bool operator()(const int *a, const int *b) const { return *a < *b; }
};
void ordered(std::set<int *, ByTarget> &set, std::map<std::string_view, int *> &map) {
  xcc::launch({1, 1}, [&] { (void)set, (void)map; });
}
void accepted(World &world, Traited &traited, Mine<int> &mine, Node *head,
              std::vector<int>::iterator from) {
  int local = 0;
  Tree tree{head};
  xcc::launch({1, 1}, [&] {
    (void)world;
    (void)traited;
    (void)mine;
    (void)head;
    (void)from;
    ++local;
  });
  xcc::launch({1, 1}, [=] { (void)head->next, (void)tree, (void)from; });
  std::shared_future<int> list;
  (void)xcc::kernel_info_for([&list] { (void)list; });
}

template <class T> void instantiated(T value) {
  // CHECK: mapping.cpp:[[#@LINE+1]]:23: error: capture 'value' of type 'std::shared_future<char>' cannot be mapped
  xcc::launch({1, 1}, [&] { (void)value; });
}
void instantiate() { instantiated(std::shared_future<char>()); }
// CHECK: {{[0-9]+}} errors generated.
