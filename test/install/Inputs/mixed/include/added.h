inline int added(int x) { return x + 0; }
