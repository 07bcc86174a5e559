// sd-login of libsystemd: sessions and users as logind keeps them. Builds against 252 (Debian 12) and later.
#pragma once
#include <systemd/sd-login.h>
