#include "CNoUnicodeData.h"
#include <stdint.h>

// Foundation brings ICU, and ICU 32 MB of data about languages and regions, which nothing in the daemon asks for: what it
// prints is the same in every language. ICU looks for its data under one symbol. A program that defines that symbol itself
// does not get the object file with the data from the archive; what it defines is a package of data with nothing in it,
// with which ICU says U_MISSING_RESOURCE_ERROR where it is asked. (ICU User Guide, "ICU Data"; its own stubdata does this.)
//
// The symbol has ICU's version in it. With another toolchain's ICU it is another one, and the data are simply there again.
// In a debug build they always are: tests run in one process with what formats dates.
#ifdef LEAVES_OUT_UNICODE_DATA

// The header of ICU's common data (ucmndata.h, udata.h), for a machine of this byte order and with UTF-16 in two bytes.
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

__attribute__((visibility("default"))) const struct package icudt76_dat __attribute__((aligned(16))) = {
    .mapped = {.header_size = 32, .magic = {0xda, 0x27}},
    .info = {
        .size = 20,
        .is_big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__,
        .utf16_unit_size = 2,
        .format = {'T', 'o', 'C', 'P'},
        .format_version = {1},
    },
};

#endif
