"""Reads PROV-JSON from standard input by the library `prov` (Debian: python3-prov), and prints how many of each kind it has as JSON."""

import json
import sys
from collections import Counter

from prov.model import ProvDocument

document = ProvDocument.deserialize(content=sys.stdin.read(), format="json")
print(json.dumps(Counter(type(record).__name__ for record in document.unified().get_records())))
