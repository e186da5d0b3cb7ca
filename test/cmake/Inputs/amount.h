#pragma once
// A change that only the device pass sees.
#ifdef __XCC_DEVICE_PASS__
constexpr int amount = 10;
#else
constexpr int amount = 0;
#endif
