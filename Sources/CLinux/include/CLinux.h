// Linux and GNU declarations that the Glibc module does not import: variadic calls, macros, GNU-only structs.
// No system header is included here: with other feature macros than NIO's shims it would define the same types anew.
#pragma once
#include "peer.h"
#include "process.h"
