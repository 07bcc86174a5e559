import Foundation
import LocationProtocol
import NIOCore
import TestSupport
import Testing
import Varlink

@testable import CoreLocation
@testable import CoreLocationDaemon

/// The geocoder of the machine: a service of its own, which apps connect to and the daemon does not.
@Suite(.timeLimit(.minutes(15))) struct MachineGeocoderTests {
    private static func key(_ socket: String) -> String { "[geocoder]\nsocket = \"\(socket)\"\n" }

    /// A service for the towns of a file, by the program in Examples.
    private func startService(_ socket: String, towns: [String]) async throws -> RunningProgram {
        let folder = URL(filePath: socket).deletingLastPathComponent().path(percentEncoded: false)
        let file = "\(folder)/\(UUID()).txt"
        try towns.map { $0 + "\n" }.joined().write(toFile: file, atomically: true, encoding: .utf8)
        let service = try RunningProgram(
            "/usr/bin/python3", [Project.folder + "/Examples/geocoder/towns.py", socket, file])
        try await eventually("the service: \(service.errors)") { FileManager.default.isWritableFile(atPath: socket) }
        return service
    }

    private static func town(_ name: String, _ latitude: Double, _ longitude: Double, zone: String) -> String {
        var columns = Array(repeating: "", count: 19)
        for (index, text) in [(1, name), (4, "\(latitude)"), (5, "\(longitude)"), (8, "DE"), (17, zone)] {
            columns[index] = text
        }
        return columns.joined(separator: "\t")
    }

    private let bavaria = [
        Self.town("Ulm", 48.4, 9.99, zone: "Europe/Berlin"), Self.town("Lindau", 47.55, 9.69, zone: "Europe/Berlin"),
    ]

    @Test func anAppFindsAddressesThroughTheServiceThatIsConfigured() async throws {
        let folder = try TemporaryFolder()
        let (first, second) = (folder.path + "/first", folder.path + "/second")
        let services = [
            try await startService(first, towns: bavaria),
            try await startService(second, towns: [Self.town("Neu-Ulm", 48.39, 10, zone: "Asia/Tokyo")]),
        ]
        let daemon = try await TestDaemon(receivers: [])
        let app = try await FixtureApp("concurrency-app", daemon)
        func lines() async throws -> [String] {
            let end = try await app.start("geocode").end()
            #expect(end.status == 0, "\(end.errors)")
            return end.lines
        }
        func configure(_ text: String) async throws {
            let count = daemon.log.split(separator: "\n").count { $0.contains("the configuration was read again") }
            try ("discover = false\n" + text).write(toFile: daemon.configuration, atomically: true, encoding: .utf8)
            daemon.program.signal(SIGHUP)
            try await eventually("the configuration: \(daemon.log)") {
                daemon.log.split(separator: "\n").count { $0.contains("the configuration was read again") } > count
            }
        }
        // No decision about the app is needed: it has its places from elsewhere.
        #expect(try await lines() == ["failure 2"])
        try await configure(Self.key(first))
        #expect(try await lines() == ["Ulm DE Europe/Berlin", "47.55 9.69", "failure 8"])
        try await configure(Self.key(second))
        #expect(try await lines() == ["Neu-Ulm DE Asia/Tokyo", "failure 8"])
        try await configure(Self.key(folder.path + "/third"))
        #expect(try await lines() == ["failure 2"])
        try await configure("")
        #expect(try await lines() == ["failure 2"])
        withExtendedLifetime(services) {}
    }

    @Test func theKeyIsUsedFromTheStart() async throws {
        let daemon = try await TestDaemon(receivers: [], configuration: Self.key("/run/towns"))
        #expect(try await daemon.call(GetGeocoder.self, Nothing()).socket == "/run/towns")
    }

    /// Attack: the service hangs, floods the app, or sends what is not of the interface. The request fails in time, and
    /// the app's next one works.
    @Test(arguments: [
        "silent", "closing", "endless", "too long", "not JSON", "other type", "no placemarks", "two replies",
        "deep", "unknown error", "unavailable",
    ])
    func aHostileServiceCostsTheAppOneRequest(_ kind: String) async throws {
        let folder = try TemporaryFolder()
        let socket = folder.path + "/geocoder"
        let script = Program.script("Servers/hostile_geocoder")
        let service = try RunningProgram("/usr/bin/python3", ["-c", script, socket, kind])
        try await eventually("the service: \(service.errors)") { service.lines.contains("listening") }
        let daemon = try await TestDaemon(receivers: [], configuration: Self.key(socket))
        var delays = AppSession.Delays()
        // Long enough for a busy machine where the service answers.
        delays.geocoding = kind == "silent" || kind == "endless" ? .milliseconds(300) : .minutes(5)
        let session = AppSession(runtimeDirectory: daemon.runtime, delays: delays)
        let error = await Backend.$current.withValue(DaemonBackend(session)) {
            await #expect(throws: CLError.self) {
                _ = try await CLGeocoder().reverseGeocodeLocation(CLLocation(latitude: 48, longitude: 10))
            }
        }
        #expect(error?.code == (kind == "no placemarks" ? .geocodeFoundNoResult : .network), "\(kind)")
        // The words of the service are not the app's.
        #expect(error?.localizedDescription.contains("evil") == false)
        #expect(daemon.log.contains("evil") == false)
        service.signal(SIGKILL)
        _ = try await service.end()
        let next = try await startService(socket + "2", towns: bavaria)
        try ("discover = false\n" + Self.key(socket + "2")).write(
            toFile: daemon.configuration, atomically: true, encoding: .utf8)
        daemon.program.signal(SIGHUP)
        try await daemon.waitForLog("the configuration was read again")
        let patient = AppSession(runtimeDirectory: daemon.runtime)
        let found = try await Backend.$current.withValue(DaemonBackend(patient)) {
            try await CLGeocoder().reverseGeocodeLocation(CLLocation(latitude: 48, longitude: 10)).map(\.locality)
        }
        #expect(found == ["Ulm"])
        withExtendedLifetime(next) {}
    }

    /// The daemon may be stopped, and the app too: the service that takes its time is not waited for by others.
    @Test func cancellingARequestClosesItsConnection() async throws {
        let folder = try TemporaryFolder()
        let socket = folder.path + "/geocoder"
        let service = try RunningProgram(
            "/usr/bin/python3", ["-c", Program.script("Servers/hostile_geocoder"), socket, "silent"])
        try await eventually("the service: \(service.errors)") { service.lines.contains("listening") }
        let daemon = try await TestDaemon(receivers: [], configuration: Self.key(socket))
        let session = AppSession(runtimeDirectory: daemon.runtime)
        // Safe: a geocoder may be used from any thread.
        nonisolated(unsafe) let geocoder = CLGeocoder()
        let request = Backend.$current.withValue(DaemonBackend(session)) {
            Task { _ = try await geocoder.reverseGeocodeLocation(CLLocation(latitude: 48, longitude: 10)) }
        }
        try await eventually("the call: \(service.errors)") { service.lines.contains("called") }
        geocoder.cancelGeocode()
        await #expect(throws: CLError(.geocodeCanceled)) { try await request.value }
        try await eventually("the end of the connection: \(service.lines)") { service.lines.contains("closed") }
    }
}
