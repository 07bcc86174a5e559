// Linux and GNU declarations that the Glibc module does not import: variadic calls, macros, GNU-only structs. This
// header does not include any system header that depends on feature macros, because NIO's shims would define the same
// types again.
#pragma once
#include "cgroup.h"
#include "clock.h"
#include "diag.h"
#include "memory.h"
#include "messages.h"
#include "netlink.h"
#include "packet.h"
#include "path.h"
#include "peer.h"
#include "poller.h"
#include "process.h"
#include "stream.h"
#include "timing.h"
#include "tty.h"
