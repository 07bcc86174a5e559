/// The numbers of a menu's items on the bus.
///
/// Attack: an app comes and goes while the user reads the menu, so that a click hits another item. So an item keeps its
/// number, and no other item ever gets it.
struct TrayNumbers: Equatable {
    private var numbers: [TrayMenu.Key: Int32] = [.root: 0]
    private var last: Int32 = 0

    /// Gives each item of a menu a number, and forgets the items that are gone.
    mutating func number(_ menu: TrayMenu) {
        let keys = Set(menu.items.map(\.key))
        numbers = numbers.filter { keys.contains($0.key) }
        for item in menu.items where numbers[item.key] == nil {
            last &+= 1
            // The root has 0, and 2^31 changes are more than a session has.
            last = max(1, last)
            numbers[item.key] = last
        }
    }

    /// Returns the number of an item that is in the menu.
    subscript(key: TrayMenu.Key) -> Int32 { numbers[key] ?? -1 }
}
