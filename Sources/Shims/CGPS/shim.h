// libgps (gpsd's client library) for Swift: the results of its JSON decoder, without the differences between its
// versions. Builds against API 11 (gpsd 3.22) to 16 (gpsd 3.27).
#pragma once
#include <gps.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/// The release of the libgps in use, such as "3.22". libgps exports it without a declaration.
extern const char *gpsd_version;

/// Returns the release of libgps.
static inline const char *cgps_release(void) {
    return gpsd_version;
}

/// Returns the major version of the protocol that gpsd of this libgps's release states in VERSION.
///
/// No header contains it. gpsd 3.22 states 3.14 and gpsd 3.25 states 3.15, while the libraries have the API 11.0 and
/// 14.0. From API 16 on (gpsd 3.27.4), the protocol has the version of the API.
static inline int cgps_protocol_major(void) {
    return GPSD_API_MAJOR_VERSION < 16 ? 3 : GPSD_API_MAJOR_VERSION;
}

/// Returns the minor version that belongs to cgps_protocol_major.
static inline int cgps_protocol_minor(void) {
    if (GPSD_API_MAJOR_VERSION < 14) return 14;
    return GPSD_API_MAJOR_VERSION < 16 ? 15 : GPSD_API_MINOR_VERSION;
}

/// The class of a line of gpsd's protocol.
typedef enum {
    CGPS_OTHER,
    CGPS_TPV,
    CGPS_SKY,
    CGPS_GST,
    CGPS_ATT,
    CGPS_DEVICE,
    CGPS_VERSION,
} cgps_class;

/// Returns the state of a new decoder (24 kB, hence on the heap), or NULL if there is not enough memory.
static inline struct gps_data_t *cgps_new(void) {
    return (struct gps_data_t *)calloc(1, sizeof(struct gps_data_t));
}

static inline void cgps_free(struct gps_data_t *data) {
    free(data);
}

/// Returns whether a line contains a class more than once. After an error in a line, gps_unpack of gpsd 3.22 looks for
/// another class to continue with. If there is one, it repeats the error forever.
static inline bool cgps_has_several_classes(const char *line) {
    const char *first = strstr(line, "\"class\"");
    return first != NULL && strstr(first + 1, "\"class\"") != NULL;
}

/// Blanks out the time in an ATT line of gpsd 3.22, which writes the comma after the time in front of it. With
/// receivers that send GST, every such line has a time, and libgps stops parsing there.
static inline void cgps_repair_attitude(char *line) {
    char *time = strstr(line, ",,\"time\":\"");
    if (time == NULL) return;
    char *end = strchr(time + strlen(",,\"time\":\""), '"');
    if (end != NULL && end[1] == '"') memset(time + 1, ' ', (size_t)(end - time));
}

/// Decodes a line that ends with a NUL. May change `line`. Returns CGPS_OTHER for other lines and for malformed ones.
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
        // libgps does not reset values that the line lacks: it keeps the values of the previous line.
        data->set = 0;
        data->dev.path[0] = '\0';
        if (kind == CGPS_ATT) cgps_repair_attitude((char *)line);
        return gps_unpack((char *)line, data) == 0 ? kind : CGPS_OTHER;
    }
    return CGPS_OTHER;
}

/// Returns the magnetic heading in an ATT line, in degrees, or NaN without a heading or for a line of another class.
/// Versions of gpsd after 3.22 send it as "mheading", which libgps 3.22 skips, whichever gpsd it is connected to. To be
/// called before cgps_unpack.
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

/// Returns a count in a SKY line, by its name with quotes and colon, or -1 if the line lacks it. libgps counts the
/// satellites in the list, which some lines lack. To be called before cgps_unpack.
static inline int cgps_sky_count(const unsigned char *line, const char *name) {
    static const char beginning[] = "{\"class\":\"SKY\"";
    if (strncmp((const char *)line, beginning, sizeof beginning - 1) != 0) return -1;
    const char *found = strstr((const char *)line, name);
    if (found == NULL) return -1;
    const char *number = found + strlen(name);
    char *end;
    long value = strtol(number, &end, 10);
    return end == number || value < 0 || value > 1000 ? -1 : (int)value;
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

/// Returns the path of the device that the line is about, or an empty string if the line does not contain it.
static inline const char *cgps_device(const struct gps_data_t *data) {
    return data->dev.path;
}

/// Returns whether gpsd has this device open.
static inline bool cgps_device_is_active(const struct gps_data_t *data) {
    return data->dev.activated.tv_sec != 0;
}

/// Returns the number of satellites in the line, at most MAXCHANNELS.
static inline int cgps_satellite_count(const struct gps_data_t *data) {
    int count = data->satellites_visible;
    return count < 0 ? 0 : count > MAXCHANNELS ? MAXCHANNELS : count;
}

static inline struct satellite_t cgps_satellite(const struct gps_data_t *data, int index) {
    return data->skyview[index];
}
