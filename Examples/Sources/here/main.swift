// Where am I? One location, then the end: the smallest program there is.
//
//     here                 north and east in degrees, and the radius in metres that holds the true place
//     here kilometer       less exactly, and so sooner: enough for the weather
//
// Exit status: 0 with a location, 1 without, 2 for a wish that there is not, 4 where the user said no.
import Foundation
import LocationClient

func end(_ status: Int32, _ text: String) -> Never {
    FileHandle.standardError.write(Data("here: \(text)\n".utf8))
    exit(status)
}

// How exact it must be to be taken at once. A worse location is taken after ten seconds.
let wish = CommandLine.arguments.dropFirst().first ?? "best"
guard let accuracy = DesiredAccuracy(rawValue: wish) else {
    end(2, "one of " + DesiredAccuracy.allCases.map(\.rawValue).joined(separator: ", "))
}

// One client serves the whole program. Making it does nothing yet.
let client = LocationClient()
do {
    // Where the user has decided, this answers at once. Else it waits for the answer, for as long as it takes.
    let authorization = try await client.requestAuthorization(.whenInUse, reason: "to print where you are")
    guard authorization.status.isAuthorized else { end(4, "the answer was no") }

    let location = try await client.location(desiredAccuracy: accuracy)

    // What the receiver did not tell is nil, never a number that stands for it.
    let radius = location.horizontalAccuracy.map { String(format: " within %.0f m", $0) } ?? ""
    print(String(format: "%.5f %.5f", location.latitude, location.longitude) + radius)
} catch {
    // Each error says what to do about it.
    end(1, "\(error)")
}
