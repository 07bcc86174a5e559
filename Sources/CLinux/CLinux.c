// A C target needs one source file; everything here is inline in the header.
#include "CLinux.h"
