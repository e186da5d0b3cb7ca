export module plain;
export template <class T> T thrice(T x) { return 3 * x; }
export inline int twice(int x) { return 2 * x; }
