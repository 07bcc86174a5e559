#include "CNoUnicodeData.h"
#include <stdint.h>

// Foundation includes ICU, and ICU includes 32 MB of data about languages and regions. The daemon does not need this
// data: its output is the same in every language. ICU looks for its data under one symbol. If a program defines this
// symbol itself, the linker does not add the archive's object file with the data. The definition below is a data
// package without content, for which ICU returns U_MISSING_RESOURCE_ERROR. (ICU User Guide, "ICU Data"; its own
// stubdata does the same.)
//
// The symbol contains ICU's version: 74 in Swift 6.2, 76 in Swift 6.3. With the ICU of another toolchain, the symbol
// differs, and the data is linked again. In a debug build, the data is always linked: tests share a process with code
// that formats dates.
#ifdef LEAVES_OUT_UNICODE_DATA

// The header of ICU's common data (ucmndata.h, udata.h) for this machine's byte order and two-byte UTF-16 units.
struct package {
    struct {
        uint16_t header_size;
        uint8_t magic[2];
    } mapped;
    struct {
        uint16_t size;
        uint16_t reserved;
        uint8_t is_big_endian, charset_family, utf16_unit_size, reserved_byte;
        uint8_t format[4], format_version[4], data_version[4];
    } info;
    uint8_t padding[8];
    uint32_t item_count;
    uint32_t reserved;
    int32_t no_items[4];
};

#define EMPTY_PACKAGE { \
    .mapped = {.header_size = 32, .magic = {0xda, 0x27}}, \
    .info = { \
        .size = 20, \
        .is_big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__, \
        .utf16_unit_size = 2, \
        .format = {'T', 'o', 'C', 'P'}, \
        .format_version = {1}, \
    }, \
}

__attribute__((visibility("default"))) const struct package icudt74_dat __attribute__((aligned(16))) = EMPTY_PACKAGE;
__attribute__((visibility("default"))) const struct package icudt76_dat __attribute__((aligned(16))) = EMPTY_PACKAGE;

#endif
