// sd-journal of libsystemd: sending to it. The macros that add the place in the source are variadic, and of no use here.
#pragma once
#define SD_JOURNAL_SUPPRESS_LOCATION
#include <systemd/sd-journal.h>
