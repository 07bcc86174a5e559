// Linux and GNU declarations that the Glibc module does not import: variadic calls, macros, GNU-only structs.
// No system header that depends on feature macros is included here: NIO's shims would define the same types anew.
#pragma once
#include "clock.h"
#include "memory.h"
#include "packet.h"
#include "path.h"
#include "peer.h"
#include "process.h"
#include "tty.h"
