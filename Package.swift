// swift-tools-version: 6.2
import PackageDescription

/// The settings of every Swift target: warnings are errors, imports are explicit, `any` is spelled out.
let strict: [SwiftSetting] =
    [.treatAllWarnings(as: .error)]
    + ["ExistentialAny", "MemberImportVisibility", "InternalImportsByDefault"].map { .enableUpcomingFeature($0) }

/// Checked as in Swift 6, but a Swift 5 module to its users, as Apple's are: `@preconcurrency import` has no warnings.
let asApples = strict + [.swiftLanguageMode(.v5), .enableUpcomingFeature("StrictConcurrency")]
let nio: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioPosix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio")
let nioLocks: Target.Dependency = .product(name: "NIOConcurrencyHelpers", package: "swift-nio")
let nioEmbedded: Target.Dependency = .product(name: "NIOEmbedded", package: "swift-nio")
let log: Target.Dependency = .product(name: "Logging", package: "swift-log")
let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let tomlKit: Target.Dependency = .product(name: "TOMLKit", package: "TOMLKit")

let package = Package(
    name: "locationd",
    dependencies: [
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
    ],
    swiftLanguageModes: [.v6]
)

// The linker joins the first two targets of CoreLocation: neither is complete without the other
let coreLocation = ["CoreLocation", "CoreLocationDaemon", "CoreLocationGeocoding"]
let programs = ["locationctl"] + ["", "-peers", "-publish", "-nmea", "-ntrip"].map { "locationd\($0)" }
package.products = ["NMEA", "Varlink", "LocationClient"].map { .library(name: $0, targets: [$0]) }
package.products.append(.library(name: "CoreLocation", targets: coreLocation))
// On its own: a package that finds it by `canImport(Contacts)` expects all of Apple's
package.products.append(.library(name: "Contacts", targets: coreLocation + ["Contacts"]))
package.products += programs.map { .executable(name: $0, targets: [$0]) }
// `make sdk` makes a library of it with only CoreLocation's symbols visible
package.products.append(.library(name: "CoreLocationArchive", type: .static, targets: coreLocation + ["Contacts"]))

// `make fuzz` sets it: libFuzzer's targets are then a library, because `@testable` needs a flag in a release build
let isFuzzing = Context.environment["LOCATIOND_FUZZ"] != nil
package.products += isFuzzing ? [.library(name: "Fuzz", type: .static, targets: ["Fuzz"])] : []

/// Returns the modules of a room, which is a folder of `Sources`, with their tests in the same folder of `Tests`.
func room(_ name: String, _ targets: Target...) -> [Target] {
    for target in targets { target.path = "\(target.type == .test ? "Tests" : "Sources")/\(name)/\(target.name)" }
    return targets
}

func module(
    _ name: String, uses dependencies: Target.Dependency..., path: String? = nil, exclude: [String] = [],
    embedding resources: [String] = [], settings: [SwiftSetting] = strict
) -> Target {
    .target(
        name: name, dependencies: dependencies, path: path, exclude: exclude,
        resources: resources.map { .embedInCode($0) }, swiftSettings: settings)
}

func program(
    _ name: String, uses dependencies: Target.Dependency..., path: String? = nil, exclude: [String] = [],
    settings: [SwiftSetting] = strict
) -> Target {
    .executableTarget(name: name, dependencies: dependencies, path: path, exclude: exclude, swiftSettings: settings)
}

func app(_ name: String, path: String, exclude: [String] = [], settings: [SwiftSetting] = strict) -> Target {
    program(name, uses: "CoreLocation", "CoreLocationDaemon", path: path, exclude: exclude, settings: settings)
}

func tests(
    _ name: String, uses dependencies: Target.Dependency..., path: String? = nil, exclude: [String] = [],
    asLibrary isLibrary: Bool = false
) -> Target {
    isLibrary
        ? .target(name: name, dependencies: dependencies, path: path, exclude: exclude, swiftSettings: strict)
        : .testTarget(name: name, dependencies: dependencies, path: path, exclude: exclude, swiftSettings: strict)
}
package.targets += room(
    "Shims",
    .target(name: "CLinux"),
    .target(name: "CCrypto"),
    // Without pkg-config, which names the folders of all libraries behind Debian 13's libcurl
    .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CGPS", pkgConfig: "libgps", providers: [.apt(["libgps-dev"])]),
    .systemLibrary(name: "CMosquitto", pkgConfig: "libmosquitto", providers: [.apt(["libmosquitto-dev"])]),
    .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
    .systemLibrary(name: "CUdev", pkgConfig: "libudev", providers: [.apt(["libudev-dev"])]),
    .target(name: "CNoUnicodeData", cSettings: [.define("LEAVES_OUT_UNICODE_DATA", .when(configuration: .release))]),
)
package.targets += room(
    "Base",
    module("Bytewise"),
    module("Linux", uses: "CLinux"),
    module("ForeignText"),
    module("JSON", uses: "Bytewise"),
    module("StateFiles", uses: "CCrypto", nio, nioPosix, log),
    module("EventLoopSupport", uses: "CLinux", "Linux", nio, nioPosix, nioLocks),
    module("Bus", uses: "Bytewise", "CLinux", "CSystemd", "EventLoopSupport", "Linux", nio, exclude: ["README.md"]),
    module("Varlink", uses: "Bytewise", "CLinux", "EventLoopSupport", "JSON", "Linux", nio, nioPosix),
    module(
        "ServiceSupport", uses: "Bytewise", "CSystemd", "ForeignText", "Linux", nio, nioPosix, nioLocks, log,
        argumentParser, tomlKit),
    tests("BytewiseTests", uses: "Bytewise", "TestSupport"),
    tests("ForeignTextTests", uses: "ForeignText"),
    tests("JSONTests", uses: "JSON", "TestSupport"),
    tests("StateFilesTests", uses: "StateFiles", "TestSupport"),
    tests("EventLoopSupportTests", uses: "EventLoopSupport", "TestSupport", nioEmbedded),
    tests("BusTests", uses: "Bus", "TestSupport"),
    tests("VarlinkTests", uses: "Varlink", "TestSupport"),
    tests("ServiceSupportTests", uses: "ServiceSupport", nioEmbedded),
)
package.targets += room(
    "Location",
    module("LocationModel", uses: "Bytewise"),
    module("Positioning", uses: "LocationModel"),
    module("AuthorizationPolicy", uses: "Bytewise", "LocationModel", exclude: ["README.md"]),
    module("TimeTransfer", exclude: ["README.md"]),
    module(
        "LocationProtocol", uses: "LocationModel", "Varlink",
        embedding: ["Location", "Manage", "Geocoder"].map { "io.locationd.\($0).varlink" }),
    program("interface-manual", uses: "Varlink", argumentParser),
    tests("LocationModelTests", uses: "LocationModel", "TestSupport"),
    tests("PositioningTests", uses: "Positioning", "TestSupport"),
    tests("AuthorizationPolicyTests", uses: "AuthorizationPolicy", "TestSupport"),
    tests("TimeTransferTests", uses: "TestSupport", "TimeTransfer"),
    tests("LocationProtocolTests", uses: "LocationProtocol"),
    tests("InterfaceManualTests", uses: "interface-manual"),
)
package.targets += room(
    "GNSS",
    module("NMEA"),
    module("SentenceWriting", uses: "LocationModel", "NMEA"),
    module("RTCM"), module("GPX"), module("FileFormats"),
    module(
        "LogReport", uses: "FileFormats", "ForeignText", "GPX", "JSON", "LocationModel", "NMEA",
        embedding: ["Page/page.css", "Page/page.js"]),
    tests("NMEATests", uses: "NMEA", "Corpus", "TestSupport"),
    tests("SentenceWritingTests", uses: "SentenceWriting"),
    tests("RTCMTests", uses: "RTCM", "TestSupport"),
    tests("GPXTests", uses: "GPX"),
    tests("FileFormatsTests", uses: "FileFormats"),
    tests("LogReportTests", uses: "LogReport", "Corpus", "TestSupport"),
)
package.targets += room(
    "Daemon",
    module("PeerIdentity", uses: "AuthorizationPolicy", "CLinux", "CSystemd", "Linux", "LocationModel"),
    program(
        "locationd-peers", uses: "AuthorizationPolicy", "CLinux", "CSystemd", "ForeignText", "JSON", "Linux",
        "LocationModel", "PeerIdentity"),
    module("Devices", uses: "CUdev", "ForeignText"),
    module("ReceiverSettings", uses: "LocationModel", "NMEA", "SentenceWriting", nio),
    module("Logins", uses: "CSystemd", "EventLoopSupport", "Linux", "PeerIdentity", nio, log),
    module(
        "Receivers", uses: "CLinux", "CGPS", "CUdev", "Devices", "EventLoopSupport", "FileFormats", "ForeignText",
        "GPX", "Linux", "LocationModel", "NMEA", "RTCM", "ReceiverSettings", "SentenceWriting", "StateFiles", "Bus",
        "TimeTransfer", nio, nioPosix, nioLocks, log, exclude: ["README.md"]),
    module("Beacons", uses: "Bus", "EventLoopSupport", "LocationModel", "Receivers", nio),
    module("Surroundings", uses: "Bus", "EventLoopSupport", "Linux", "LocationModel", "Positioning", "Receivers", nio),
    module(
        "LocationCore", uses: "AuthorizationPolicy", "Beacons", "Bytewise", "CLinux", "Devices", "EventLoopSupport",
        "JSON", "Linux", "LocationModel", "Logins", "NMEA", "PeerIdentity", "Positioning", "ReceiverSettings",
        "Receivers", "StateFiles", "Surroundings", "TimeTransfer", nio, nioPosix, nioLocks, log, grdb),
    module(
        "VarlinkFront", uses: "AuthorizationPolicy", "Beacons", "CLinux", "Devices", "EventLoopSupport", "Linux",
        "LocationCore", "LocationModel", "LocationProtocol", "NMEA", "PeerIdentity", "Positioning", "ReceiverSettings",
        "Receivers", "StateFiles", "Surroundings", "Varlink", nio, log, exclude: ["README.md"]),
    module(
        "GPSDFront", uses: "AuthorizationPolicy", "Bytewise", "CGPS", "CLinux", "Devices", "EventLoopSupport", "JSON",
        "Linux", "LocationCore", "LocationModel", "NMEA", "PeerIdentity", "Receivers", "SentenceWriting", nio, nioPosix,
        log, exclude: ["README.md"]),
    module(
        "GeoClueFront", uses: "AuthorizationPolicy", "Bus", "Bytewise", "CLinux", "EventLoopSupport", "Linux",
        "LocationCore", "LocationModel", nio, nioPosix, log, exclude: ["README.md"]),
    module("PolkitAuthority", uses: "Bus", "LocationCore", nio, log),
    module(
        "LocationService", uses: "Bus", "CLinux", "EventLoopSupport", "GPSDFront", "GeoClueFront", "Linux",
        "LocationCore", "LocationProtocol", "PolkitAuthority", "RTCM", "Receivers", "Varlink", "VarlinkFront", nio,
        nioPosix, log),
    module(
        "LocationdCommand", uses: "AuthorizationPolicy", "CLinux", "Devices", "EventLoopSupport", "GPSDFront",
        "LocationCore", "LocationModel", "LocationService", "PeerIdentity", "ReceiverSettings", "Receivers",
        "ServiceSupport", "StateFiles", "Varlink", nio, log, argumentParser),
    program("locationd", uses: "CNoUnicodeData", "LocationdCommand"),
    tests("PeerIdentityTests", uses: "PeerIdentity", "TestSupport"),
    tests("DevicesTests", uses: "Devices"),
    tests("LoginsTests", uses: "Logins", "TestSupport", "own-login", nioEmbedded),
    tests("ReceiverSettingsTests", uses: "ReceiverSettings"),
    tests("ReceiversTests", uses: "Receivers", "ReceiverSettings", "Corpus", "Positioning", "TestSupport", nioEmbedded),
    tests("BeaconsTests", uses: "Beacons", "TestSupport", nioEmbedded),
    tests("SurroundingsTests", uses: "Bus", "Surroundings", "TestSupport"),
    tests("LocationCoreTests", uses: "LocationCore", "StateFiles", "TestSupport", nioEmbedded),
    tests("GPSDFrontTests", uses: "GPSDFront", "TestSupport", nioEmbedded),
    tests("GeoClueFrontTests", uses: "GeoClueFront", "TestSupport"),
    tests("PolkitAuthorityTests", uses: "PolkitAuthority", "TestSupport"),
    tests("LocationServiceTests", uses: "LocationService", "TestSupport", nioEmbedded),
    tests("LocationdTests", uses: "LocationdCommand", "TestSupport"),
)
package.targets += room(
    "Locationctl",
    module(
        "LocationctlSupport", uses: "AuthorizationPolicy", "Bytewise", "CLinux", "Devices", "ForeignText",
        "LocationModel", "LocationProtocol", "PeerIdentity", "Varlink", nio, nioPosix, nioLocks, argumentParser),
    module(
        "TerminalScreens", uses: "AuthorizationPolicy", "LocationModel", "LocationProtocol", "LocationctlSupport",
        "Varlink"),
    module(
        "DesktopAgent", uses: "Bus", "Bytewise", "CLinux", "CSystemd", "EventLoopSupport", "ForeignText",
        "LocationModel", "LocationProtocol", "LocationctlSupport", nio),
    module(
        "MachineDoctor", uses: "AuthorizationPolicy", "Bus", "CLinux", "CSystemd", "Devices", "EventLoopSupport",
        "ForeignText", "LocationModel", "LocationProtocol", "LocationctlSupport", "ReceiverSettings", "Receivers",
        "Varlink", nio, nioPosix),
    module(
        "LocationctlCommands", uses: "AuthorizationPolicy", "Bytewise", "DesktopAgent", "Devices", "FileFormats",
        "ForeignText", "JSON", "Linux", "LocationModel", "LocationProtocol", "LocationctlSupport", "LogReport",
        "MachineDoctor", "NMEA", "NMEARelay", "NTRIP", "Publishing", "TerminalScreens", "Varlink", nio, nioPosix,
        nioLocks, argumentParser),
    program("locationctl", uses: "LocationctlCommands"),
    tests("LocationctlTests", uses: "LocationctlCommands", "ServiceSupport", "TestSupport"),
    tests("DecisionWalkTests", uses: "LocationctlCommands", "TestSupport", "VarlinkFront"),
)
package.targets += room(
    "Publish",
    module("Publishing", uses: "JSON", "LocationModel"),
    module(
        "LocationPublishCommand", uses: "CCrypto", "CCurl", "CMosquitto", "EventLoopSupport", "ForeignText", "JSON",
        "LocationClient", "LocationModel", "LocationProtocol", "Publishing", "ServiceSupport", "StateFiles", nio,
        nioPosix, nioLocks, log, argumentParser, grdb, exclude: ["README.md"]),
    program("locationd-publish", uses: "CNoUnicodeData", "LocationPublishCommand"),
    tests("PublishingTests", uses: "Publishing", "TestSupport"),
    tests("LocationPublishTests", uses: "LocationPublishCommand", "TestSupport", nioEmbedded),
)
package.targets += room(
    "Relay",
    module("NMEARelay"),
    module("NTRIP", uses: "EventLoopSupport", "LocationModel", "NMEARelay", "RTCM", "SentenceWriting"),
    module(
        "LocationNMEACommand", uses: "CLinux", "EventLoopSupport", "ForeignText", "JSON", "Linux", "LocationClient",
        "LocationModel", "LocationProtocol", "NMEARelay", "PeerIdentity", "SentenceWriting", "ServiceSupport", "Bus",
        "Varlink", nio, nioPosix, log, argumentParser),
    module(
        "LocationNTRIPCommand", uses: "CCurl", "EventLoopSupport", "ForeignText", "JSON", "Linux", "LocationClient",
        "LocationModel", "LocationProtocol", "NTRIP", "RTCM", "ServiceSupport", nio, nioPosix, log, argumentParser),
    program("locationd-nmea", uses: "CNoUnicodeData", "LocationNMEACommand"),
    program("locationd-ntrip", uses: "CNoUnicodeData", "LocationNTRIPCommand"),
    tests("NMEARelayTests", uses: "NMEARelay"),
    tests("NTRIPTests", uses: "NTRIP", "TestSupport"),
    tests("LocationNMEATests", uses: "LocationNMEACommand", "TestSupport", nioEmbedded),
    tests("LocationNTRIPTests", uses: "LocationNTRIPCommand", "TestSupport"),
)
package.targets += room(
    "Client",
    module(
        "LocationClient", uses: "EventLoopSupport", "LocationModel", "LocationProtocol", "Varlink", nio, nioPosix,
        nioLocks),
    .target(name: "CCoreLocation"),
    // Apple's interface. It imports only Foundation: a program that imports it loads all modules that it imports.
    module("CoreLocation", uses: "CCoreLocation", settings: asApples),
    module("CoreLocationGeocoding", uses: "CoreLocation"),
    module("Contacts", uses: "CoreLocation", settings: asApples),
    module(
        "CoreLocationDaemon", uses: "CLinux", "CoreLocation", "EventLoopSupport", "LocationClient", "LocationModel",
        "LocationProtocol", "Varlink", nio, nioPosix, nioLocks),
    tests("LocationClientTests", uses: "LocationClient", "TestSupport"),
    tests(
        "CoreLocationTests", uses: "CoreLocation", "CoreLocationDaemon", "CoreLocationGeocoding", "Contacts",
        "TestSupport", exclude: ["Symbols", "Geodesics/geodesics.py", "Geodesics/geodesics.tsv"]),
    tests("CoreLocationDaemonTests", uses: "CoreLocationDaemon", "TestSupport"),
)

// The common parts of the rooms' tests, and the tests of more than one room
package.targets += [
    .target(name: "CTestSupport", path: "Tests/Support/CTestSupport"),
    module(
        "TestSupport", uses: "CLinux", "CTestSupport", "LocationModel", "LocationProtocol", nioLocks, log,
        path: "Tests/Support", exclude: ["Buses/bus.conf", "CTestSupport", "Scripts"]),
    module("Corpus", path: "Tests/Corpus", exclude: ["expected", "logs", "make.py", "sentences.py"]),
    tests("DocumentTests", uses: "TestSupport"),
    tests(
        "SystemTests", uses: "CoreLocation", "CoreLocationDaemon", "LocationService", "locationd", "locationctl",
        "TestSupport", "locationd-nmea", "locationd-ntrip", "locationd-peers", "locationd-publish", "interface-manual",
        "classic-app", "run-loop-app", "concurrency-app", "main-actor-app", "example-here", "example-geofence",
        "example-tracker", "example-speedometer", "example-trip", "example-fences", "example-run", "example-diary",
        exclude: ["Support/TrackGPX.xsd"]),
    tests(
        "Fuzz", uses: "GPSDFront", "GeoClueFront", "LogReport", "NMEARelay", "NTRIP", "ReceiverSettings", "Varlink",
        path: "Tests/Fuzz", exclude: ["Seeds"], asLibrary: isFuzzing),
    app("classic-app", path: "Tests/Fixtures/ClassicApp", settings: [.swiftLanguageMode(.v5)]),
    app("run-loop-app", path: "Tests/Fixtures/RunLoopApp", settings: [.swiftLanguageMode(.v5)]),
    app("concurrency-app", path: "Tests/Fixtures/ConcurrencyApp"),
    app("main-actor-app", path: "Tests/Fixtures/MainActorApp", settings: strict + [.defaultIsolation(MainActor.self)]),
    program("own-login", uses: "PeerIdentity", path: "Tests/Fixtures/OwnLogin"),
    .target(name: "CBench", path: "Tests/Benchmarks/CBench"),
    program(
        "locationd-bench", uses: "CBench", "CLinux", "NMEA", "TestSupport", argumentParser, path: "Tests/Benchmarks",
        exclude: ["CBench", "PublishLoad", "Publishing"]
            + ["chrony_offset", "corrections", "delegate_latency", "nmea_latency"].map { "\($0).py" }),
    program(
        "publish-load", uses: "EventLoopSupport", "LocationModel", "LocationPublishCommand", "Publishing",
        "ServiceSupport", nio, nioPosix, nioLocks, log, argumentParser, path: "Tests/Benchmarks/PublishLoad"),
]
// The programs of the package Examples, run by the system tests: built once, together with everything else
package.targets += ["here", "geofence"].map {
    program("example-\($0)", uses: "LocationClient", path: "Examples/Sources/\($0)")
}
package.targets += ["tracker", "speedometer", "trip", "fences", "run", "diary"].map { name in
    let files = name == "diary" ? ["service", "socket", "toml"].map { "diary.\($0)" } : []
    return app("example-\(name)", path: "Examples/Sources/\(name)", exclude: files)
}

// A test may import what the tested modules import, and is built again if any of that changes
let modules = Dictionary(uniqueKeysWithValues: package.targets.map { ($0.name, $0) })
for target in package.targets where target.type == .test {
    var next = target.dependencies
    var known = Set(next.map { "\($0)" })
    while let dependency = next.popLast() {
        guard case .byNameItem(let name, _) = dependency, let module = modules[name] else { continue }
        let further = module.dependencies.filter { known.insert("\($0)").inserted }
        next += further
        target.dependencies += further
    }
}

// The only test targets, if not all: the ones that `make test-arm64` runs under emulation
if let tests = Context.environment["LOCATIOND_TESTS"]?.split(separator: ",").map(String.init) {
    package.targets.removeAll { $0.type == .test && !tests.contains($0.name) }
}
