import CGPS
import LocationModel
import NMEA

/// Converts bytes from gpsd to reports: splits them into lines, which libgps decodes.
struct GPSDReader: ~Copyable {
    /// The maximum length of a line. Longer ones are skipped and counted. gpsd writes at most 10,240 bytes
    /// (GPS_JSON_RESPONSE_MAX).
    static let maximumLineLength = 16384

    private let data: UnsafeMutablePointer<gps_data_t>
    private var line: [UInt8] = []
    private var isOverlong = false
    /// The number of lines longer than `maximumLineLength`.
    private(set) var overlongLines = 0

    init() {
        guard let data = cgps_new() else { fatalError("out of memory") }
        self.data = data
    }

    deinit {
        cgps_free(data)
    }

    /// Returns the next report in `bytes` at or after `offset`, or `nil` if there is none. Moves `offset` past the
    /// bytes read.
    mutating func next(in bytes: RawSpan, at offset: inout Int) -> GPSDReport? {
        while offset < bytes.byteCount {
            let byte = bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
            offset += 1
            if byte == UInt8(ascii: "\n") {
                if let report = finishLine() { return report }
            } else if line.count < Self.maximumLineLength {
                line.append(byte)
            } else {
                isOverlong = true
            }
        }
        return nil
    }

    private mutating func finishLine() -> GPSDReport? {
        defer {
            line.removeAll(keepingCapacity: true)
            isOverlong = false
        }
        if isOverlong {
            overlongLines += 1
            return nil
        }
        removeBlanks()
        line.append(0)
        let magneticHeading = cgps_magnetic_heading(line)
        let (used, inView) = (cgps_sky_count(line, "\"uSat\":"), cgps_sky_count(line, "\"nSat\":"))
        return switch cgps_unpack(&line, data) {
        case CGPS_TPV: .position(GPSDReport.Position(data))
        case CGPS_SKY: .sky(GPSDReport.Sky(data, used: Int(used), inView: Int(inView)))
        case CGPS_GST: .errors(GPSDReport.Errors(data))
        case CGPS_ATT: .attitude(GPSDReport.Attitude(data, magneticHeading: magneticHeading))
        case CGPS_VERSION: .version
        case CGPS_DEVICE: .device(path: String(cString: cgps_device(data)), isActive: cgps_device_is_active(data))
        default: nil
        }
    }

    /// Removes the blanks between the parts of the JSON. Servers other than gpsd write them, and libgps does not expect
    /// them.
    private mutating func removeBlanks() {
        var (isInText, isEscaped, end) = (false, false, 0)
        for byte in line {
            if isInText {
                if !isEscaped, byte == UInt8(ascii: "\"") { isInText = false }
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
            } else {
                if byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") { continue }
                if byte == UInt8(ascii: "\"") { (isInText, isEscaped) = (true, false) }
            }
            line[end] = byte
            end += 1
        }
        line.removeLast(line.count - end)
    }

    /// The satellites of the last sky report. A satellite tracked on several signals counts once.
    var satellites: [Satellite] {
        var satellites: [Satellite] = []
        for index in 0..<cgps_satellite_count(data) {
            guard let satellite = Satellite(cgps_satellite(data, index)) else { continue }
            let known = satellites.firstIndex {
                $0.constellation == satellite.constellation && $0.number == satellite.number
            }
            guard let known else {
                satellites.append(satellite)
                continue
            }
            satellites[known].used = satellites[known].used || satellite.used
            satellites[known].signalStrength =
                [satellites[known].signalStrength, satellite.signalStrength].compactMap(\.self).max()
        }
        return satellites
    }
}
