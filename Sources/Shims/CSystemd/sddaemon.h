// sd-daemon of libsystemd: notifications from a service to its manager, and the sockets that the manager passed to it.
#pragma once
#include <systemd/sd-daemon.h>
