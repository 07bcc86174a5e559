"""The walk of a client through refused, granted, reduced and revoked."""

from track import LATITUDE, STEP
from waiting import Late, until

COLUMNS = ("refused", "granted", "reduced", "revoked")
# How many fixes another app receives before a client counts as having been given nothing.
FIXES = 5


class Cell:
    """An entry of the table: its text, and whether it is as expected."""

    def __init__(self, text, is_expected=True):
        self.text, self.is_expected = text, is_expected


class Walk:
    """A client and the scene in which it walks."""

    def __init__(self, client, scene):
        self.client, self.scene = client, scene
        self.app, self.running = None, None

    def cells(self):
        """Returns the entries by column."""
        cells = {}
        for column in COLUMNS:
            try:
                cells[column] = getattr(self, f"_{column}")()
            except Late as error:
                cells[column] = Cell(f"{error}; it said: {self._last_words()}", False)
            finally:
                self._stop()
        if self.app:
            self.scene.reset(self.app)
        return cells

    # The columns

    def _refused(self):
        """Undecided, and then denied: the client has nothing to show."""
        self._start()
        self.app = until(self.scene.connected_app, lambda: f"its connection: {self._last_words()}")
        self.scene.fixes(FIXES)
        undecided = self._places()
        self._stop()
        self.scene.deny(self.app)
        self._start()
        self.scene.fixes(FIXES)
        places = undecided + self._places()
        return Cell(f"showed {places[:2]}", False) if places else Cell(self._silence())

    def _granted(self):
        self.scene.grant(self.app)
        deliveries = self.scene.deliveries(self.app)
        self._start()
        places = self._first_places(deliveries)
        fault = self._picture("granted") or self._fault_of(places, self._is_on_track)
        return Cell(fault, False) if fault else Cell(self._shown(places))

    def _reduced(self):
        cell = self.scene.cell()
        self.scene.grant(self.app, "reduced")
        deliveries = self.scene.deliveries(self.app)
        self._start()
        if self.client.reduced == "cell":
            places = self._first_places(deliveries)
        else:
            self.scene.fixes(FIXES)
            places = self._places()
            if self.client.reduced == "nothing" or not places:
                return Cell(f"showed {places[:2]}", False) if places else Cell("nothing")
        tolerance = self.client.tolerance
        fault = self._fault_of(places, lambda place: all(abs(a - b) <= tolerance for a, b in zip(place, cell)))
        return Cell(fault, False) if fault else Cell("the cell")

    def _revoked(self):
        self.scene.grant(self.app)
        deliveries = self.scene.deliveries(self.app)
        self._start()
        self._first_places(deliveries)
        self.scene.revoke(self.app)
        last, deliveries = self.scene.track.index, self.scene.deliveries(self.app)
        if self.client.ends:
            self._stop()
            self._start()
            self.scene.fixes(FIXES)
            places = self._places()
            return Cell(f"showed {places[:2]}", False) if places else Cell(self._silence())
        before = len(self._places())
        self.scene.fixes(FIXES)
        if self.scene.deliveries(self.app) != deliveries:
            return Cell("deliveries after the revocation", False)
        late = [place for place in self._places()[before:] if place[0] is None or self._index(place) > last]
        return Cell(f"showed {late[:2]} of after it", False) if late else Cell("nothing more")

    # What the client shows

    def _start(self):
        self.running = self.client.start(self.scene)

    def _stop(self):
        if self.running:
            self.running.stop()
            self.running = None

    def _places(self):
        return self.client.places(self.running.text())

    def _first_places(self, deliveries):
        """Waits for the client's first places, or for its deliveries if its places are not read."""
        if self.client.shows_places:
            until(lambda: self.client.is_enough(self.running.text()), lambda: f"a place: {self._last_words()}")
            return self._places()
        until(lambda: self.scene.deliveries(self.app) > deliveries, "deliveries")
        return []

    def _is_on_track(self, place):
        return place[0] is None or self.scene.track.has(*place, self.client.tolerance)

    @staticmethod
    def _index(place):
        return round((place[0] - LATITUDE) / STEP)

    def _fault_of(self, places, is_expected):
        """Ends the client, and returns what is wrong with its places and with its whole output, or None."""
        elsewhere = [place for place in places if not is_expected(place)]
        self.running.stop()
        return f"showed {elsewhere[:2]}" if elsewhere else self.client.check(self.running.text())

    def _picture(self, name):
        if self.client.shows_places:
            return None
        path = self.scene.logs / f"{self.client.name}-{name}.png"
        self.scene.fixes(FIXES)
        self.scene.display.picture(path)
        return None if path.stat().st_size > 1000 else "its picture is empty"

    def _shown(self, places):
        return f"{places[0][0]:.5f} {places[0][1]:.5f}" if places and places[0][0] is not None else "served"

    def _last_words(self):
        return " / ".join(self.running.text().split("\n")[-3:])[-200:] if self.running else ""

    def _silence(self):
        return "nothing, and it ended" if self.running.has_ended() else "nothing"
