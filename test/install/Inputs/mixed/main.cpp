#include <cstdio>
int kernels(int), shared(int);
#ifdef OTHER
int other(int);
#else
static int other(int x) { return x; }
#endif
int main() { std::printf("result: %d\n", other(shared(kernels(5)))); }
