export module members;
export class counter {
public:
  counter() : total(1) {}
  ~counter() { total = 0; }
  int add(int n) { return total += helper(n); }
  static int twice(int n) { return 2 * n; }
  virtual int sum(int n) { return n + total; }
  struct inner {
    int value = 4;
    int get() const { return value; }
  };
  friend int hundred(counter &c) { return c.total + 100; }

private:
  int total;
  int helper(int n);
};
int counter::helper(int n) { return n + 1; }
export int hundred(counter &c);
class hidden {
public:
  int nine() { return 9; }
};
export int nine() { return hidden().nine(); }
