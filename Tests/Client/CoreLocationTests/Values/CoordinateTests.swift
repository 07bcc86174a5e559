import CoreLocation
import Testing

@Suite struct CoordinateTests {
    @Test(
        arguments: [
            (0, 0, true), (90, 180, true), (-90, -180, true), (90.000001, 0, false), (0, -180.000001, false),
            (.nan, 0, false), (0, .nan, false), (0, .infinity, false),
        ] as [(Double, Double, Bool)])
    func validity(latitude: Double, longitude: Double, isValid: Bool) {
        #expect(CLLocationCoordinate2DIsValid(CLLocationCoordinate2DMake(latitude, longitude)) == isValid)
    }

    @Test func theInvalidCoordinateIsInvalid() {
        #expect(!CLLocationCoordinate2DIsValid(kCLLocationCoordinate2DInvalid))
        #expect(kCLLocationCoordinate2DInvalid.latitude == -180)
        #expect(kCLLocationCoordinate2DInvalid.longitude == -180)
    }

    @Test func isPrintedAsAnyStructure() {
        let coordinate = CLLocationCoordinate2D(latitude: 35.7020691, longitude: 139.7753269)
        #expect("\(coordinate)" == "CLLocationCoordinate2D(latitude: 35.7020691, longitude: 139.7753269)")
    }

    @Test func startsAtZero() {
        #expect(CLLocationCoordinate2D().latitude == 0)
        #expect(CLLocationCoordinate2D().longitude == 0)
    }
}
