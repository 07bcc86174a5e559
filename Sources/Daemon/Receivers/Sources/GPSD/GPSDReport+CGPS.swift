import CGPS
import LocationModel
import NMEA

extension GPSDReport.Position {
    /// Creates a position from the TPV report that libgps decoded last.
    init(_ data: UnsafePointer<gps_data_t>) {
        let fix = data.pointee.fix
        device = String(cString: cgps_device(data))
        time = known(cgps_fix_time(data))
        mode = Int(fix.mode)
        quality = FixQuality(gpsdStatus: fix.status)
        // In seconds (gpsd_json(5)), although gps.h speaks of tenths: gpsd passes on the value in GGA.
        correctionAge = known(fix.dgps_age).flatMap { (0...86_400).contains($0) ? $0 : nil }
        latitude = known(fix.latitude)
        longitude = known(fix.longitude)
        ellipsoidalAltitude = known(fix.altHAE)
        // gpsd up to 3.18 only has `alt`, which is above mean sea level. Later versions do not say what it refers to.
        altitude = known(fix.altMSL) ?? (ellipsoidalAltitude == nil ? known(fix.altitude) : nil)
        course = known(fix.track)
        speed = known(fix.speed)
        eastError = known(fix.epx)
        northError = known(fix.epy)
        horizontalError = known(fix.eph)
        verticalError = known(fix.epv)
        speedError = known(fix.eps)
        magneticVariation = known(fix.magnetic_var)
    }
}

extension GPSDReport.Attitude {
    /// Creates an attitude from the ATT report that libgps decoded last. `magneticHeading` is the line's, or NaN.
    init(_ data: UnsafePointer<gps_data_t>, magneticHeading: Double) {
        device = String(cString: cgps_device(data))
        trueHeading = direction(data.pointee.attitude.heading)
        self.magneticHeading = direction(magneticHeading)
    }
}

extension GPSDReport.Sky {
    /// Creates a sky report from the SKY report that libgps decoded last. `used` and `inView` are the counts of
    /// satellites in the line, or -1.
    init(_ data: UnsafePointer<gps_data_t>, used: Int, inView: Int) {
        device = String(cString: cgps_device(data))
        let listed = Int(data.pointee.satellites_used)
        satellitesUsed = listed > 0 ? listed : used > 0 ? used : nil
        satellitesInView = max(Int(cgps_satellite_count(data)), inView)
        hdop = dilution(data.pointee.dop.hdop)
        vdop = dilution(data.pointee.dop.vdop)
        pdop = dilution(data.pointee.dop.pdop)
    }
}

extension GPSDReport.Errors {
    /// Creates an error estimate from the GST report that libgps decoded last.
    init(_ data: UnsafePointer<gps_data_t>) {
        device = String(cString: cgps_device(data))
        time = known(cgps_gst_time(data))
        major = known(data.pointee.gst.smajor_deviation)
        minor = known(data.pointee.gst.sminor_deviation)
        north = known(data.pointee.gst.lat_err_deviation)
        east = known(data.pointee.gst.lon_err_deviation)
        up = known(data.pointee.gst.alt_err_deviation)
    }
}

/// Returns the value, or `nil` if it is not finite: libgps writes NaN for a missing value.
private func known(_ value: Double) -> Double? {
    value.isFinite ? value : nil
}

/// Returns degrees in 0..<360, or `nil` if out of range: some drivers report hundredths or tenths of a degree.
private func direction(_ value: Double) -> Double? {
    known(value).flatMap { (0..<360).contains($0) ? $0 : $0 == 360 ? 0 : nil }
}

/// Returns the time, or `nil` if it is not positive: libgps writes 0 for a missing time and a negative number for an
/// unreadable one.
private func known(_ milliseconds: Int64) -> Int64? {
    milliseconds > 0 ? milliseconds : nil
}

/// Returns the dilution of precision, or `nil` if out of range: receivers write 99.99 for an unknown one.
private func dilution(_ value: Double) -> Double? {
    (0.01...89.99).contains(value) ? value : nil
}

extension FixQuality {
    /// Creates the quality for gpsd's `status` (gpsd_json(5)). 0, "unknown", and 1, "normal", come from receivers that
    /// report only that there is a fix.
    fileprivate init?(gpsdStatus status: CInt) {
        switch status {
        case 1: self = .autonomous
        case 2: self = .differential
        case 3: self = .rtkFixed
        case 4: self = .rtkFloat
        case 5, 6: self = .estimated
        case 7: self = .manual
        case 8: self = .simulated
        case 9: self = .precise
        default: return nil
        }
    }
}

extension Satellite {
    /// Creates a satellite from a SKY report, or `nil` if it has no number.
    init?(_ satellite: satellite_t) {
        if satellite.svid > 0, let constellation = Constellation(gpsdID: satellite.gnssid) {
            self.init(constellation: constellation, number: Int(satellite.svid), used: satellite.used)
        } else if satellite.PRN > 0 {
            self.init(constellation: nil, number: Int(satellite.PRN), used: satellite.used)
        } else {
            return nil
        }
        elevation = known(satellite.elevation).flatMap { (-90...90).contains($0) ? $0 : nil }
        azimuth = known(satellite.azimuth).flatMap { (0...360).contains($0) ? $0 == 360 ? 0 : $0 : nil }
        // Attack: a gpsd in the network sends 1e300. The field of GSV has two digits, and receivers report at most 63.
        signalStrength = known(satellite.ss).flatMap { (0..<100).contains($0) && $0 > 0 ? $0 : nil }
    }
}

extension Satellite.Constellation {
    /// Creates a constellation from gpsd's `gnssid`, which is u-blox's (gps.h). 4 is IMES, an indoor beacon.
    fileprivate init?(gpsdID: UInt8) {
        switch gpsdID {
        case 0: self = .gps
        case 1: self = .sbas
        case 2: self = .galileo
        case 3: self = .beidou
        case 5: self = .qzss
        case 6: self = .glonass
        case 7: self = .navic
        default: return nil
        }
    }
}
