connection = connect()
for claim in ({"app": "exe:" + GRANTED}, {"desktopId": "org.gnome.Maps"}, {"uid": 0}, {"pid": DAEMON}):
    print(ask(connection, "GetLocation", claim))
    print(ask(connection, "Subscribe", claim, more=True))
    print(ask(connection, "GetLocation", {}, **claim))
print(ask(connection, "GetAuthorization"))
