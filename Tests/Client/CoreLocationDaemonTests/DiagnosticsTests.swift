import Foundation
import LocationClient
import TestSupport
import Testing

@testable import CoreLocation
@testable import CoreLocationDaemon

@Suite struct DiagnosticsTests {
    private static let causes: [Diagnostics.Cause] = [
        .authorizationNotRequested, .usageDescriptionMissing(.whenInUse), .usageDescriptionMissing(.always),
        .noConnectionLeft(.connectionsPerApp), .noConnectionLeft(.connectionsPerUser), .noConnectionLeft(.connections),
        .monitorIsOpen(name: "places"), .purposeMissing(key: "turns"), .daemonUnreachable(path: "/run/x"),
    ]

    private let lines = RecordedLines()
    private var diagnostics: Diagnostics { Diagnostics { [lines] in lines.add($0) } }

    @Test func eachCauseHasOneLine() {
        let diagnostics = diagnostics
        for cause in Self.causes + Self.causes.reversed() { diagnostics.report(cause) }
        #expect(lines.all.count == Self.causes.count)
        #expect(Set(lines.all).count == Self.causes.count)
        for line in lines.all {
            #expect(line.hasPrefix("CoreLocation: ") && line.firstIndex(of: "\n") == line.indices.last, "\(line)")
        }
    }

    @Test(
        arguments: [
            (.authorizationNotRequested, ["requestWhenInUseAuthorization()", "`locationctl grant 'exe:/"]),
            (
                .usageDescriptionMissing(.whenInUse),
                ["NSLocationWhenInUseUsageDescription", "`locationctl grant 'exe:/"]
            ),
            (.usageDescriptionMissing(.always), ["NSLocationAlwaysAndWhenInUseUsageDescription", "Info.plist"]),
            (.noConnectionLeft(.connectionsPerApp), ["limits.connections-per-user", "`systemctl reload locationd`"]),
            (.noConnectionLeft(.connectionsPerUser), ["limits.connections-per-user", "/etc/locationd/locationd.toml"]),
            (.purposeMissing(key: "turns"), ["'turns'", "[temporary-full-accuracy]"]),
            (.noConnectionLeft(.connections), ["LimitNOFILE=", "`systemctl restart locationd`"]),
            (.daemonUnreachable(path: "/run/x"), ["/run/x", "`sudo systemctl start locationd`"]),
        ] as [(Diagnostics.Cause, [String])])
    func aLineSaysWhatToDo(cause: Diagnostics.Cause, remedies: [String]) throws {
        diagnostics.report(cause)
        let line = try #require(lines.all.first)
        for remedy in remedies { #expect(line.contains(remedy), "\(line)") }
    }

    @Test func theCommandNamesTheExecutable() {
        #expect(Diagnostics.Cause.commandToGrant(executable: "/opt/my map") == "locationctl grant 'exe:/opt/my map'")
    }

    @Test(arguments: [nil, "/opt/ada's map", "/opt/map (deleted)", "/opt/my\nmap"])
    func theCommandLeavesOutAPathThatItCannotName(path: String?) {
        #expect(Diagnostics.Cause.commandToGrant(executable: path) == "locationctl grant APP")
    }

    @Test func aLineIsWritten() throws {
        let pipe = Pipe()
        StandardError.writeLine("CoreLocation: here\n", to: pipe.fileHandleForWriting)
        try pipe.fileHandleForWriting.close()
        #expect(try pipe.fileHandleForReading.readToEnd() == Data("CoreLocation: here\n".utf8))
    }

    /// Every write to this device fails, as to a full disk.
    @Test func aLineThatCannotBeWrittenDoesNotEndTheApp() throws {
        let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
        StandardError.writeLine("CoreLocation: here\n", to: full)
        try full.close()
    }

    @Test func onlyRefusedConnectionsAreReported() {
        let diagnostics = diagnostics
        let others: [LocationError?] = [
            nil, .locationUnknown, .notAuthorized(.denied), .limitExceeded(limit: "unwrittenChangesPerUser"),
        ]
        for error in others { diagnostics.reportFailure(error) }
        #expect(lines.all.isEmpty)
        diagnostics.reportFailure(.limitExceeded(limit: "connectionsPerApp"))
        diagnostics.reportFailure(.limitExceeded(limit: "connectionsPerApp"))
        diagnostics.reportFailure(.limitExceeded(limit: "connectionsPerUser"))
        #expect(lines.all.count == 2)
    }
}
