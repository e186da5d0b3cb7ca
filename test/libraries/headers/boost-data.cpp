// Boost.CircularBuffer, CRC, DynamicBitset, Heap, ICL, Intrusive, Lockfree, MultiArray, MultiIndex, Rational, SmartPtr, Sort, StaticString, Unordered, Variant, Variant2 in a kernel
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Inputs/both.h"
#include <boost/circular_buffer.hpp>
#include <boost/crc.hpp>
#include <boost/dynamic_bitset.hpp>
#include <boost/heap/fibonacci_heap.hpp>
#include <boost/icl/interval_map.hpp>
#include <boost/intrusive/list.hpp>
#include <boost/intrusive/set.hpp>
#include <boost/lockfree/queue.hpp>
#include <boost/multi_array.hpp>
#include <boost/multi_index/hashed_index.hpp>
#include <boost/multi_index/identity.hpp>
#include <boost/multi_index/ordered_index.hpp>
#include <boost/multi_index_container.hpp>
#include <boost/rational.hpp>
#include <boost/smart_ptr.hpp>
#include <boost/sort/spreadsort/integer_sort.hpp>
#include <boost/static_string.hpp>
#include <boost/unordered_map.hpp>
#include <boost/uuid/detail/sha1.hpp>
#include <boost/variant.hpp>
#include <boost/variant2/variant.hpp>
namespace bi = boost::intrusive;
struct node : bi::list_base_hook<>, bi::set_base_hook<> {
  int v;
  node(int v = 0) : v(v) {}
  bool operator<(const node &o) const { return v < o.v; }
};
int main() {
  both("containers", std::vector<int>(32, 3), [](int *p) {
    boost::circular_buffer<int> c(5);
    for (int i = 0; i < 8; ++i)
      c.push_back(i);
    p[0] = c.front() * 10 + c.back();
    boost::crc_32_type crc;
    crc.process_bytes("123456789", 9);
    p[1] = (int)crc.checksum();
    boost::dynamic_bitset<> b(100);
    b.set(5).set(77);
    p[2] = (int)b.find_next(5) + (int)b.count();
    boost::heap::fibonacci_heap<int> h;
    for (int i = 0; i < 20; ++i)
      h.push(i * 7 % 13);
    h.pop();
    p[3] = h.top();
    boost::multi_array<int, 2> m(boost::extents[3][4]);
    m[2][1] = 9;
    p[5] = m[2][1] + (int)m.num_elements();
    boost::unordered_map<int, int> u;
    for (int i = 0; i < 90; ++i)
      u[i * i % 31] += i;
    p[6] = u[4] + (int)u.size();
    boost::rational<int> r(3, 4);
    r += boost::rational<int>(5, 6);
    p[7] = r.numerator() * 100 + r.denominator();
    boost::shared_ptr<int> s = boost::make_shared<int>(4);
    boost::weak_ptr<int> w = s;
    p[8] = *w.lock() + (int)s.use_count();
  });
  both("more", std::vector<int>(32, 3), [](int *p) {
    boost::icl::interval_map<int, int> i;
    i += std::make_pair(boost::icl::interval<int>::right_open(1, 5), 2);
    i += std::make_pair(boost::icl::interval<int>::right_open(3, 8), 3);
    p[0] = i(4) + (int)i.iterative_size();
    node n[5] = {4, 2, 8, 1, 9};
    bi::list<node> l;
    bi::set<node> s;
    for (node &x : n) {
      l.push_front(x);
      s.insert(x);
    }
    p[1] = l.front().v * 10 + s.begin()->v;
    s.clear();
    l.clear();
    boost::multi_index_container<
        int,
        boost::multi_index::indexed_by<boost::multi_index::ordered_unique<
                                           boost::multi_index::identity<int>>,
                                       boost::multi_index::hashed_unique<
                                           boost::multi_index::identity<int>>>>
        mi;
    for (int k = 0; k < 30; ++k)
      mi.insert(k * 11 % 17);
    p[2] = *mi.begin() + (int)mi.get<1>().count(5) + (int)mi.size();
    int a[20];
    for (int k = 0; k < 20; ++k)
      a[k] = k * 7919 % 101;
    boost::sort::spreadsort::integer_sort(a, a + 20);
    p[3] = a[7];
    boost::static_string<32> t("hello");
    t += " you";
    p[4] = (int)t.size() + t[6];
    boost::variant2::variant<int, double> v2(2.5);
    p[6] = boost::variant2::visit([](auto x) { return int(x * 2); }, v2);
    boost::uuids::detail::sha1 sh;
    sh.process_bytes("abc", 3);
    unsigned d[5];
    sh.get_digest(d);
    p[7] = (int)d[0];
  });
  both("variant", std::vector<int>(32, 3), [](int *p) {
    boost::variant<int, double, char> v = 2.5;
    p[0] = boost::apply_visitor([](auto x) { return int(x * 4); }, v);
    v = 'a';
    p[1] = v.which();
    boost::lockfree::queue<int, boost::lockfree::capacity<8>> q;
    for (int i = 0; i < 5; ++i)
      q.push(i * i);
    int x = 0, y = 0;
    while (q.pop(y))
      x = x * 3 + y;
    p[2] = x;
  });
}
