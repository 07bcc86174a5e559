// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Maps",
    products: [.library(name: "Maps", targets: ["Maps"])],
    targets: [.target(name: "Maps")]
)
