// sd-daemon of libsystemd: what a service tells its manager, and the sockets that it got from it.
#pragma once
#include <systemd/sd-daemon.h>
