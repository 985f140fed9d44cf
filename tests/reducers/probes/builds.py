"""Compilers, linters and installers."""

from __future__ import annotations

from tests.reducers.probes.probe import Probe, rng, word


def mypy() -> Probe:
    r = rng("mypy")
    lines = [
        f"app/{word(r)}/{word(r)}.py:{r.randint(3, 400)}: error: Missing return type annotation  [no-untyped-def]"
        for n in range(130)
    ]
    lines[71] = (
        'app/pay/settle.py:219: error: Argument 1 to "post" has incompatible type "Decimal | None"; expected "Decimal"  [arg-type]'
    )
    lines += ["Found 130 errors in 88 files (checked 240 source files)"]
    facts = (
        "app/pay/settle.py:219",
        '"Decimal | None"; expected "Decimal"',
        "Found 130 errors in 88 files",
        "[no-untyped-def]",
    )
    return Probe("mypy_one_other", "\n".join(lines), facts, "mypy app", exit_code=1)


def javac_gradle() -> Probe:
    r = rng("gradle")
    lines = [f"> Task :{word(r)}:{word(r)}{n} UP-TO-DATE" for n in range(130)]
    lines[84:84] = [
        "> Task :billing:compileJava FAILED",
        "/w/billing/src/main/java/acme/Invoice.java:141: error: incompatible types: long cannot be converted to Money",
        "        return cents;",
        "               ^",
        "1 error",
        "",
    ]
    lines += [
        "",
        "FAILURE: Build failed with an exception.",
        "",
        "* What went wrong:",
        "Execution failed for task ':billing:compileJava'.",
        "> Compilation failed; see the compiler error output for details.",
        "",
        "BUILD FAILED in 41s",
        "131 actionable tasks: 1 executed, 130 up-to-date",
    ]
    facts = (
        "Invoice.java:141",
        "long cannot be converted to Money",
        ":billing:compileJava",
        "BUILD FAILED in 41s",
    )
    return Probe("gradle_compile_error", "\n".join(lines), facts, "./gradlew build", exit_code=1)


def cmake_link() -> Probe:
    r = rng("cmake")
    lines = [
        f"[{n // 3:3}%] Building CXX object src/CMakeFiles/core.dir/{word(r)}_{n}.cpp.o"
        for n in range(280)
    ]
    lines[200:200] = [
        "src/net/tls.cpp:77:12: warning: 'EVP_MD_CTX_create' is deprecated [-Wdeprecated-declarations]",
        "   77 |   ctx = EVP_MD_CTX_create();",
        "      |         ^",
    ]
    lines += [
        "/usr/bin/ld: src/libcore.a(session.cpp.o): in function `Session::resume()':",
        "session.cpp:(.text+0x41c): undefined reference to `TicketStore::take(std::string const&)'",
        "collect2: error: ld returned 1 exit status",
        "make[2]: *** [src/CMakeFiles/served.dir/build.make:97: src/served] Error 1",
        "make: *** [Makefile:136: all] Error 2",
    ]
    facts = (
        "undefined reference to `TicketStore::take(std::string const&)'",
        "Session::resume()",
        "make[2]: *** ",
        "src/net/tls.cpp:77:12",
    )
    return Probe("cmake_link_error", "\n".join(lines), facts, "cmake --build build", exit_code=2)


def ansible() -> Probe:
    r = rng("ansible")
    lines = []
    for n in range(40):
        lines += (
            [f"TASK [{word(r)} : {word(r)} {n}] " + "*" * 40]
            + [f"ok: [web{h}]" for h in range(6)]
            + [""]
        )
    at = lines.index("ok: [web4]", 150)
    lines[at] = (
        'fatal: [web4]: FAILED! => {"changed": false, "msg": "No space left on device: /var/lib/apt"}'
    )
    lines += ["PLAY RECAP " + "*" * 60] + [
        f"web{h}  : ok=40  changed=0  unreachable=0  failed={int(h == 4)}" for h in range(6)
    ]
    facts = ("fatal: [web4]", "No space left on device: /var/lib/apt", "failed=1", "PLAY RECAP")
    return Probe(
        "ansible_failure", "\n".join(lines), facts, "ansible-playbook site.yml", exit_code=2
    )


def pip_conflict() -> Probe:
    r = rng("pip")
    lines = [
        f"Requirement already satisfied: {word(r)}-{n} in ./lib/site-packages (2.{n})"
        for n in range(170)
    ]
    lines += [
        "ERROR: Cannot install app and beacon==3.1 because these package versions have conflicting dependencies.",
        "",
        "The conflict is caused by:",
        "    app 1.0 depends on harbor<4 and >=3.2",
        "    beacon 3.1 depends on harbor>=4.1",
        "",
        "ERROR: ResolutionImpossible: for help visit https://pip.example.org/conflicts",
    ]
    facts = ("harbor<4 and >=3.2", "beacon 3.1 depends on harbor>=4.1", "ResolutionImpossible")
    return Probe(
        "pip_conflict", "\n".join(lines), facts, "pip install -r requirements.txt", exit_code=1
    )


def shellcheck() -> Probe:
    r = rng("shellcheck")
    lines = []
    for n in range(60):
        lines += [
            f"In deploy/{word(r)}.sh line {n + 3}:",
            f"  rm -f ${word(r)}",
            "        ^-- SC2086 (info): Double quote to prevent globbing and word splitting.",
            "",
        ]
    lines[160:160] = [
        "In deploy/rollback.sh line 19:",
        '  rm -rf "$PREFIX"/',
        '         ^-------^ SC2115 (warning): Use "${var:?}" to ensure this never expands to / .',
        "",
    ]
    facts = ("In deploy/rollback.sh line 19:", "SC2115", "never expands to /")
    return Probe("shellcheck", "\n".join(lines), facts, "shellcheck deploy/*.sh", exit_code=1)


PROBES = (mypy, javac_gradle, cmake_link, ansible, pip_conflict, shellcheck)
