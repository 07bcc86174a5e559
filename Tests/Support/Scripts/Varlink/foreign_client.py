import sys, varlink
run = sys.argv[1]
with varlink.Client("unix:" + run + "/io.locationd.Location") as client:
    print(client.get_service_info()["vendor"] if hasattr(client, "get_service_info") else "locationd")
    with client.open("io.locationd.Location") as location:
        try:
            location.GetLocation()
        except varlink.VarlinkError as error:
            print(error.error(), error.parameters()["status"])
with varlink.Client("unix:" + run + "/manage/io.locationd.Manage") as client:
    with client.open("io.locationd.Manage") as manage:
        with varlink.Client("unix:" + run + "/io.locationd.Location") as own:
            with own.open("io.locationd.Location") as location:
                location.GetAuthorization()
                app = [a for a in manage.ListApps()["apps"] if a["connections"]][0]["app"]
                print(manage.Grant(app=app, level="whenInUse")["app"]["status"])
                print(len([u for u in location.Subscribe(options={"maximumUpdates": 3}, _more=True)
                           if u["update"]["location"]["simulated"]]))
                print(location.GetLocation()["location"]["receiver"])
