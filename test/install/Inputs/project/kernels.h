// Sets p[i] to i for every i below n, on the current device.
void fill(int *p, int n);
