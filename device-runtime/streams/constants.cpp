// Objects of the C++ library that exist from the start
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C locale with its facets, and std::cin, cout, cerr and clog. On the host,
// constructors make them before main. Here they are constants, member by
// member, so that an image contains only what it uses and no code has to run.
// The layouts are those of libstdc++'s headers; static assertions compare them.
//
// Objects here must not have the headers' classes, because this file declares
// their virtual tables and static members with other types.

#include "streams.h"

#include "rpc/services/messages.h"
#include <cstddef>
#include <ext/stdio_sync_filebuf.h>
#include <istream>
#include <ostream>

#pragma clang diagnostic ignored "-Winvalid-offsetof"

using namespace xcc::streams;

/// See gpu/libc_ctype.cpp. The tables begin at character -128.
namespace xcc::ctype {
extern const unsigned short Kinds[384];
extern const int Uppers[384], Lowers[384];
} // namespace xcc::ctype

/// A class's virtual table. The first function follows two words, or three if
/// there is a virtual base.
#define XCC_VTABLE(name, mangled)                                              \
  extern "C" const void *const name[16] __asm__("_ZTV" mangled)
XCC_VTABLE(CtypeTable, "St5ctypeIcE");
XCC_VTABLE(CodecvtTable, "St7codecvtIcc11__mbstate_tE");
XCC_VTABLE(CacheTable, "St16__numpunct_cacheIcE");
XCC_VTABLE(NumpunctTable, "NSt7__cxx118numpunctIcEE");
XCC_VTABLE(NumGetTable,
           "St7num_getIcSt19istreambuf_iteratorIcSt11char_traitsIcEEE");
XCC_VTABLE(NumPutTable,
           "St7num_putIcSt19ostreambuf_iteratorIcSt11char_traitsIcEEE");
XCC_VTABLE(CollateTable, "NSt7__cxx117collateIcEE");
XCC_VTABLE(TimeCacheTable, "St17__timepunct_cacheIcE");
XCC_VTABLE(TimepunctTable, "St11__timepunctIcE");
XCC_VTABLE(TimePutTable,
           "St8time_putIcSt19ostreambuf_iteratorIcSt11char_traitsIcEEE");
XCC_VTABLE(
    TimeGetTable,
    "NSt7__cxx118time_getIcSt19istreambuf_iteratorIcSt11char_traitsIcEEEE");
XCC_VTABLE(MoneyCacheTable, "St18__moneypunct_cacheIcLb0EE");
XCC_VTABLE(MoneyAbroadCacheTable, "St18__moneypunct_cacheIcLb1EE");
XCC_VTABLE(MoneyTable, "NSt7__cxx1110moneypunctIcLb0EEE");
XCC_VTABLE(MoneyAbroadTable, "NSt7__cxx1110moneypunctIcLb1EEE");
XCC_VTABLE(
    MoneyPutTable,
    "NSt7__cxx119money_putIcSt19ostreambuf_iteratorIcSt11char_traitsIcEEEE");
XCC_VTABLE(
    MoneyGetTable,
    "NSt7__cxx119money_getIcSt19istreambuf_iteratorIcSt11char_traitsIcEEEE");
XCC_VTABLE(MessagesTable, "NSt7__cxx118messagesIcEE");
XCC_VTABLE(IstreamTable, "Si");
XCC_VTABLE(OstreamTable, "So");
XCC_VTABLE(ConsoleTable,
           "N9__gnu_cxx18stdio_sync_filebufIcSt11char_traitsIcEEE");

namespace xcc::streams {
// Facets. Their count begins at 1, so that they are never destroyed.

struct FacetBytes {
  const void *table;
  int references = 1;
};

struct CtypeBytes {
  FacetBytes facet = {&CtypeTable[2]};
  void *cLocale = nullptr;
  bool owned = false;
  const int *uppers = xcc::ctype::Uppers + 128,
            *lowers = xcc::ctype::Lowers + 128;
  const unsigned short *kinds = xcc::ctype::Kinds + 128;
  char widenOk = 1;
  char wide[256] = {};
  char narrow[256] = {};
  char narrowOk = 1;
  constexpr CtypeBytes() {
    for (int i = 0; i < 256; ++i)
      wide[i] = narrow[i] = char(i);
  }
};
using Letters = std::ctype<char>;
static_assert(sizeof(CtypeBytes) == sizeof(Letters) &&
              offsetof(CtypeBytes, uppers) == offsetof(Letters, _M_toupper) &&
              offsetof(CtypeBytes, kinds) == offsetof(Letters, _M_table) &&
              offsetof(CtypeBytes, wide) == offsetof(Letters, _M_widen) &&
              offsetof(CtypeBytes, narrowOk) ==
                  offsetof(Letters, _M_narrow_ok));

/// The layout of codecvt and collate.
struct LocaleFacetBytes {
  FacetBytes facet;
  void *cLocale = nullptr;
};
using Conversion = std::codecvt<char, char, std::mbstate_t>;
static_assert(sizeof(LocaleFacetBytes) == sizeof(Conversion) &&
              sizeof(LocaleFacetBytes) == sizeof(std::collate<char>) &&
              offsetof(LocaleFacetBytes, cLocale) ==
                  offsetof(Conversion, _M_c_locale_codecvt));

struct CacheBytes {
  FacetBytes facet = {&CacheTable[2]};
  const char *grouping = "";
  size_t groupingSize = 0;
  bool useGrouping = false;
  const char *truename = "true";
  size_t truenameSize = 4;
  const char *falsename = "false";
  size_t falsenameSize = 5;
  char decimalPoint = '.', thousandsSep = ',';
  char atomsOut[std::__num_base::_S_oend] = {};
  char atomsIn[std::__num_base::_S_iend] = {};
  bool allocated = false;
  constexpr CacheBytes() {
    for (size_t i = 0; i < sizeof atomsOut; ++i)
      atomsOut[i] = AtomsOut[i];
    for (size_t i = 0; i < sizeof atomsIn; ++i)
      atomsIn[i] = AtomsIn[i];
  }
};
using Cache = std::__numpunct_cache<char>;
static_assert(sizeof(CacheBytes) == sizeof(Cache) &&
              offsetof(CacheBytes, grouping) == offsetof(Cache, _M_grouping) &&
              offsetof(CacheBytes, falsenameSize) ==
                  offsetof(Cache, _M_falsename_size) &&
              offsetof(CacheBytes, atomsIn) == offsetof(Cache, _M_atoms_in) &&
              offsetof(CacheBytes, allocated) == offsetof(Cache, _M_allocated));

struct NumpunctBytes {
  FacetBytes facet;
  const CacheBytes *cache;
};
static_assert(offsetof(NumpunctBytes, cache) ==
              offsetof(std::numpunct<char>, _M_data));
static_assert(sizeof(FacetBytes) == sizeof(std::num_get<char>) &&
              sizeof(FacetBytes) == sizeof(std::num_put<char>));

constexpr const char *LocaleName = "C";

struct TimeCacheBytes {
  FacetBytes facet = {&TimeCacheTable[2]};
  const char *texts[sizeof Times / sizeof *Times] = {};
  bool allocated = false;
  constexpr TimeCacheBytes() { fillTimes(texts); }
};
using TimeCache = std::__timepunct_cache<char>;
static_assert(sizeof(TimeCacheBytes) == sizeof(TimeCache) &&
              offsetof(TimeCacheBytes, texts) ==
                  offsetof(TimeCache, _M_date_format) &&
              offsetof(TimeCacheBytes, allocated) ==
                  offsetof(TimeCache, _M_allocated));

struct TimepunctBytes {
  FacetBytes facet;
  const TimeCacheBytes *cache;
  void *cLocale = nullptr;
  const char *name = LocaleName;
};
using Timepunct = std::__timepunct<char>;
static_assert(sizeof(TimepunctBytes) == sizeof(Timepunct) &&
              offsetof(TimepunctBytes, cache) == offsetof(Timepunct, _M_data) &&
              offsetof(TimepunctBytes, name) ==
                  offsetof(Timepunct, _M_name_timepunct));
static_assert(sizeof(FacetBytes) == sizeof(std::time_put<char>) &&
              sizeof(FacetBytes) == sizeof(std::time_get<char>));

struct MoneyCacheBytes {
  FacetBytes facet;
  const char *grouping = "";
  size_t groupingSize = 0;
  bool useGrouping = false;
  char decimalPoint = '.', thousandsSep = ',';
  struct Text {
    const char *text = "";
    size_t size = 0;
  } currency, positive, negative;
  int fractionDigits = 0;
  std::money_base::pattern formats[2] = {};
  char atoms[std::money_base::_S_end] = {};
  bool allocated = false;
  constexpr MoneyCacheBytes(const void *table) : facet{table} {
    for (auto &format : formats)
      for (size_t i = 0; i < sizeof MoneyPattern; ++i)
        format.field[i] = MoneyPattern[i];
    for (size_t i = 0; i < sizeof atoms; ++i)
      atoms[i] = MoneyAtoms[i];
  }
};
using MoneyCache = std::__moneypunct_cache<char, false>;
static_assert(
    sizeof(MoneyCacheBytes) == sizeof(MoneyCache) &&
    sizeof(MoneyCache) == sizeof(std::__moneypunct_cache<char, true>) &&
    offsetof(MoneyCacheBytes, decimalPoint) ==
        offsetof(MoneyCache, _M_decimal_point) &&
    offsetof(MoneyCacheBytes, negative) ==
        offsetof(MoneyCache, _M_negative_sign) &&
    offsetof(MoneyCacheBytes, formats) == offsetof(MoneyCache, _M_pos_format) &&
    offsetof(MoneyCacheBytes, atoms) == offsetof(MoneyCache, _M_atoms));

struct MoneypunctBytes {
  FacetBytes facet;
  const MoneyCacheBytes *cache;
};
static_assert(offsetof(MoneypunctBytes, cache) ==
              offsetof(std::moneypunct<char>, _M_data));
static_assert(sizeof(FacetBytes) == sizeof(std::money_put<char>) &&
              sizeof(FacetBytes) == sizeof(std::money_get<char>));

struct MessagesBytes {
  FacetBytes facet;
  void *cLocale = nullptr;
  const char *name = LocaleName;
};
static_assert(sizeof(MessagesBytes) == sizeof(std::messages<char>) &&
              offsetof(MessagesBytes, name) ==
                  offsetof(std::messages<char>, _M_name_messages));

constinit CtypeBytes letters;
constinit LocaleFacetBytes conversion = {{&CodecvtTable[2]}},
                           order = {{&CollateTable[2]}};
constinit CacheBytes cache;
constinit NumpunctBytes spelling = {{&NumpunctTable[2]}, &cache};
constinit FacetBytes reading = {&NumGetTable[2]}, writing = {&NumPutTable[2]};
constinit TimeCacheBytes timeCache;
constinit TimepunctBytes times = {{&TimepunctTable[2]}, &timeCache};
constinit FacetBytes readingTimes = {&TimeGetTable[2]},
                     writingTimes = {&TimePutTable[2]};
constinit MoneyCacheBytes moneyCache(&MoneyCacheTable[2]),
    moneyAbroadCache(&MoneyAbroadCacheTable[2]);
constinit MoneypunctBytes money = {{&MoneyTable[2]}, &moneyCache},
                          moneyAbroad = {{&MoneyAbroadTable[2]},
                                         &moneyAbroadCache};
constinit FacetBytes readingMoney = {&MoneyGetTable[2]},
                     writingMoney = {&MoneyPutTable[2]};
constinit MessagesBytes messages = {{&MessagesTable[2]}};

constexpr KnownFacet
    KnownCtype = {Ctype, std::locale::ctype, &letters},
    KnownCodecvt = {Codecvt, std::locale::ctype, &conversion},
    KnownNumpunct = {Numpunct, std::locale::numeric, &spelling, &cache},
    KnownNumGet = {NumGet, std::locale::numeric, &reading},
    KnownNumPut = {NumPut, std::locale::numeric, &writing},
    KnownCollate = {Collate, std::locale::collate, &order},
    KnownTimes = {TimePunct, std::locale::time, &times},
    KnownTimePut = {TimePut, std::locale::time, &writingTimes},
    KnownTimeGet = {TimeGet, std::locale::time, &readingTimes},
    KnownMoney = {Money, std::locale::monetary, &money, &moneyCache},
    KnownMoneyAbroad = {MoneyAbroad, std::locale::monetary, &moneyAbroad,
                        &moneyAbroadCache},
    KnownMoneyPut = {MoneyPut, std::locale::monetary, &writingMoney},
    KnownMoneyGet = {MoneyGet, std::locale::monetary, &readingMoney},
    KnownMessages = {Messages, std::locale::messages, &messages};
} // namespace xcc::streams

/// Defines the id of a facet class with this mangled name.
#define XCC_FACET_ID(name, mangled, known)                                     \
  extern const KnownFacet *name __asm__("_ZN" mangled "2idE");                 \
  const KnownFacet *name = &known
static_assert(sizeof(std::locale::id) == sizeof(const KnownFacet *));
XCC_FACET_ID(ctypeId, "St5ctypeIcE", KnownCtype);
XCC_FACET_ID(codecvtId, "St7codecvtIcc11__mbstate_tE", KnownCodecvt);
XCC_FACET_ID(numpunctId, "St7__cxx118numpunctIcE", KnownNumpunct);
XCC_FACET_ID(numGetId,
             "St7num_getIcSt19istreambuf_iteratorIcSt11char_traitsIcEEE",
             KnownNumGet);
XCC_FACET_ID(numPutId,
             "St7num_putIcSt19ostreambuf_iteratorIcSt11char_traitsIcEEE",
             KnownNumPut);
XCC_FACET_ID(collateId, "St7__cxx117collateIcE", KnownCollate);
XCC_FACET_ID(timesId, "St11__timepunctIcE", KnownTimes);
XCC_FACET_ID(timePutId,
             "St8time_putIcSt19ostreambuf_iteratorIcSt11char_traitsIcEEE",
             KnownTimePut);
XCC_FACET_ID(
    timeGetId,
    "St7__cxx118time_getIcSt19istreambuf_iteratorIcSt11char_traitsIcEEE",
    KnownTimeGet);
XCC_FACET_ID(moneyId, "St7__cxx1110moneypunctIcLb0EE", KnownMoney);
XCC_FACET_ID(moneyAbroadId, "St7__cxx1110moneypunctIcLb1EE", KnownMoneyAbroad);
XCC_FACET_ID(
    moneyPutId,
    "St7__cxx119money_putIcSt19ostreambuf_iteratorIcSt11char_traitsIcEEE",
    KnownMoneyPut);
XCC_FACET_ID(
    moneyGetId,
    "St7__cxx119money_getIcSt19istreambuf_iteratorIcSt11char_traitsIcEEE",
    KnownMoneyGet);
XCC_FACET_ID(messagesId, "St7__cxx118messagesIcE", KnownMessages);

namespace xcc::streams {
const std::locale::facet *classicFacets[Slots], *classicCaches[Slots];

char classicName[] = "C";
char *classicNames[] = {classicName, nullptr};
struct LocaleBytes {
  int references = 1;
  const std::locale::facet **facets = classicFacets;
  size_t count = Slots;
  const std::locale::facet **caches = classicCaches;
  char **names = classicNames;
};
using Impl = std::locale::_Impl;
static_assert(sizeof(LocaleBytes) == sizeof(Impl) &&
              offsetof(LocaleBytes, facets) == offsetof(Impl, _M_facets) &&
              offsetof(LocaleBytes, caches) == offsetof(Impl, _M_caches) &&
              offsetof(LocaleBytes, names) == offsetof(Impl, _M_names));
constinit LocaleBytes classic;
} // namespace xcc::streams

extern LocaleBytes *classicImpl __asm__("_ZNSt6locale10_S_classicE");
extern LocaleBytes *globalImpl __asm__("_ZNSt6locale9_S_globalE");
LocaleBytes *classicImpl = &classic, *globalImpl = &classic;

namespace xcc::streams {
// Streams

struct BufferBytes {
  const void *table = &ConsoleTable[2];
  char *ends[6] = {};
  LocaleBytes *locale = &classic;
  xcc::services::StandardFile file;
  int unget = -1;
};
using Buffer = __gnu_cxx::stdio_sync_filebuf<char>;
static_assert(sizeof(BufferBytes) == sizeof(Buffer) &&
              offsetof(BufferBytes, locale) ==
                  offsetof(Buffer, _M_buf_locale) &&
              offsetof(BufferBytes, file) == offsetof(Buffer, _M_file) &&
              offsetof(BufferBytes, unget) == offsetof(Buffer, _M_unget_buf));
constinit BufferBytes input = {.file = xcc::services::FileIn},
                      output = {.file = xcc::services::FileOut},
                      errors = {.file = xcc::services::FileError};

struct IosBytes {
  const void *table;
  long precision = 6, width = 0;
  std::ios_base::fmtflags flags;
  std::ios_base::iostate exception = std::ios_base::goodbit,
                         state = std::ios_base::goodbit;
  void *callbacks = nullptr;
  struct Words {
    void *pointer = nullptr;
    long number = 0;
  } zero, local[8];
  int wordCount = 8;
  Words *words;
  LocaleBytes *locale = &classic;
  void *tie;
  char fill = 0;
  bool fillKnown = false;
  BufferBytes *buffer;
  CtypeBytes *ctype = &letters;
  // Set only as needed, so that a program that only writes has no code for
  // reading in its image, and vice versa.
  FacetBytes *numPut, *numGet;

  constexpr IosBytes(const void *table, BufferBytes &buffer, void *tie,
                     bool reads, std::ios_base::fmtflags more = {})
      : table(table), flags(std::ios_base::skipws | std::ios_base::dec | more),
        words(local), tie(tie), buffer(&buffer),
        numPut(reads ? nullptr : &writing), numGet(reads ? &reading : nullptr) {
  }
};
using Ios = std::basic_ios<char>;
static_assert(sizeof(IosBytes) == sizeof(Ios) &&
              offsetof(IosBytes, precision) == offsetof(Ios, _M_precision) &&
              offsetof(IosBytes, flags) == offsetof(Ios, _M_flags) &&
              offsetof(IosBytes, callbacks) == offsetof(Ios, _M_callbacks) &&
              offsetof(IosBytes, local) == offsetof(Ios, _M_local_word) &&
              sizeof(IosBytes::local) == sizeof(Ios::_M_local_word) &&
              offsetof(IosBytes, words) == offsetof(Ios, _M_word) &&
              offsetof(IosBytes, locale) == offsetof(Ios, _M_ios_locale) &&
              offsetof(IosBytes, tie) == offsetof(Ios, _M_tie) &&
              offsetof(IosBytes, fill) == offsetof(Ios, _M_fill) &&
              offsetof(IosBytes, buffer) == offsetof(Ios, _M_streambuf) &&
              offsetof(IosBytes, numPut) == offsetof(Ios, _M_num_put) &&
              offsetof(IosBytes, numGet) == offsetof(Ios, _M_num_get));

/// The virtual table of the class, followed by that of its base in it.
struct IstreamBytes {
  const void *table = &IstreamTable[3];
  long count = 0;
  IosBytes ios;
};
struct OstreamBytes {
  const void *table = &OstreamTable[3];
  IosBytes ios;
};
static_assert(sizeof(IstreamBytes) == sizeof(std::istream) &&
              sizeof(OstreamBytes) == sizeof(std::ostream));
} // namespace xcc::streams

extern IstreamBytes in __asm__("_ZSt3cin");
extern OstreamBytes out __asm__("_ZSt4cout"), err __asm__("_ZSt4cerr"),
    log __asm__("_ZSt4clog");
constinit IstreamBytes in = {.ios = {&IstreamTable[8], input, &out, true}};
constinit OstreamBytes out = {
    .ios = {&OstreamTable[8], output, nullptr, false}};
constinit OstreamBytes log = {
    .ios = {&OstreamTable[8], errors, nullptr, false}};
constinit OstreamBytes err = {
    .ios = {&OstreamTable[8], errors, &out, false, std::ios_base::unitbuf}};
