// swift-tools-version: 6.2
import PackageDescription

// A copy of this folder needs the path of the checkout in one line:
//     .package(name: "locationd", path: "/path/to/locationd")
let client: Target.Dependency = .product(name: "LocationClient", package: "locationd")
let coreLocation: Target.Dependency = .product(name: "CoreLocation", package: "locationd")

let package = Package(
    name: "Examples",
    dependencies: [
        .package(name: "locationd", path: "..")
    ],
    targets: [
        .executableTarget(name: "here", dependencies: [client]),
        .executableTarget(name: "geofence", dependencies: [client]),
        .executableTarget(name: "tracker", dependencies: [coreLocation]),
        .executableTarget(name: "speedometer", dependencies: [coreLocation]),
        .executableTarget(name: "trip", dependencies: [coreLocation]),
        .executableTarget(name: "fences", dependencies: [coreLocation]),
        .executableTarget(name: "run", dependencies: [coreLocation]),
        .executableTarget(
            name: "diary", dependencies: [coreLocation], exclude: ["diary.service", "diary.socket", "diary.toml"]),
    ]
)
