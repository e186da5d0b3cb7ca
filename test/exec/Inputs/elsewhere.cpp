#include "elsewhere.h"
template struct Elsewhere<int>;
template struct Elsewhere<double>;
template int variable<int>;
