int in_c(int i) { return i + 1; }
