// libgps (gpsd's client library) for Swift.
#pragma once
#include <gps.h>
