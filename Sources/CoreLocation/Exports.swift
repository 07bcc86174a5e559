// Apple's module brings Foundation along, and source written for it relies on that.
@_exported import Foundation
