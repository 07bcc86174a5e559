import CGPS
import Foundation
import TestSupport

/// A report of gpsd's protocol: one line of JSON.
struct GPSDReport {
    let line: String
    /// The line's JSON object. Empty for a line that is something else, such as a sentence.
    let fields: [String: Any]

    init(_ line: String) {
        self.line = line
        fields = (try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]) ?? [:]
    }

    /// The value of `class`, or an empty string for a line that is not JSON.
    var kind: String { fields["class"] as? String ?? "" }
    var mode: Int? { fields["mode"] as? Int }
    var time: String? { fields["time"] as? String }
    var message: String? { fields["message"] as? String }
    /// A Boolean value indicating whether the report says where the device is.
    var hasPlace: Bool { fields["lat"] != nil || fields["lon"] != nil }

    func number(_ key: String) -> Double? { fields[key] as? Double }

    func list(_ key: String) -> [[String: Any]] { fields[key] as? [[String: Any]] ?? [] }
}

/// A connection of this process to a server of gpsd's protocol. To locationd, this process is the app.
final class GPSDConnection {
    /// VERSION, with the release of the libgps of this machine.
    static let version: String = {
        let release = String(cString: cgps_release())
        return #"{"class":"VERSION","release":"\#(release)","rev":"\#(release)","#
            + #""proto_major":\#(cgps_protocol_major()),"proto_minor":\#(cgps_protocol_minor())}"#
    }()

    let socket: RawSocket

    init(_ socket: RawSocket) { self.socket = socket }

    /// Sends a request exactly as it is, without a line end.
    func send(_ request: String) { socket.send(Array(request.utf8)) }

    /// Sends the request of libgps: reports, as JSON.
    func watch() { send("?WATCH={\"enable\":true,\"json\":true};\n") }

    /// Returns the next line without gpsd's line end, CR LF.
    func line() async throws -> String {
        guard let line = try await socket.receiveLine() else { throw Overdue(what: "a line: the connection is closed") }
        guard line.hasSuffix("\r") else { throw Overdue(what: "a carriage return after \(line)") }
        return String(line.dropLast())
    }

    /// Returns the next lines.
    func lines(_ count: Int) async throws -> [String] {
        var lines: [String] = []
        while lines.count < count { lines.append(try await line()) }
        return lines
    }

    /// Returns the next report that meets a condition, and drops the ones before it.
    func report(_ what: String, where isIt: (GPSDReport) -> Bool) async throws -> GPSDReport {
        var seen: [String] = []
        while true {
            let report = GPSDReport(try await line())
            if isIt(report) { return report }
            seen.append(report.line)
            if seen.count > 100_000 { throw Overdue(what: "\(what) after \(seen.suffix(5))") }
        }
    }

    /// Returns the next report of a class.
    func report(_ kind: String) async throws -> GPSDReport { try await report(kind) { $0.kind == kind } }

    /// Returns everything that was sent before the reply to a request that is made now.
    func reportsSoFar() async throws -> [GPSDReport] {
        send("?VERSION;")
        var reports: [GPSDReport] = []
        while true {
            let report = GPSDReport(try await line())
            if report.kind == "VERSION" { return reports }
            reports.append(report)
        }
    }
}
