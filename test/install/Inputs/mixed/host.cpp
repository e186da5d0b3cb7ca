int host() { return FACTOR; }
