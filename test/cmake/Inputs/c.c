int from_c(void) { return 1000; }
