// libmosquitto: a client of MQTT 3.1.1 and 5, and the identifiers of MQTT 5's properties.
#pragma once
#include <mosquitto.h>
#include <mqtt_protocol.h>
