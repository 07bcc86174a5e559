// sd-login of libsystemd: logind's sessions and users. Builds against 252 (Debian 12) and later.
#pragma once
#include <systemd/sd-login.h>
