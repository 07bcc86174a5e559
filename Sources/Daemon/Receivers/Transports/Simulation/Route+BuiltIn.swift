extension Route {
    /// A walk of about three kilometres around two islands in Stockholm's harbour, Skeppsholmen and Kastellholmen.
    static let harbour = Route(
        places: [
            Place(latitude: 59.32835, longitude: 18.07705, altitude: 3),
            Place(latitude: 59.32745, longitude: 18.07850, altitude: 3),
            Place(latitude: 59.32690, longitude: 18.07985, altitude: 2),
            Place(latitude: 59.32590, longitude: 18.08005, altitude: 2),
            Place(latitude: 59.32480, longitude: 18.08055, altitude: 2),
            Place(latitude: 59.32380, longitude: 18.08170, altitude: 2),
            Place(latitude: 59.32330, longitude: 18.08420, altitude: 2),
            Place(latitude: 59.32345, longitude: 18.08660, altitude: 3),
            Place(latitude: 59.32295, longitude: 18.08815, altitude: 5),
            Place(latitude: 59.32215, longitude: 18.08965, altitude: 8),
            Place(latitude: 59.32160, longitude: 18.09210, altitude: 12),
            Place(latitude: 59.32205, longitude: 18.09420, altitude: 9),
            Place(latitude: 59.32290, longitude: 18.09330, altitude: 4),
            Place(latitude: 59.32335, longitude: 18.09010, altitude: 3),
            Place(latitude: 59.32410, longitude: 18.08760, altitude: 4),
            Place(latitude: 59.32515, longitude: 18.08790, altitude: 3),
            Place(latitude: 59.32640, longitude: 18.08735, altitude: 2),
            Place(latitude: 59.32735, longitude: 18.08560, altitude: 2),
            Place(latitude: 59.32780, longitude: 18.08300, altitude: 3),
            Place(latitude: 59.32755, longitude: 18.08060, altitude: 6),
            Place(latitude: 59.32790, longitude: 18.07860, altitude: 4),
            Place(latitude: 59.32835, longitude: 18.07705, altitude: 3),
        ], geoidSeparation: 23.4)
}
