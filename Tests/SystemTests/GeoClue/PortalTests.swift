import Foundation
import LocationProtocol
import TestSupport
import Testing

/// The desktop portal as Debian has it, which asks locationd through GeoClue's interface.
@Suite(
    .timeLimit(.minutes(15)),
    .enabled(if: PrivateBus.isInstalled && Portal.isInstalled, "needs xdg-desktop-portal"))
struct PortalTests {
    private static let name = "org.freedesktop.portal.Desktop"
    private static let path = "/org/freedesktop/portal/desktop"
    private static let interface = "org.freedesktop.portal.Location"

    private let front: GeoClueFrontDaemon
    private let session: PrivateBus
    private let folder: TemporaryFolder
    private let portal: RunningProgram

    init() async throws {
        front = try await GeoClueFrontDaemon()
        session = try await PrivateBus()
        folder = try TemporaryFolder()
        // It has no location without a backend that would ask about apps in sandboxes.
        try folder.write(
            """
            [portal]
            DBusName=org.freedesktop.impl.portal.desktop.test
            Interfaces=org.freedesktop.impl.portal.Access;
            UseIn=test

            """, to: "test.portal")
        portal = try RunningProgram(
            Portal.executable, [],
            environment: [
                "DBUS_SESSION_BUS_ADDRESS": session.address, "DBUS_SYSTEM_BUS_ADDRESS": front.bus.address,
                "HOME": folder.path, "XDG_DATA_HOME": folder.path, "XDG_RUNTIME_DIR": folder.path,
                "XDG_DESKTOP_PORTAL_DIR": folder.path, "XDG_CURRENT_DESKTOP": "test",
            ])
        try await session.waitForOwner(of: Self.name)
    }

    /// The documents say so: the portal passes its access on to every program outside of a sandbox, without asking,
    /// even if the program was denied. So its accuracy is reduced at first.
    @Test func aDeniedProgramGetsTheAccessOfThePortal() async throws {
        let direct = try await front.app()
        _ = try await direct.start()
        try await front.decide("deny")
        try await front.waitUntilActive(false, direct)
        #expect(try await front.daemon.ctl("grant", "exe:\(Portal.executable)", "--always", "--reduced").status == 0)
        let program = try session.connect()
        let handle = try await program.call(
            to: Self.name, Self.path, Self.interface, "CreateSession",
            [.dictionary(["session_handle_token": .text("test")])]
        ).first?.text
        try await program.call(
            to: Self.name, Self.path, Self.interface, "Start",
            [.path(handle ?? ""), .text(""), .dictionary([:])])
        var location: [String: BusValue]?
        try await front.passEpochs(until: "a location: \(portal.errors)") {
            try program.receive()
            location = program.signals.last { $0.member == "LocationUpdated" }?.arguments.last?.dictionary
            return location != nil
        }
        #expect(location?["Latitude"]?.real != nil)
        #expect(location?["Accuracy"]?.real ?? 0 > 1000, "a cell")
        #expect(try await direct.start() == "AccessDenied")
    }
}

private enum Portal {
    static let executable = "/usr/libexec/xdg-desktop-portal"
    static let isInstalled = FileManager.default.isExecutableFile(atPath: executable)
}
