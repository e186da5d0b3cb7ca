#pragma once
template <class T> T thrice(T x) { return 3 * x; }
inline int twice(int x) { return 2 * x; }
