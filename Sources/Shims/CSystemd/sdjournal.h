// sd-journal of libsystemd: sending to the journal. The macros that add the source location are variadic, and not
// needed here.
#pragma once
#define SD_JOURNAL_SUPPRESS_LOCATION
#include <systemd/sd-journal.h>
