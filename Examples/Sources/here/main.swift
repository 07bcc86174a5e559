// Where am I? The smallest program there is: it prints one location and ends.
//
//     here                 latitude and longitude in degrees, and the accuracy radius in metres
//     here kilometer       less accurate, but sooner: enough for a weather app
//
// Exit status: 0 with a location, 1 without one, 2 for an unknown accuracy, 4 if the user denied the location.
import Foundation
import LocationClient

func end(_ status: Int32, _ text: String) -> Never {
    FileHandle.standardError.write(Data("here: \(text)\n".utf8))
    exit(status)
}

// The accuracy that ends the wait. After ten seconds, a less accurate location is accepted.
let wish = CommandLine.arguments.dropFirst().first ?? "best"
guard let accuracy = DesiredAccuracy(rawValue: wish) else {
    end(2, "one of " + DesiredAccuracy.allCases.map(\.rawValue).joined(separator: ", "))
}

// One client serves the whole program. Creating it does not connect yet.
let client = LocationClient()
do {
    // If the user has decided already, this returns at once. Otherwise it waits for the answer, with no timeout.
    let authorization = try await client.requestAuthorization(.whenInUse, reason: "to print where you are")
    guard authorization.status.isAuthorized else { end(4, "the user denied the location") }

    let location = try await client.location(desiredAccuracy: accuracy)

    // Values that the receiver did not report are nil, never a special number.
    let radius = location.horizontalAccuracy.map { String(format: " within %.0f m", $0) } ?? ""
    print(String(format: "%.5f %.5f", location.latitude, location.longitude) + radius)
} catch {
    // Each error states its remedy.
    end(1, "\(error)")
}
