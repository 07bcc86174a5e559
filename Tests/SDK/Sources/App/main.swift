import CoreLocation
import CoreLocation.CLLocation
import CustomDump
import Maps
import NIOCore
import NIOPosix

final class Delegate: NSObject, CLLocationManagerDelegate {
    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        print("location in cell \(cell(of: locations[0].coordinate))")
        exit(0)
    }

    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
        print(error)
        exit(1)
    }
}

// A loop of the program's own SwiftNIO, beside the one within CoreLocation
let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
print("loop \(try group.next().submit { 1 }.wait())")
print("distance \(Int(CLLocation(latitude: 0, longitude: 0).distance(from: CLLocation(latitude: 0, longitude: 1))))")
print("cell \(cell(of: CLLocationCoordinate2D(latitude: 48.1, longitude: 11.5)))")
let manager = CLLocationManager()
customDump(manager.authorizationStatus, name: "status")
guard manager.authorizationStatus == .authorizedWhenInUse else { exit(0) }
let delegate = Delegate()
manager.delegate = delegate
manager.startUpdatingLocation()
RunLoop.main.run()
