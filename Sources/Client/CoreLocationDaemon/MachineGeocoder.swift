internal import CoreLocation
internal import Foundation
internal import LocationClient
internal import LocationProtocol
internal import NIOCore
internal import Varlink

/// The geocoder of the machine: a service that the administrator has named in the daemon's configuration.
///
/// Each request asks the daemon for the path, which a change of the configuration may have changed, and connects to the
/// service on its own. A service that lies, hangs or floods costs the app this request, and nobody else anything.
struct MachineGeocoder: GeocodingSource {
    /// The maximum size of a reply in bytes.
    ///
    /// Attack: the service sends a reply without an end, to fill the app's memory.
    private static let maximumReplySize = 65_536

    let app: AppSession

    func places(for query: GeocodingQuery) async throws -> [CLPlacemark.Values] {
        let answer = app.loop.makePromise(of: [CLPlacemark.Values].self)
        let task = Task {
            do { answer.succeed(try await ask(query)) } catch { answer.fail(error) }
        }
        // The request ends then, even if a connection to the service is still being made.
        let timer = app.loop.scheduleTask(in: app.geocodingTimeout) { [timeout = app.geocodingTimeout] in
            answer.fail(Self.failure("it did not answer within \(timeout.nanoseconds / 1_000_000_000) s"))
            task.cancel()
        }
        defer { timer.cancel() }
        return try await withTaskCancellationHandler {
            try await answer.futureResult.get()
        } onCancel: {
            task.cancel()
        }
    }

    private func ask(_ query: GeocodingQuery) async throws -> [CLPlacemark.Values] {
        guard let path = try await app.client.geocoderSocket() else { throw CLError(.network) }
        do {
            var limits = VarlinkClient.Limits()
            limits.frameSize = Self.maximumReplySize
            let service = try await VarlinkClient.connect(path: path, on: app.loop, limits: limits)
            defer { service.close() }
            let places = try await service.answer(to: query).placemarks.compactMap { CLPlacemark.Values($0) }
            return places
        } catch let error as VarlinkError {
            guard GeocoderFailure(error) != .noResult else { throw CLError(.geocodeFoundNoResult) }
            throw Self.failure("\(path) refused the request")
        } catch VarlinkClientError.malformed {
            // Attack: the service puts its own words into an error of the app. They are not repeated here or above.
            throw Self.failure("the reply of \(path) is not valid")
        } catch let error as VarlinkClientError {
            throw Self.failure("\(error)")
        }
    }

    private static func failure(_ reason: String) -> CLError {
        let text = "Addresses cannot be looked up by this machine's geocoder: \(reason)."
        return CLError(.network, userInfo: [NSLocalizedDescriptionKey: text])
    }
}

extension VarlinkClient {
    /// Makes the call for `query`.
    fileprivate func answer(to query: GeocodingQuery) async throws -> Placemarks {
        switch query {
        case .addresses(let location, let locale):
            guard CLLocationCoordinate2DIsValid(location.coordinate) else { throw CLError(.geocodeFoundNoResult) }
            return try await call(
                ReverseGeocode.qualifiedName,
                ReverseGeocode.Parameters(
                    latitude: location.coordinate.latitude, longitude: location.coordinate.longitude,
                    locale: locale?.identifier(.bcp47)))
        case .places(let text, let circle, let locale):
            let region = circle.map {
                Geocode.Region(latitude: $0.center.latitude, longitude: $0.center.longitude, radius: $0.radius)
            }
            return try await call(
                Geocode.qualifiedName,
                Geocode.Parameters(text: text, region: region, locale: locale?.identifier(.bcp47)))
        }
    }
}

extension CLPlacemark.Values {
    /// Creates the values of a placemark from the service's, or `nil` if they have no valid coordinate.
    fileprivate init?(_ place: Placemark) {
        let coordinate = CLLocationCoordinate2D(latitude: place.latitude, longitude: place.longitude)
        guard CLLocationCoordinate2DIsValid(coordinate) else { return nil }
        self.init()
        location = CLLocation(latitude: place.latitude, longitude: place.longitude)
        radius = place.radius.flatMap { $0 > 0 ? $0 : nil }
        timeZone = place.timeZone.flatMap { TimeZone(identifier: $0) }
        areasOfInterest = place.areasOfInterest
        let texts = [
            "name": place.name, "thoroughfare": place.thoroughfare, "subThoroughfare": place.subThoroughfare,
            "locality": place.locality, "subLocality": place.subLocality,
            "administrativeArea": place.administrativeArea,
            "subAdministrativeArea": place.subAdministrativeArea, "postalCode": place.postalCode,
            "isoCountryCode": place.isoCountryCode, "country": place.country, "inlandWater": place.inlandWater,
            "ocean": place.ocean,
        ]
        self.texts = texts.compactMapValues { $0 }
    }
}
