#include "initialisers.h"

int from_other = computed(4) + counted<int>::number * 0;
std::string text_of_other(30, 'o');
plugin *plugins = nullptr;
static struct adds : plugin {
  adds(const char *name) : plugin{name, plugins} { plugins = this; }
} first("first"), second("second");
int other_uses() { return once[0] + counted<int>::number; }
