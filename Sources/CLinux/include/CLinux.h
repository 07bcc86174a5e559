// Linux and GNU declarations that the Glibc module does not import: variadic calls, macros, GNU-only structs.
#pragma once
#define _GNU_SOURCE
#include <sys/socket.h>
#include "tty.h"
