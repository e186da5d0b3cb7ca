#include <xcc/xcc.h>

[[gnu::noinline]] static int helper(int x) { return x + x; }
XCC_EXPORT int triple(int x) { return helper(x) + x; }
