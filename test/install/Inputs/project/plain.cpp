extern "C" int in_c(int);
int same(int i) { return in_c(i) - 1; }
