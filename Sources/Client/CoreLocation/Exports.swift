// Apple's module re-exports Foundation, and source code written for it relies on that.
@_exported import Foundation
