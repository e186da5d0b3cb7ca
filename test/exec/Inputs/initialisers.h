// What the units of initialisers-units.cpp share.
#include <string>
#include <vector>
#include <xcc/xcc.h>

inline int computed(int i) {
  int sum = 0;
  while (i)
    sum += i--;
  return sum;
}
// Made once, whichever unit's kernel is first.
inline int times_made = 0;
inline std::vector<int> once{computed(3), ++times_made};
template <class T> struct counted {
  static int number;
};
template <class T> int counted<T>::number = ++times_made;

// Of the other unit.
extern int from_other;
extern std::string text_of_other;
struct plugin {
  const char *name;
  plugin *next;
};
extern plugin *plugins;
