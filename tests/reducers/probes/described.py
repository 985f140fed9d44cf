"""What `describe` tells of one thing: its state, why it is so, and what happened to it."""

from __future__ import annotations

from tests.reducers.probes.probe import Probe, hexes, rng, word

_EVENT_HEADS = [
    "Events:",
    "  Type     Reason              Age                  From               Message",
    "  ----     ------              ----                 ----               -------",
]


def pairs(told: dict[str, object], width: int, indent: str = "") -> list[str]:
    """Keys and values, the values below each other."""
    return [f"{indent}{f'{key}:':{width}}{value}" for key, value in told.items()]


def _event(kind: str, why: str, age: str, said: str) -> str:
    return f"  {kind:9}{why:20}{age:21}{'kubelet':19}{said}"


def _variables(seed: str, count: int, indent: str) -> list[str]:
    r = rng(seed)
    return pairs({f"{word(r).upper()}_{n}": word(r) for n in range(count)}, 16, indent)


def _container(name: str, image: str, state: list[str], ready: bool) -> list[str]:
    lines = [f"  {name}:", *pairs({"Image": image, "Port": "8080/TCP"}, 16, "    "), *state]
    lines += pairs({"Ready": ready, "Restart Count": 0}, 16, "    ")
    return [*lines, "    Environment:", *_variables(name, 16, "      ")]


def unpulled_pod() -> Probe:
    """A pod of two containers, one of which never started since its image is not there."""
    r = rng("unpulled pod")
    image = "images.depot.example/till/counter:7.2.0-rc4"
    lines = pairs({"Name": "till-0", "Namespace": "shops", "Node": "pool-c-4/10.9.0.7"}, 18)
    lines += pairs({f"app.depot/{word(r)}-{n}": hexes(r, 12) for n in range(14)}, 26, " " * 18)
    lines += [*pairs({"Status": "Pending", "IP": "10.40.1.5"}, 18), "Containers:"]
    proxy, waiting = "images.depot.example/till/proxy:1.1.3", ["    State:          Waiting"]
    lines += _container("sidecar", proxy, ["    State:          Running"], True)
    waiting += ["      Reason:         ImagePullBackOff"]
    lines += [*_container("counter", image, waiting, False), "Volumes:"]
    held = {"Type": "ConfigMap (a volume populated by a ConfigMap)", "Optional": "false"}
    for n in range(6):
        lines += [f"  {word(r)}-{n}:", *pairs(held | {"Name": f"{word(r)}-{n}"}, 12, "    ")]
    said = f'Failed to pull image "{image}": rpc error: code = NotFound desc = manifest unknown'
    lines += [
        *_EVENT_HEADS,
        _event("Normal", "Scheduled", "31m", "Successfully assigned shops/till-0 to pool-c-4"),
        _event("Normal", "Started", "31m", "Started container sidecar"),
        _event("Normal", "Pulling", "30m (x4 over 31m)", f'Pulling image "{image}"'),
        _event("Warning", "Failed", "30m (x4 over 31m)", said),
        _event("Normal", "BackOff", "79s (x131 over 31m)", f'Back-off pulling image "{image}"'),
    ]
    told = ("ImagePullBackOff", f"Image:          {image}", said, "Pending", "x131 over 31m")
    return Probe("unpulled_pod", "\n".join(lines), told, "kubectl describe pod till-0 -n shops")


def stuck_rollout() -> Probe:
    """A deployment that does not get on, with the reason among its conditions."""
    r = rng("stuck rollout")
    replicas = "6 desired | 2 updated | 7 total | 5 available | 2 unavailable"
    ill = "  Progressing    False   ProgressDeadlineExceeded"
    lines = pairs({"Name": "scales", "Namespace": "shops"}, 24)
    lines += pairs({f"depot.example/{word(r)}{n}": hexes(r, 8) for n in range(12)}, 28, " " * 24)
    lines += pairs({"Selector": "app=scales", "Replicas": replicas, "MinReadySeconds": 5}, 24)
    lines += ["Pod Template:", "  Labels:  app=scales", "  Containers:", "   scales:"]
    lines += pairs({"Image": "depot/scales:4.0.1", "Host Port": "0/TCP"}, 12, "    ")
    lines += ["    Environment:", *_variables("scales", 20, "      ")]
    lines += ["Conditions:", "  Type           Status  Reason", "  ----           ------  ------"]
    lines += ["  Available      True    MinimumReplicasAvailable", ill]
    lines += pairs({"OldReplicaSets": "scales-66d9f (5/5)", "NewReplicaSet": "scales-7c4b8"}, 17)
    lines += [
        *_EVENT_HEADS,
        _event("Normal", "ScalingReplicaSet", "58m", "Scaled up replica set scales-7c4b8 to 2"),
        _event("Normal", "ScalingReplicaSet", "58m", "Scaled down replica set scales-66d9f to 5"),
    ]
    facts = (replicas, "depot/scales:4.0.1", ill, "scales-7c4b8 to 2")
    return Probe("stuck_rollout", "\n".join(lines), facts, "kubectl describe deploy/scales")


_CONDITIONS = (
    ("MemoryPressure", "True", "KubeletHasInsufficientMemory", "kubelet lacks memory"),
    ("DiskPressure", "False", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"),
    ("PIDPressure", "False", "KubeletHasSufficientPID", "kubelet has sufficient PID"),
    ("Ready", "True", "KubeletReady", "kubelet is posting ready status"),
)


def node_under_pressure() -> Probe:
    """A machine of a cluster that has too little memory and takes no more."""
    r = rng("node under pressure")
    taint = "node.kubernetes.io/memory-pressure:NoSchedule"
    said = "The node was low on resource: memory. Threshold quantity: 100Mi, available: 61Mi."
    lines = pairs({"Name": "pool-c-4", "Roles": "<none>"}, 20)
    lines += [f"{' ' * 20}topology.example/{word(r)}-{n}={hexes(r, 6)}" for n in range(16)]
    lines += [*pairs({"Taints": taint, "Unschedulable": "false"}, 20), "Conditions:"]
    lines += ["  Type             Status  Reason                        Message"]
    lines += [f"  {kind:17}{is_so:8}{why:30}{text}" for kind, is_so, why, text in _CONDITIONS]
    lines += [
        "Addresses:",
        "  InternalIP:  10.9.0.7",
        "Capacity:",
        "  cpu:     8",
        "  pods:    110",
    ]
    made = {f"{word(r).title()} {word(r).title()} Version": f"{n}.{n * 7}" for n in range(12)}
    lines += ["System Info:", *pairs(made, 30, "  ")]
    lines += ["Non-terminated Pods:          (24 in total)"]
    lines += ["  Namespace   Name               CPU Requests  Memory Requests  Age"]
    for n in range(23):
        name, takes = f"{word(r)}-{hexes(r, 5)}", f"{r.choice([64, 128])}Mi (0%)"
        lines.append(f"  shops       {name:19}100m (1%)     {takes:17}{n}d")
    lines += [f"  batch       {'press-77c1d':19}4 (50%)       {'24Gi (76%)':17}3h"]
    lines += ["Allocated resources:", "  Resource  Requests       Limits"]
    lines += ["  cpu       7340m (92%)    1 (12%)", "  memory    31702Mi (98%)  512Mi (1%)"]
    lines += [*_EVENT_HEADS, _event("Warning", "Evicted", "12m", said)]
    facts = ("KubeletHasInsufficientMemory", taint, "press-77c1d", "memory    31702Mi (98%)", said)
    return Probe("node_under_pressure", "\n".join(lines), facts, "kubectl describe node pool-c-4")


def crashing_manifest() -> Probe:
    """A pod as its manifest; what became of it stands in the last part."""
    r = rng("crashing manifest")
    lines = ["apiVersion: v1", "kind: Pod", "metadata:", "  annotations:"]
    lines += [f"    depot.example/{word(r)}-{n}: {hexes(r, 16)}" for n in range(20)]
    lines += ["  name: till-0", "  namespace: shops", "spec:", "  containers:", "  - env:"]
    for n in range(24):
        lines += [f"    - name: {word(r).upper()}_{n}", f'      value: "{word(r)}"']
    lines += ["    image: depot/till:8.1.0", "    name: till", "    resources:", "      limits:"]
    lines += ["        memory: 256Mi", "  volumes:"]
    for n in range(10):
        lines += [f"  - name: {word(r)}-{n}", "    configMap:", f"      name: {word(r)}"]
    lines += ["status:", "  containerStatuses:", "  - image: depot/till:8.1.0", "    lastState:"]
    lines += ["      terminated:", "        exitCode: 137", "        reason: OOMKilled"]
    lines += ["    ready: false", "    restartCount: 14", "    state:", "      waiting:"]
    lines += ["        reason: CrashLoopBackOff", "  hostIP: 10.9.0.7", "  phase: Running"]
    facts = ("exitCode: 137", "OOMKilled", "restartCount: 14", "CrashLoopBackOff", "memory: 256Mi")
    return Probe("crashing_manifest", "\n".join(lines), facts, "kubectl get pod till-0 -o yaml")


def unserved_service() -> Probe:
    """A service without an address and with nobody behind it, and why."""
    r = rng("unserved service")
    said = "Error syncing load balancer: quota 'FORWARDING_RULES' exceeded. Limit: 15.0"
    lines = pairs({"Name": "till", "Namespace": "shops", "Labels": "app=till"}, 26)
    lines += [f"{' ' * 26}depot.example/{word(r)}{n}={hexes(r, 10)}" for n in range(18)]
    told = {"Selector": "app=till,tier=front", "Type": "LoadBalancer", "IP": "10.96.41.7"}
    lines += pairs(told | {"LoadBalancer Ingress": "<pending>", "Port": "http  80/TCP"}, 26)
    lines += pairs({"NodePort": "http  31044/TCP", "Endpoints": "<none>"}, 26)
    lines += pairs({"Session Affinity": "None", "External Traffic Policy": "Local"}, 26)
    lines += [
        *_EVENT_HEADS,
        _event("Normal", "Ensuring", "4m (x9 over 31m)", "Ensuring load balancer"),
        _event("Warning", "SyncFailed", "4m (x9 over 31m)", said),
    ]
    facts = ("<pending>", "Endpoints:                <none>", said)
    return Probe("unserved_service", "\n".join(lines), facts, "kubectl describe svc till")


PROBES = (unserved_service, unpulled_pod, stuck_rollout, node_under_pressure, crashing_manifest)
