// libgps (gpsd's client library) for Swift: what its JSON decoder makes of a line, without the differences between
// its versions. Builds against API 11 (gpsd 3.22) to 14 (gpsd 3.25).
#pragma once
#include <gps.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/// What a line of gpsd's protocol is about.
typedef enum {
    CGPS_OTHER,
    CGPS_TPV,
    CGPS_SKY,
    CGPS_GST,
    CGPS_ATT,
    CGPS_DEVICE,
    CGPS_VERSION,
} cgps_class;

/// A new decoder's state: 24 kB, hence on the heap. NULL when there is no memory.
static inline struct gps_data_t *cgps_new(void) {
    return (struct gps_data_t *)calloc(1, sizeof(struct gps_data_t));
}

static inline void cgps_free(struct gps_data_t *data) {
    free(data);
}

/// Whether a line has a class more than once. In what follows an error, gps_unpack of gpsd 3.22 looks for the next class
/// to go on with, and when there is one it goes on with the error for ever.
static inline bool cgps_has_several_classes(const char *line) {
    const char *first = strstr(line, "\"class\"");
    return first != NULL && strstr(first + 1, "\"class\"") != NULL;
}

/// Blanks the time of an ATT line of gpsd 3.22, which puts the comma after it before it: with receivers that send GST
/// each such line has one, and libgps gets no further than there.
static inline void cgps_repair_attitude(char *line) {
    char *time = strstr(line, ",,\"time\":\"");
    if (time == NULL) return;
    char *end = strchr(time + strlen(",,\"time\":\""), '"');
    if (end != NULL && end[1] == '"') memset(time + 1, ' ', (size_t)(end - time));
}

/// Decodes a line that ends in NUL; `line` may be changed. CGPS_OTHER also when libgps refuses it.
static inline cgps_class cgps_unpack(unsigned char *line, struct gps_data_t *data) {
    if (cgps_has_several_classes((const char *)line)) return CGPS_OTHER;
    static const char *const beginnings[] = {
        "",
        "{\"class\":\"TPV\"",
        "{\"class\":\"SKY\"",
        "{\"class\":\"GST\"",
        "{\"class\":\"ATT\"",
        "{\"class\":\"DEVICE\"",
        "{\"class\":\"VERSION\"",
    };
    for (cgps_class kind = CGPS_TPV; kind <= CGPS_VERSION; kind = (cgps_class)(kind + 1)) {
        if (strncmp((char *)line, beginnings[kind], strlen(beginnings[kind])) != 0) continue;
        // libgps leaves what the line does not tell as the line before told it.
        data->set = 0;
        data->dev.path[0] = '\0';
        if (kind == CGPS_ATT) cgps_repair_attitude((char *)line);
        return gps_unpack((char *)line, data) == 0 ? kind : CGPS_OTHER;
    }
    return CGPS_OTHER;
}

/// The magnetic heading that an ATT line tells, in degrees; NaN when it is no such line or tells none. gpsd's newer than
/// 3.22 tell it as "mheading", which libgps 3.22 skips, whichever gpsd it is connected to. To be asked before
/// cgps_unpack.
static inline double cgps_magnetic_heading(const unsigned char *line) {
    static const char beginning[] = "{\"class\":\"ATT\"", name[] = "\"mheading\":";
    if (strncmp((const char *)line, beginning, sizeof beginning - 1) != 0) return NAN;
    const char *found = strstr((const char *)line, name);
    if (found == NULL) return NAN;
    const char *number = found + sizeof name - 1;
    char *end;
    double value = strtod(number, &end);
    return end == number ? NAN : value;
}

static inline long long cgps_milliseconds(timespec_t time) {
    return (long long)time.tv_sec * 1000 + (time.tv_nsec + 500000) / 1000000;
}

static inline long long cgps_fix_time(const struct gps_data_t *data) {
    return cgps_milliseconds(data->fix.time);
}

static inline long long cgps_gst_time(const struct gps_data_t *data) {
    return cgps_milliseconds(data->gst.utctime);
}

/// The path of the device that the line is about; empty when it does not tell.
static inline const char *cgps_device(const struct gps_data_t *data) {
    return data->dev.path;
}

/// Whether gpsd has that device open.
static inline bool cgps_device_is_active(const struct gps_data_t *data) {
    return data->dev.activated.tv_sec != 0;
}

/// How many satellites the line tells about, at most MAXCHANNELS.
static inline int cgps_satellite_count(const struct gps_data_t *data) {
    int count = data->satellites_visible;
    return count < 0 ? 0 : count > MAXCHANNELS ? MAXCHANNELS : count;
}

static inline struct satellite_t cgps_satellite(const struct gps_data_t *data, int index) {
    return data->skyview[index];
}
