// Graphs, trees, strings and tables of them.
// RUN: %everywhere
#include "Inputs/check.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

/// Adjacency lists, with what belongs to vertices and edges.
struct Graph {
  struct Edge {
    std::size_t to;
    int weight;
  };
  struct Vertex {
    std::string name;
    std::vector<Edge> edges;
    int distance = 1 << 20;
  };
  std::vector<Vertex> vertices;

  std::size_t size() const { return vertices.size(); }
  bool relax(std::size_t i) {
    bool changed = false;
    // Edges go both ways, so that each vertex only writes its own.
    for (const Edge &e : vertices[i].edges)
      if (int d = vertices[e.to].distance + e.weight;
          d < vertices[i].distance) {
        vertices[i].distance = d;
        changed = true;
      }
    return changed;
  }
};

static Graph ring(std::size_t n) {
  Graph g;
  for (std::size_t i = 0; i < n; ++i)
    g.vertices.push_back(
        {"vertex number " + std::to_string(i) + " of the ring", {}});
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t next = (i + 1) % n;
    g.vertices[i].edges.push_back({next, int(i % 3 + 1)});
    g.vertices[next].edges.push_back({i, int(i % 3 + 1)});
  }
  return g;
}

static void shortestPaths() {
  Graph g = ring(20), host = ring(20);
  g.vertices[3].distance = host.vertices[3].distance = 0;
  for (int turn = 0; turn < 20; ++turn) {
    int changed = 0;
    xcc::launch({{1}, {1}}, [&] {
      for (std::size_t i = 0; i < g.size(); ++i)
        changed += g.relax(i);
    });
    int hostChanged = 0;
    for (std::size_t i = 0; i < host.size(); ++i)
      hostChanged += host.relax(i);
    xcc::synchronize();
    CHECK(changed == hostChanged);
    if (!changed)
      break;
  }
  for (std::size_t i = 0; i < g.size(); ++i) {
    CHECK(g.vertices[i].distance == host.vertices[i].distance);
    CHECK(g.vertices[i].name == host.vertices[i].name);
  }
}

static void breadthFirst() {
  std::vector<std::vector<int>> neighbours(15);
  for (int i = 0; i < 15; ++i)
    for (int j : {2 * i + 1, 2 * i + 2})
      if (j < 15)
        neighbours[std::size_t(i)].push_back(j);
  std::vector<int> level(15, -1), frontier{0};
  level[0] = 0;
  for (int depth = 1; !frontier.empty(); ++depth) {
    std::vector<int> next(frontier.size() * 2, -1);
    xcc::parallel_for(frontier.size(), [&](std::size_t i) {
      std::size_t k = 2 * i;
      for (int to : neighbours[std::size_t(frontier[i])])
        if (level[std::size_t(to)] < 0) {
          level[std::size_t(to)] = depth;
          next[k++] = to;
        }
    });
    xcc::synchronize();
    std::erase(next, -1);
    frontier = std::move(next);
  }
  CHECK(level[14] == 3 && level[2] == 1 && level[7] == 3);
}

/// A tokeniser: words of a text as views into it.
static void tokens() {
  const std::string text =
      "the quick  brown fox jumps over the lazy dog and more";
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = std::min(text.find(' ', at), text.size());
    if (end != at)
      words.push_back(std::string_view(text).substr(at, end - at));
    at = end + 1;
  }
  struct Found {
    std::size_t length = 0;
    bool repeated = false;
    std::string_view word;
  };
  std::vector<Found> found(words.size());
  xcc::parallel_for(words.size(), [&](std::size_t i) {
    found[i].length = words[i].size();
    for (std::size_t j = 0; j < words.size(); ++j)
      found[i].repeated |= i != j && words[i] == words[j];
    found[i].word = words[words.size() - 1 - i];
  });
  xcc::synchronize();
  for (std::size_t i = 0; i < words.size(); ++i) {
    CHECK(found[i].length == words[i].size());
    CHECK(found[i].repeated == (words[i] == "the"));
    CHECK(found[i].word == words[words.size() - 1 - i]);
    CHECK(found[i].word.data() == words[words.size() - 1 - i].data());
  }
}

/// Views with no mapped owner: each names its range, and they touch.
static void viewsOfPieces() {
  std::string text = "abcdefghijklmnopqrstuvwxyz0123456789-and-some-more";
  std::vector<std::string_view> pieces;
  for (std::size_t at = 0; at + 5 <= text.size(); at += 5)
    pieces.push_back(std::string_view(text).substr(at, 5));
  std::vector<int> sums(pieces.size());
  xcc::parallel_for(pieces.size(), [&](std::size_t i) {
    for (char c : pieces[i])
      sums[i] += c;
  });
  std::vector<std::span<char>> parts;
  for (std::size_t at = 0; at + 7 <= text.size(); at += 7)
    parts.push_back(std::span(text).subspan(at, 7));
  xcc::synchronize();
  for (std::size_t i = 0; i < sums.size(); ++i) {
    int sum = 0;
    for (char c : pieces[i])
      sum += c;
    CHECK(sums[i] == sum);
  }
  const std::string before = text;
  xcc::parallel_for(parts.size(), [parts = std::span(parts)](std::size_t i) {
    std::reverse(parts[i].begin(), parts[i].end());
  });
  xcc::synchronize();
  for (std::size_t at = 0; at + 7 <= text.size(); at += 7)
    CHECK(text.substr(at, 7) ==
          std::string(before.rend() - long(at) - 7, before.rend() - long(at)));
}

static void upperCase() {
  std::vector<std::string> lines{
      "short", "", "a line that is longer than what fits", "x",
      "yet another line, of a length that needs the heap"};
  auto expected = lines;
  for (auto &l : expected)
    for (char &c : l)
      c = c >= 'a' && c <= 'z' ? char(c - 32) : c;
  xcc::parallel_for(lines.size(), [&](std::size_t i) {
    for (char &c : lines[i])
      if (c >= 'a' && c <= 'z')
        c = char(c - 32);
  });
  xcc::synchronize();
  CHECK(lines == expected);
  lines[1] += "it can still grow on the host, by more than it had room for";
  lines.push_back("so can the vector");
}

/// A sum type of shapes.
struct Circle {
  double radius;
};
struct Polygon {
  std::vector<std::pair<double, double>> corners;
};
struct Group;
using Shape =
    std::variant<std::monostate, Circle, Polygon, std::unique_ptr<Group>>;
struct Group {
  std::string name;
  std::vector<Shape> shapes;
};

static double area(const Shape &shape) {
  if (auto *c = std::get_if<Circle>(&shape))
    return 3 * c->radius * c->radius;
  if (auto *p = std::get_if<Polygon>(&shape)) {
    double sum = 0;
    for (std::size_t i = 0; i < p->corners.size(); ++i) {
      auto [x, y] = p->corners[i];
      auto [u, v] = p->corners[(i + 1) % p->corners.size()];
      sum += x * v - u * y;
    }
    return sum / 2;
  }
  if (auto *g = std::get_if<std::unique_ptr<Group>>(&shape)) {
    double sum = 0;
    for (const Shape &s : (*g)->shapes)
      sum += area(s);
    return sum;
  }
  return 0;
}

static void shapes() {
  std::vector<Shape> all;
  all.emplace_back(Circle{2});
  all.emplace_back(Polygon{{{0, 0}, {2, 0}, {2, 3}, {0, 3}}});
  all.emplace_back();
  auto group = std::make_unique<Group>();
  group->name = "a group with a name of some length";
  group->shapes.emplace_back(Circle{1});
  group->shapes.emplace_back(Polygon{{{0, 0}, {4, 0}, {0, 4}}});
  all.emplace_back(std::move(group));
  std::vector<double> areas(all.size());
  xcc::parallel_for(all.size(),
                    [&](std::size_t i) { areas[i] = area(all[i]); });
  xcc::synchronize();
  for (std::size_t i = 0; i < all.size(); ++i)
    CHECK(areas[i] == area(all[i]));
  CHECK(areas[3] == 11);
}

/// Optional and tuples, mixed.
struct Person {
  std::string name;
  std::optional<std::string> nick;
  std::tuple<int, std::vector<int>, std::optional<double>> record;
  std::pair<std::optional<std::vector<std::string>>, int> friends;
};
static void people() {
  std::vector<Person> all(3);
  all[0] = {
      "Ann",
      "a nickname of more than sixteen characters",
      {1, {1, 2}, 2.5},
      {std::vector<std::string>{"Bob", "somebody whose name is long"}, 1}};
  all[1] = {"Bob", std::nullopt, {2, {}, std::nullopt}, {std::nullopt, 2}};
  all[2] = {"Somebody with a longer name",
            "S",
            {3, {5}, 1},
            {std::vector<std::string>{}, 3}};
  auto count = [](const Person &p) {
    std::size_t sum = p.name.size();
    if (p.nick)
      sum += 100 * p.nick->size();
    auto &[number, list, weight] = p.record;
    sum += std::size_t(number) + list.size() + std::size_t(weight.value_or(7));
    if (p.friends.first)
      for (auto &f : *p.friends.first)
        sum += f.size() * 1000;
    return sum;
  };
  std::vector<std::size_t> sums(3);
  xcc::parallel_for(3, [&](std::size_t i) {
    sums[i] = count(all[i]);
    if (std::get<2>(all[i].record))
      *std::get<2>(all[i].record) += 1;
    all[i].friends.second *= 10;
    if (all[i].nick && all[i].nick->size() == 1)
      all[i].nick.reset();
  });
  xcc::synchronize();
  CHECK(sums[1] == count(all[1]));
  CHECK(sums[0] == 3 + 4200 + 1 + 2 + 2 + 3000 + 27000);
  CHECK(*std::get<2>(all[0].record) == 3.5 && !std::get<2>(all[1].record));
  CHECK(all[2].friends.second == 30 && !all[2].nick);
  all[2].nick = "again";
}

/// A binary tree of unique_ptr.
template <class T> struct TreeNode {
  T value;
  std::unique_ptr<TreeNode> left, right;
};
template <class T> class SearchTree {
public:
  void insert(T v) {
    auto *at = &root;
    while (*at)
      at = v < (*at)->value ? &(*at)->left : &(*at)->right;
    *at = std::make_unique<TreeNode<T>>(
        TreeNode<T>{std::move(v), nullptr, nullptr});
  }
  bool contains(const T &v) const {
    const TreeNode<T> *n = root.get();
    while (n && !(n->value == v))
      n = v < n->value ? n->left.get() : n->right.get();
    return n;
  }
  T *least() {
    TreeNode<T> *n = root.get();
    while (n && n->left)
      n = n->left.get();
    return n ? &n->value : nullptr;
  }

private:
  std::unique_ptr<TreeNode<T>> root;
};
static void searchTrees() {
  SearchTree<int> numbers, none;
  SearchTree<std::string> words;
  for (int v : {50, 20, 70, 10, 30, 60, 80, 5})
    numbers.insert(v);
  for (const char *w : {"middle of the alphabet", "a word", "zebra",
                        "never mind the length of this"})
    words.insert(w);
  const std::string wanted = "never mind the length of this";
  std::vector<int> found(100);
  bool both[2] = {};
  xcc::parallel_for(100, [&](std::size_t i) {
    found[i] = numbers.contains(int(i)) + none.contains(int(i));
    if (i == 7) {
      both[0] = words.contains(wanted);
      (*words.least())[0] = 'A';
    }
  });
  xcc::synchronize();
  for (int i = 0; i < 100; ++i)
    CHECK(found[std::size_t(i)] == numbers.contains(i));
  CHECK(both[0] && !both[1] && words.contains("A word"));
}

/// An index into rows of a table, by key.
struct Table {
  std::vector<std::pair<std::string, std::vector<double>>> columns;
  const std::vector<double> *column(std::string_view name) const {
    for (auto &[n, values] : columns)
      if (n == name)
        return &values;
    return nullptr;
  }
};
static void table() {
  Table t{{{"price", {1, 2, 3}},
           {"amount", {10, 20, 30}},
           {"a column with a long name", {}}}};
  std::vector<double> total(3);
  bool missing = false;
  xcc::parallel_for(3, [&](std::size_t i) {
    total[i] = (*t.column("price"))[i] * (*t.column("amount"))[i];
    if (!i)
      missing = !t.column("nothing") &&
                t.column("a column with a long name")->empty();
  });
  xcc::synchronize();
  CHECK(total == std::vector<double>({10, 40, 90}) && missing);
}

int main() {
  shortestPaths();
  breadthFirst();
  tokens();
  viewsOfPieces();
  upperCase();
  shapes();
  people();
  searchTrees();
  table();
}
