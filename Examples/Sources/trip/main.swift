// Prints the distance travelled, until Ctrl-C.
//
// Core Location with Swift concurrency only: no delegate, no run loop.
import CoreLocation

func say(_ text: String) {
    print(text)
    fflush(nil)  // even if the output is a file or a pipe
}

var metres = 0.0
var last: CLLocation?

// Iterating starts the updates, and prompts the user if there is no decision yet. Leaving the loop ends the updates.
for try await update in CLLocationUpdate.liveUpdates(.fitness) {
    if update.authorizationRequestInProgress {
        say("waiting for your answer")
        continue
    }
    if update.authorizationDenied || update.authorizationDeniedGlobally || update.authorizationRestricted {
        say("not allowed")
        exit(4)
    }
    if update.locationUnavailable {
        say("no location at the moment")
        continue
    }
    if update.stationary {
        say("stationary")
        continue
    }
    guard let location = update.location else { continue }
    guard let before = last else {
        say("off we go")
        last = location
        continue
    }
    // A receiver's locations drift while it is stationary. Only a step that exceeds their accuracy is a movement.
    let step = location.distance(from: before)
    guard step > location.horizontalAccuracy else { continue }
    metres += step
    last = location
    say(String(format: "%.0f m", metres))
}
