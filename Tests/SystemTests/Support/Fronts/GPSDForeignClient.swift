import Foundation
import LocationModel
import TestSupport
import Testing

/// A client of gpsd by other authors, run unchanged. It prints what it receives until it is ended.
struct GPSDForeignClient: CustomTestStringConvertible {
    /// The form of a fix in a client's output.
    enum Form {
        /// The time as in the protocol, and the coordinates in degrees.
        case degrees
        /// NMEA sentences.
        case sentences
    }

    let testDescription: String
    let program: String
    let form: Form
    /// A Boolean value indicating whether the client is sure to show a reduced location.
    var getsCell = true
    /// The arguments; `HOST` and `PORT` stand for the server's.
    let arguments: [String]

    static let all = programs + scripts

    private static let programs = [
        GPSDForeignClient("gpspipe -w", "/usr/bin/gpspipe", .degrees, ["-w", "HOST:PORT"]),
        GPSDForeignClient("gpspipe -r", "/usr/bin/gpspipe", .sentences, ["-r", "HOST:PORT"]),
        GPSDForeignClient("gpspipe -R", "/usr/bin/gpspipe", .sentences, getsCell: false, ["-R", "HOST:PORT"]),
        // It ends after 5 s without a report, and begins again with -r.
        GPSDForeignClient("gpxlogger", "/usr/bin/gpxlogger", .degrees, ["-r", "-i", "600", "HOST:PORT"]),
        GPSDForeignClient("gpscsv", "/usr/bin/gpscsv", .degrees, ["HOST:PORT"]),
    ]

    /// Scripts with the clients' libraries: Debian's python3-gps, and PyPI's gpsd-py3 and gps3.
    private static let scripts = [
        GPSDForeignClient(
            "python3-gps", "/usr/bin/python3", .degrees, needs: "gps",
            [
                "-uc",
                Program.script("GPSDClients/python3_gps"),
            ]),
        GPSDForeignClient(
            "gpsd-py3", python, .degrees, needs: "gpsd",
            [
                "-uc",
                Program.script("GPSDClients/gpsd_py3"),
            ]),
        // Of lines that arrive together, it reads only the first: the cell, which comes once, may be one of the others.
        GPSDForeignClient(
            "gps3", python, .degrees, getsCell: false, needs: "gps3",
            [
                "-uc",
                Program.script("GPSDClients/gps3"),
            ]),
    ]

    private static let python = ProcessInfo.processInfo.environment["VARLINK_PYTHON"] ?? ""

    /// A Python module that the client needs.
    private var module: String?

    private init(
        _ name: String, _ program: String, _ form: Form, getsCell: Bool = true, needs module: String? = nil,
        _ arguments: [String]
    ) {
        testDescription = name
        self.program = program
        self.form = form
        self.getsCell = getsCell
        self.module = module
        self.arguments = arguments
    }

    var isInstalled: Bool {
        guard !program.isEmpty, access(program, X_OK) == 0 else { return false }
        guard let module else { return true }
        return (try? RunningProgram(program, ["-c", "import \(module)"]))?.waitUntilEnd() == 0
    }

    func start(port: Int) throws -> RunningProgram {
        let words = arguments.map {
            $0.replacingOccurrences(of: "HOST", with: "127.0.0.1").replacingOccurrences(of: "PORT", with: "\(port)")
        }
        return try RunningProgram(program, words, environment: ["PYTHONUNBUFFERED": "1"])
    }

    /// Returns whether the client has printed the fix of an epoch.
    func shows(epoch second: Int, in output: String) -> Bool {
        let time = Sentences.timestamp(second)
        switch form {
        case .degrees: return output.contains(time)
        case .sentences: return output.contains("$GPRMC,\(time.dropFirst(11).prefix(8).filter(\.isNumber)).00,A,")
        }
    }

    /// Returns whether the client has printed a location that is not one of the track's.
    func shows(cell: Location, in output: String) -> Bool {
        switch form {
        case .degrees: return output.contains(String(format: "%.9f", cell.longitude).prefix(8))
        case .sentences:
            return output.split(whereSeparator: \.isNewline).contains { line in
                let fields = line.split(separator: ",", omittingEmptySubsequences: false)
                guard fields.first == "$GPRMC", fields.count > 5, let angle = Double(fields[5]) else { return false }
                let degrees = (angle / 100).rounded(.towardZero)
                let longitude = degrees + (angle - degrees * 100) / 60
                return abs(longitude - cell.longitude) < 0.0001
            }
        }
    }
}
