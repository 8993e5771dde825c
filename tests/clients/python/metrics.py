"""Reads the metrics of a server that has been asked much with the parser of Prometheus' own client.

    metrics.py HOST:PORT
"""

import sys
import urllib.request

from prometheus_client.parser import text_string_to_metric_families

with urllib.request.urlopen(f"http://{sys.argv[1]}/metrics", timeout=10) as answer:
    families = list(text_string_to_metric_families(answer.read().decode()))
samples = [sample for family in families for sample in family.samples]


def total(name, **labels):
    values = [s.value for s in samples if s.name == name and labels.items() <= s.labels.items()]
    assert values, f"no {name} with {labels}"
    return sum(values)


assert all(family.documentation and family.type != "unknown" for family in families)
method = {"grpc_service": "draughts.v1.RulesService", "grpc_method": "ApplyMove"}
started = total("grpc_server_started_total", **method)
assert started > 100, "clients have played whole games"
assert started == total("grpc_server_handled_total", **method)
assert started == total("grpc_server_handling_seconds_count", **method)
assert started == total("grpc_server_handling_seconds_bucket", le="+Inf", **method)
assert total("draughts_moves_total") >= total("grpc_server_handled_total", grpc_code="OK", **method)
assert total("draughts_panics_total") == total("grpc_server_handled_total", grpc_code="Internal") == 0
print(f"metrics: {len(families)} families, {len(samples)} samples, {started:.0f} moves played")
