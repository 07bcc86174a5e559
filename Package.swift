// swift-tools-version: 6.2
import PackageDescription

/// The settings of every Swift target: warnings are errors, imports are explicit, existentials are spelled with
/// `any`.
let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let nio: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioPosix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio")
let nioConcurrencyHelpers: Target.Dependency = .product(
    name: "NIOConcurrencyHelpers", package: "swift-nio")
/// What the product CoreLocation consists of. The linker joins the targets: neither is complete without the other.
let coreLocationTargets = ["CoreLocation", "CoreLocationDaemon"]
let coreLocation = coreLocationTargets.map { Target.Dependency(stringLiteral: $0) }
let log: Target.Dependency = .product(name: "Logging", package: "swift-log")
let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")

/// The targets of libFuzzer. They use `@testable`, which a release build does not have by itself: only with this
/// variable, as `make fuzz` sets it, they are a library that can be built so, and otherwise they are built with the
/// tests.
let isFuzzing = Context.environment["LOCATIOND_FUZZ"] != nil
let fuzzDependencies: [Target.Dependency] = [
    "GPSDFront", "GPX", "GeoClueFront", "JSON", "LocationCore", "LocationModel", "LogReport", "NMEA", "NMEARelay",
    "PeerIdentity",
    "Receivers", "Bus", "Varlink", nio,
]
let fuzzTarget: Target =
    isFuzzing
    ? .target(
        name: "Fuzz", dependencies: fuzzDependencies, path: "Tests/Fuzz", exclude: ["Seeds"], swiftSettings: strict)
    : .testTarget(
        name: "Fuzz", dependencies: fuzzDependencies, path: "Tests/Fuzz", exclude: ["Seeds"], swiftSettings: strict)

/// The only test targets, separated by commas, if they are not all: those that `make test-arm64` runs under emulation.
let testTargets = Context.environment["LOCATIOND_TESTS"]?.split(separator: ",").map(String.init)

let package = Package(
    name: "locationd",
    products: [
        .library(name: "NMEA", targets: ["NMEA"]),
        .library(name: "Varlink", targets: ["Varlink"]),
        .library(name: "LocationClient", targets: ["LocationClient"]),
        .library(name: "CoreLocation", targets: coreLocationTargets),
        .executable(name: "locationd", targets: ["locationd"]),
        .executable(name: "locationctl", targets: ["locationctl"]),
        .executable(name: "locationd-peers", targets: ["locationd-peers"]),
        .executable(name: "locationd-publish", targets: ["locationd-publish"]),
        .executable(name: "locationd-nmea", targets: ["locationd-nmea"]),
        // For `make sdk`, which makes a library of it whose only visible symbols are CoreLocation's
        .library(name: "CoreLocationArchive", type: .static, targets: coreLocationTargets),
    ] + (isFuzzing ? [.library(name: "Fuzz", type: .static, targets: ["Fuzz"])] : []),
    dependencies: [
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
    ],
    targets: [
        // C shims
        .target(name: "CLinux"),
        .target(name: "CCrypto", linkerSettings: [.linkedLibrary("crypto")]),
        // Without pkg-config, which names the folders of all that Debian 13's libcurl is linked with
        .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(
            name: "CGPS", pkgConfig: "libgps", providers: [.apt(["libgps-dev"])]),
        .systemLibrary(
            name: "CMosquitto", pkgConfig: "libmosquitto", providers: [.apt(["libmosquitto-dev"])]),
        .systemLibrary(
            name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
        .systemLibrary(
            name: "CUdev", pkgConfig: "libudev", providers: [.apt(["libudev-dev"])]),

        // Keeps ICU's data out of the shipped programs
        .target(
            name: "CNoUnicodeData",
            cSettings: [.define("LEAVES_OUT_UNICODE_DATA", .when(configuration: .release))]),

        // Linux from Swift: processes, the peers of sockets and failed system calls
        .target(name: "Linux", dependencies: ["CLinux"], swiftSettings: strict),

        // Pure modules: no clock, no randomness, no files and no sockets of their own
        .target(name: "Bytewise", swiftSettings: strict),
        .target(name: "JSON", dependencies: ["Bytewise"], swiftSettings: strict),
        .target(name: "NMEA", swiftSettings: strict),
        .target(name: "FileFormats", swiftSettings: strict),
        .target(name: "GPX", swiftSettings: strict),
        // The values that apps, the protocol and the daemon share
        .target(name: "LocationModel", dependencies: ["Bytewise"], swiftSettings: strict),
        // Policies: filtering, reduction and planning of fixes, and authorization of apps
        .target(name: "Positioning", dependencies: ["LocationModel"], swiftSettings: strict),
        .target(
            name: "AuthorizationPolicy", dependencies: ["Bytewise", "LocationModel"], exclude: ["README.md"],
            swiftSettings: strict),
        // Sentences of NMEA 0183 that are made of locations
        .target(name: "SentenceWriting", dependencies: ["LocationModel", "NMEA"], swiftSettings: strict),
        // Samples of the machine's clock from the times that receivers state
        .target(name: "TimeTransfer", exclude: ["README.md"], swiftSettings: strict),

        // Foreign text, made safe for logs and terminals
        .target(name: "ForeignText", swiftSettings: strict),
        // The statistics of a recorded log, and the page that shows them
        .target(
            name: "LogReport", dependencies: ["FileFormats", "ForeignText", "GPX", "JSON", "LocationModel", "NMEA"],
            resources: [.embedInCode("Page/page.css"), .embedInCode("Page/page.js")], swiftSettings: strict),

        // Shared by the modules that run on an event loop
        .target(
            name: "EventLoopSupport",
            dependencies: ["CLinux", "Linux", nio, nioPosix, nioConcurrencyHelpers],
            swiftSettings: strict),

        // A connection to the system bus
        .target(
            name: "Bus",
            dependencies: ["Bytewise", "CLinux", "CSystemd", "EventLoopSupport", "Linux", nio],
            swiftSettings: strict),

        // The protocol
        .target(
            name: "Varlink",
            dependencies: ["Bytewise", "CLinux", "EventLoopSupport", "JSON", "Linux", nio, nioPosix],
            swiftSettings: strict),
        .target(
            name: "LocationProtocol",
            dependencies: ["LocationModel", "Varlink"],
            resources: [
                .embedInCode("io.locationd.Location.varlink"),
                .embedInCode("io.locationd.Manage.varlink"),
            ],
            swiftSettings: strict),

        // Identifies clients: everything that reads other users' processes, without NIO
        .target(
            name: "PeerIdentity",
            dependencies: ["AuthorizationPolicy", "CLinux", "CSystemd", "Linux", "LocationModel"],
            swiftSettings: strict),
        .executableTarget(
            name: "locationd-peers",
            dependencies: [
                "AuthorizationPolicy", "CLinux", "CSystemd", "ForeignText", "JSON", "Linux", "LocationModel",
                "PeerIdentity",
            ],
            swiftSettings: strict),

        // The folder of a program's state
        .target(name: "StateFiles", swiftSettings: strict),
        // Shared by the programs that run as services
        .target(
            name: "ServiceSupport",
            dependencies: [
                "CSystemd", "ForeignText", nio, nioPosix, nioConcurrencyHelpers, log, argumentParser,
                .product(name: "TOMLKit", package: "TOMLKit"),
            ],
            swiftSettings: strict),

        // What a receiver may be plugged into, and how it is named
        .target(name: "Devices", dependencies: ["CUdev", "ForeignText"], swiftSettings: strict),

        // The daemon
        .target(
            name: "Receivers",
            dependencies: [
                "CLinux", "CGPS", "CUdev", "Devices", "EventLoopSupport", "FileFormats", "ForeignText", "GPX",
                "Linux", "LocationModel", "NMEA", "SentenceWriting", "Bus", "TimeTransfer", nio, nioPosix,
                nioConcurrencyHelpers, log,
            ],
            swiftSettings: strict),
        // The core, independent of any transport
        .target(
            name: "LocationCore",
            dependencies: [
                "AuthorizationPolicy", "Bytewise", "CLinux", "CSystemd", "Devices", "EventLoopSupport", "JSON", "Linux",
                "LocationModel", "NMEA", "PeerIdentity", "Positioning", "Receivers", "StateFiles", "TimeTransfer", nio,
                nioPosix,
                nioConcurrencyHelpers, log, .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: strict),
        // Fronts: the transports of the core
        .target(
            name: "VarlinkFront",
            dependencies: [
                "AuthorizationPolicy", "CLinux", "Devices", "EventLoopSupport", "Linux", "LocationCore",
                "LocationModel", "LocationProtocol", "NMEA", "PeerIdentity", "Positioning", "Receivers", "StateFiles",
                "Varlink", nio, log,
            ],
            exclude: ["README.md"], swiftSettings: strict),
        .target(
            name: "GPSDFront",
            dependencies: [
                "AuthorizationPolicy", "Bytewise", "CGPS", "CLinux", "Devices", "EventLoopSupport", "JSON", "Linux",
                "LocationCore", "LocationModel", "NMEA", "PeerIdentity", "Receivers", "SentenceWriting", nio, nioPosix,
                log,
            ],
            exclude: ["README.md"], swiftSettings: strict),
        .target(
            name: "GeoClueFront",
            dependencies: [
                "AuthorizationPolicy", "Bus", "Bytewise", "CLinux", "EventLoopSupport", "Linux", "LocationCore",
                "LocationModel", nio, nioPosix, log,
            ],
            exclude: ["README.md"], swiftSettings: strict),
        // Who may manage besides the members of a group
        .target(
            name: "PolkitAuthority",
            dependencies: ["Bus", "LocationCore", nio, log], swiftSettings: strict),
        // The core with its fronts
        .target(
            name: "LocationService",
            dependencies: [
                "Bus", "CLinux", "EventLoopSupport", "GPSDFront", "GeoClueFront", "Linux", "LocationCore",
                "PolkitAuthority", "Varlink", "VarlinkFront", nio, nioPosix, log,
            ],
            swiftSettings: strict),
        .target(
            name: "LocationdCommand",
            dependencies: [
                "AuthorizationPolicy", "CLinux", "Devices", "GPSDFront", "LocationCore", "LocationModel",
                "LocationService", "PeerIdentity", "Receivers", "ServiceSupport", "StateFiles", "Varlink", nio,
                nioPosix,
                log,
                argumentParser,
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "locationd", dependencies: ["CNoUnicodeData", "LocationdCommand"], swiftSettings: strict),

        // Publishes this machine's location to a server: an app like any other
        .target(
            name: "Publishing", dependencies: ["JSON", "LocationModel"], swiftSettings: strict),
        .target(
            name: "LocationPublishCommand",
            dependencies: [
                "CCrypto", "CCurl", "CMosquitto", "EventLoopSupport", "ForeignText", "JSON", "LocationClient",
                "LocationModel", "LocationProtocol", "Publishing", "ServiceSupport", "StateFiles", nio, nioPosix,
                nioConcurrencyHelpers, log, argumentParser, .product(name: "GRDB", package: "GRDB.swift"),
            ],
            exclude: ["README.md"], swiftSettings: strict),
        .executableTarget(
            name: "locationd-publish", dependencies: ["CNoUnicodeData", "LocationPublishCommand"],
            swiftSettings: strict),
        // Passes NMEA 0183 from the network on to the daemon, and locations as NMEA 0183 to one program
        .target(name: "NMEARelay", swiftSettings: strict),
        .target(
            name: "LocationNMEACommand",
            dependencies: [
                "CLinux", "EventLoopSupport", "ForeignText", "JSON", "Linux", "LocationClient", "LocationModel",
                "LocationProtocol", "NMEARelay", "PeerIdentity", "SentenceWriting", "ServiceSupport", "Bus",
                "Varlink",
                nio, nioPosix, log, argumentParser,
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "locationd-nmea", dependencies: ["CNoUnicodeData", "LocationNMEACommand"], swiftSettings: strict),
        .target(
            name: "LocationctlCommands",
            dependencies: [
                "AuthorizationPolicy", "Bytewise", "CLinux", "CSystemd", "Devices", "EventLoopSupport", "FileFormats",
                "ForeignText", "JSON", "LocationModel", "LocationProtocol", "LogReport", "NMEA", "NMEARelay",
                "PeerIdentity", "Publishing", "Receivers", "Bus", "Varlink", nio, nioPosix,
                nioConcurrencyHelpers, log, argumentParser,
            ],
            swiftSettings: strict),
        .executableTarget(name: "locationctl", dependencies: ["LocationctlCommands"], swiftSettings: strict),

        // Generates io.locationd.Location(7) from the interface definition
        .executableTarget(
            name: "interface-manual", dependencies: ["Varlink", argumentParser], swiftSettings: strict),
        // The client libraries
        .target(
            name: "LocationClient",
            dependencies: [
                "EventLoopSupport", "LocationModel", "LocationProtocol", "Varlink", nio, nioPosix,
                nioConcurrencyHelpers,
            ],
            swiftSettings: strict),
        .target(name: "CCoreLocation"),
        // Apple's interface. It imports Foundation alone: a program that imports it loads every module that it imports
        .target(
            name: "CoreLocation", dependencies: ["CCoreLocation"],
            // Checked as in Swift 6, but Swift 5 to those who import it, as Apple's module is: they get no warnings
            // about its classes where they say `@preconcurrency import`
            swiftSettings: strict + [.swiftLanguageMode(.v5), .enableUpcomingFeature("StrictConcurrency")]),
        // The part of it that talks to the daemon, which the linker joins to it
        .target(
            name: "CoreLocationDaemon",
            dependencies: [
                "CLinux", "CoreLocation", "EventLoopSupport", "LocationClient", "LocationModel", "LocationProtocol",
                "Varlink",
                nio, nioPosix, nioConcurrencyHelpers,
            ],
            swiftSettings: strict),

        // Helpers shared by the tests, independent of the testing library
        .target(name: "CTestSupport", path: "Tests/Support/CTestSupport"),
        .target(
            name: "TestSupport",
            dependencies: ["CLinux", "CTestSupport", "LocationModel", "LocationProtocol", nioConcurrencyHelpers],
            path: "Tests/Support", exclude: ["Buses/bus.conf", "CTestSupport", "Scripts"], swiftSettings: strict),
        .target(
            name: "Corpus", path: "Tests/Corpus", exclude: ["expected", "logs", "make.py", "sentences.py"],
            swiftSettings: strict),

        // The documents agree with the sources
        .testTarget(name: "DocumentTests", dependencies: ["TestSupport"], swiftSettings: strict),
        // Tests/ mirrors Sources/
        .testTarget(
            name: "EventLoopSupportTests",
            dependencies: [
                "EventLoopSupport", "TestSupport", nio, nioPosix,
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "BusTests", dependencies: ["Bus", "EventLoopSupport", "TestSupport", nio, nioPosix],
            swiftSettings: strict),
        .testTarget(
            name: "StateFilesTests", dependencies: ["StateFiles", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "ServiceSupportTests",
            dependencies: [
                "ServiceSupport", nio, nioConcurrencyHelpers, log,
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "PublishingTests", dependencies: ["JSON", "LocationModel", "Publishing", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "LocationPublishTests",
            dependencies: [
                "LocationPublishCommand", "CCrypto", "JSON", "LocationModel", "Publishing", "ServiceSupport",
                "TestSupport", nio,
                nioPosix, nioConcurrencyHelpers, log, .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "SentenceWritingTests", dependencies: ["LocationModel", "NMEA", "SentenceWriting"],
            swiftSettings: strict),
        .testTarget(name: "NMEARelayTests", dependencies: ["NMEARelay"], swiftSettings: strict),
        .testTarget(
            name: "LocationNMEATests",
            dependencies: [
                "LocationNMEACommand", "Linux", "LocationClient", "LocationModel", "NMEA", "NMEARelay",
                "SentenceWriting", "ServiceSupport", "TestSupport", nio,
                .product(name: "NIOEmbedded", package: "swift-nio"), log,
            ],
            swiftSettings: strict),
        .testTarget(name: "DevicesTests", dependencies: ["Devices"], swiftSettings: strict),
        .testTarget(name: "FileFormatsTests", dependencies: ["FileFormats"], swiftSettings: strict),
        .testTarget(name: "GPXTests", dependencies: ["GPX"], swiftSettings: strict),
        .testTarget(
            name: "LogReportTests", dependencies: ["LogReport", "Corpus", "LocationModel", "NMEA", "TestSupport"],
            swiftSettings: strict),
        .testTarget(name: "ForeignTextTests", dependencies: ["ForeignText"], swiftSettings: strict),
        .testTarget(name: "NMEATests", dependencies: ["NMEA", "Corpus", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "PositioningTests", dependencies: ["LocationModel", "Positioning", "TestSupport"],
            swiftSettings: strict),
        .testTarget(name: "TimeTransferTests", dependencies: ["TestSupport", "TimeTransfer"], swiftSettings: strict),
        .testTarget(
            name: "AuthorizationPolicyTests", dependencies: ["AuthorizationPolicy", "LocationModel", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "LocationModelTests", dependencies: ["LocationModel", "TestSupport"], swiftSettings: strict),
        .testTarget(name: "BytewiseTests", dependencies: ["Bytewise", "TestSupport"], swiftSettings: strict),
        .testTarget(name: "JSONTests", dependencies: ["Bytewise", "JSON", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "VarlinkTests",
            dependencies: ["Bytewise", "EventLoopSupport", "Linux", "Varlink", "TestSupport", nio, nioPosix],
            swiftSettings: strict),
        .testTarget(
            name: "LocationProtocolTests", dependencies: ["Bytewise", "LocationModel", "LocationProtocol", "Varlink"],
            swiftSettings: strict),
        .testTarget(
            name: "LocationClientTests",
            dependencies: [
                "EventLoopSupport", "LocationClient", "LocationModel", "LocationProtocol", "Varlink", "TestSupport",
                nio, nioPosix, nioConcurrencyHelpers,
            ],
            swiftSettings: strict),
        .testTarget(
            name: "ReceiversTests",
            dependencies: [
                "Receivers", "CLinux", "Corpus", "Devices", "GPX", "LocationModel", "NMEA", "Positioning",
                "SentenceWriting", "Bus", "TestSupport", "TimeTransfer", nio, nioPosix,
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "LocationCoreTests",
            dependencies: [
                "LocationCore", "AuthorizationPolicy", "CLinux", "Devices", "EventLoopSupport", "JSON", "Linux",
                "LocationModel", "NMEA",
                "PeerIdentity",
                "Positioning", "Receivers", "TestSupport", "TimeTransfer", "own-login",
                .product(name: "GRDB", package: "GRDB.swift"), nio, nioPosix, log,
                nioConcurrencyHelpers, .product(name: "NIOEmbedded", package: "swift-nio"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "GPSDFrontTests",
            dependencies: [
                "GPSDFront", "AuthorizationPolicy", "Bytewise", "CGPS", "Devices", "EventLoopSupport", "JSON",
                "LocationCore", "LocationModel", "NMEA", "Positioning", "Receivers", "TestSupport", nio, nioPosix,
                .product(name: "NIOEmbedded", package: "swift-nio"), log,
            ],
            swiftSettings: strict),
        .testTarget(
            name: "GeoClueFrontTests",
            dependencies: [
                "GeoClueFront", "AuthorizationPolicy", "Devices", "EventLoopSupport", "LocationCore", "LocationModel",
                "Receivers", "Bus", "TestSupport", nio, nioPosix, log,
            ],
            swiftSettings: strict),
        .testTarget(
            name: "PolkitAuthorityTests",
            dependencies: [
                "PolkitAuthority", "EventLoopSupport", "LocationCore", "Bus", "TestSupport", nio, nioPosix, log,
            ],
            swiftSettings: strict),
        .testTarget(
            name: "DecisionWalkTests",
            dependencies: [
                "AuthorizationPolicy", "EventLoopSupport", "LocationCore", "LocationctlCommands", "LocationModel",
                "LocationProtocol", "TestSupport", "Varlink", "VarlinkFront", nio, nioPosix, nioConcurrencyHelpers, log,
                argumentParser,
            ],
            swiftSettings: strict),
        .testTarget(
            name: "LocationServiceTests",
            dependencies: [
                "LocationService", "CLinux", "EventLoopSupport", "Bus", "TestSupport", nio, nioPosix,
                nioConcurrencyHelpers, log,
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "InterfaceManualTests", dependencies: ["interface-manual", "Varlink"], swiftSettings: strict),
        .testTarget(
            name: "PeerIdentityTests",
            dependencies: ["PeerIdentity", "AuthorizationPolicy", "CLinux", "Linux", "LocationModel", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "LocationctlTests",
            dependencies: [
                "LocationctlCommands", "AuthorizationPolicy", "Devices", "FileFormats", "JSON", "LocationModel",
                "LocationProtocol",
                "NMEA", "NMEARelay", "PeerIdentity", "Publishing", "ServiceSupport", "Bus", "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "LocationdTests",
            dependencies: [
                "LocationdCommand", "AuthorizationPolicy", "GPSDFront", "LocationCore", "LocationModel",
                "ServiceSupport", "TestSupport", log,
            ],
            swiftSettings: strict),
        .testTarget(
            name: "CoreLocationTests", dependencies: coreLocation + ["LocationModel", "TestSupport"],
            exclude: ["Symbols", "Geodesics/geodesics.py", "Geodesics/geodesics.tsv"], swiftSettings: strict),
        .testTarget(
            name: "CoreLocationDaemonTests",
            dependencies: coreLocation + ["LocationClient", "LocationModel", "LocationProtocol", "TestSupport"],
            swiftSettings: strict),
        // The programs of the package Examples, run by the system tests: built once, together with everything else
        .executableTarget(
            name: "example-here", dependencies: ["LocationClient"], path: "Examples/Sources/here",
            swiftSettings: strict),
        .executableTarget(
            name: "example-geofence", dependencies: ["LocationClient"], path: "Examples/Sources/geofence",
            swiftSettings: strict),
        .executableTarget(
            name: "example-tracker", dependencies: coreLocation, path: "Examples/Sources/tracker",
            swiftSettings: strict),
        .executableTarget(
            name: "example-speedometer", dependencies: coreLocation, path: "Examples/Sources/speedometer",
            swiftSettings: strict),
        .executableTarget(
            name: "example-trip", dependencies: coreLocation, path: "Examples/Sources/trip",
            swiftSettings: strict),
        .executableTarget(
            name: "example-fences", dependencies: coreLocation, path: "Examples/Sources/fences",
            swiftSettings: strict),
        .executableTarget(
            name: "example-run", dependencies: coreLocation, path: "Examples/Sources/run", swiftSettings: strict),
        fuzzTarget,
        // Programs run by the system tests
        .executableTarget(
            name: "classic-app", dependencies: coreLocation, path: "Tests/Fixtures/ClassicApp",
            swiftSettings: [.swiftLanguageMode(.v5)]),
        .executableTarget(
            name: "run-loop-app", dependencies: coreLocation, path: "Tests/Fixtures/RunLoopApp",
            swiftSettings: [.swiftLanguageMode(.v5)]),
        .executableTarget(
            name: "concurrency-app", dependencies: coreLocation, path: "Tests/Fixtures/ConcurrencyApp",
            swiftSettings: strict),
        .executableTarget(
            name: "main-actor-app", dependencies: coreLocation, path: "Tests/Fixtures/MainActorApp",
            swiftSettings: strict + [.defaultIsolation(MainActor.self)]),
        .executableTarget(
            name: "own-login", dependencies: ["PeerIdentity"], path: "Tests/Fixtures/OwnLogin", swiftSettings: strict),
        .target(name: "CBench", path: "Tests/Benchmarks/CBench"),
        .executableTarget(
            name: "locationd-bench", dependencies: ["CBench", "CLinux", "NMEA", argumentParser],
            path: "Tests/Benchmarks",
            exclude: [
                "CBench", "PublishLoad", "Publishing", "chrony_offset.py", "delegate_latency.py", "nmea_latency.py",
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "publish-load",
            dependencies: [
                "EventLoopSupport", "LocationModel", "LocationPublishCommand", "Publishing", "ServiceSupport", nio,
                nioPosix, nioConcurrencyHelpers, log, argumentParser,
            ],
            path: "Tests/Benchmarks/PublishLoad", swiftSettings: strict),
        .testTarget(
            name: "SystemTests",
            dependencies: coreLocation + [
                "locationd", "locationctl", "LocationdCommand", "LocationctlCommands", "LocationNMEACommand",
                "LocationPublishCommand", "TestSupport",
                "locationd-nmea", "locationd-peers", "locationd-publish", "interface-manual", "classic-app",
                "run-loop-app",
                "concurrency-app", "main-actor-app", "example-here", "example-geofence", "example-tracker",
                "example-speedometer", "example-trip", "example-fences", "example-run", "LocationClient", "CGPS",
                "CLinux", "CSystemd",
                "AuthorizationPolicy", "LocationModel", "LocationProtocol", "Positioning", "Varlink", nio, nioPosix,
                log,
            ],
            exclude: ["Support/TrackGPX.xsd"], swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)

if let testTargets {
    package.targets.removeAll { $0.type == .test && !testTargets.contains($0.name) }
}
