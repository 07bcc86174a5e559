// swift-tools-version: 6.2
import PackageDescription

// CoreLocation is installed or, with this variable, built from the checkout that it names.
let checkout = Context.environment["LOCATIOND_CHECKOUT"]
let coreLocation: [Target.Dependency] = checkout == nil ? [] : [.product(name: "CoreLocation", package: "locationd")]

let package = Package(
    name: "App",
    dependencies: [
        .package(path: "Maps"),
        // Without FoundationNetworking, which needs libcurl to be linked with the static runtime
        .package(url: "https://github.com/pointfreeco/swift-custom-dump", from: "1.7.3", traits: []),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    ] + (checkout.map { [.package(name: "locationd", path: $0)] } ?? []),
    targets: [
        .executableTarget(
            name: "App",
            dependencies: coreLocation + [
                "Maps",
                .product(name: "CustomDump", package: "swift-custom-dump"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ])
    ]
)
