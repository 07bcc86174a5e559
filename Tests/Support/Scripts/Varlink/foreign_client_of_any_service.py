import json, sys, varlink
with varlink.Client.new_with_address("unix:" + sys.argv[1]) as client:
    print(json.dumps("org.example.test" in client.get_interfaces()))
    with client.open("org.example.test") as test:
        print(json.dumps(test.Echo(text="hä\0\"\n😀")))
        print(json.dumps(test.Add(a=1, b=2)))
        print(json.dumps(test.Locate(
            {"latitude": 47.376886123456789, "longitude": -0.1}, "loud", ["a"], {"b": 1})))
        print(json.dumps([reply["number"] for reply in test.Count(3, _more=True)]))
        for method in [test.Fail, test.Forbidden, test.NotThere]:
            try:
                method()
            except varlink.VarlinkError as error:
                print(json.dumps(error.as_dict(), sort_keys=True))
        try:
            test.Count(3)
        except varlink.VarlinkError as error:
            print(error.error())
