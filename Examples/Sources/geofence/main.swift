// Notifies the user on entering and leaving a circle, until Ctrl-C.
//
//     geofence home 47.5 8.75 200      a circle of 200 m around 47.5° north, 8.75° east
//     geofence home off                stop monitoring the circle
//
// A crossing is reported once it is certain: some 20 s after it happened, and 50 m beyond the border. The daemon
// keeps the circle after this program ends, and reports which side the device is on when the program starts again.
import Foundation
import LocationClient

func end(_ status: Int32, _ text: String) -> Never {
    FileHandle.standardError.write(Data("geofence: \(text)\n".utf8))
    exit(status)
}

/// Prints a message and, if there is a desktop, shows it there as a notification.
func notify(_ text: String) {
    print(text)
    fflush(nil)  // even if the output is a file or a pipe
    let desktop = Process()
    desktop.executableURL = URL(filePath: "/usr/bin/env")
    desktop.arguments = ["notify-send", "--app-name=geofence", text]
    desktop.standardError = FileHandle.nullDevice
    try? desktop.run()
}

let arguments = Array(CommandLine.arguments.dropFirst())
let client = LocationClient()
do {
    if arguments.count == 2, arguments[1] == "off" {
        try await client.stopMonitoring(identifier: arguments[0])
        exit(0)
    }
    guard arguments.count == 4, let latitude = Double(arguments[1]), let longitude = Double(arguments[2]),
        let radius = Double(arguments[3])
    else { end(2, "usage: geofence NAME LATITUDE LONGITUDE METRES | geofence NAME off") }

    let authorization = try await client.requestAuthorization(
        .whenInUse, reason: "to notify you when you come to \(arguments[0]), and when you leave")
    guard authorization.status.isAuthorized else { end(4, "the user denied the location") }

    // This replaces a circle of the same name.
    let circle = CircularRegion(
        identifier: arguments[0], latitude: latitude, longitude: longitude, radius: radius)
    try await client.startMonitoring(circle)

    // The first event reports where the device is, as soon as that is known. Events without a change are ignored.
    var known: RegionState?
    for try await update in client.regionEvents(identifier: circle.identifier) {
        switch update {
        case .event(let event) where event.state != .unknown && event.state != known:
            let isInside = event.state == .inside
            switch known {
            case nil: notify(isInside ? "You are at \(circle.identifier)." : "You are not at \(circle.identifier).")
            case _?: notify(isInside ? "Welcome to \(circle.identifier)." : "You have left \(circle.identifier).")
            }
            known = event.state
        case .event: break
        case .disconnected: notify("The location service is gone; waiting for it.")
        case .reconnected: notify("The location service is back.")
        }
    }
} catch {
    end(1, "\(error)")
}
