#!/bin/sh
# Runs schemathesis (PyPI) over the API of an engine with a home of its own: every operation, made-up and wrong values, and
# sequences of calls. Bounded in time; prints its seed. `SEED=123 npm run check:api` repeats a run.
# With API_KEY (any text of 16 characters or more) the engine asks for that key, and the calls send it.
# SCHEMATHESIS names the program, else the one on PATH is used: pip install schemathesis==4.32.5
set -eu
cd "$(dirname "$0")/.."
SCHEMATHESIS=${SCHEMATHESIS:-schemathesis}
SEED=${SEED:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}
SECONDS_AT_MOST=${SECONDS_AT_MOST:-600}
EXAMPLES=${EXAMPLES:-25}
# Whether a plan is in a state for a command, or a plan file is one, no schema can say: well-formed calls may be refused.
UNTRUE=positive_data_acceptance
# /mcp answers in a protocol of its own, which check:mcp checks.
command -v "$SCHEMATHESIS" >/dev/null || {
  echo "schemathesis is not there; pip install schemathesis==4.32.5, or name it with SCHEMATHESIS" >&2
  exit 2
}
HOLDPOINT_HOME=$(mktemp -d)
export HOLDPOINT_HOME HOLDPOINT_LOG_LEVEL=warn
if [ -n "${API_KEY:-}" ] && [ -z "${HOLDPOINT_API_KEYS:-}" ]; then
  HOLDPOINT_API_KEYS=$HOLDPOINT_HOME/keys.json
  export HOLDPOINT_API_KEYS
  (umask 077 && node -e '
    const permissions = ["plan:read", "plan:create", "plan:run_commands", "plan:approve"];
    console.log(JSON.stringify([{ key: process.env.API_KEY, id: "check", name: "Check", org_id: "check", permissions }]));
  ' >"$HOLDPOINT_API_KEYS")
fi
node bin/holdpoint.js up >"$HOLDPOINT_HOME/up.log" 2>&1 &
engine=$!
end() {
  kill "$engine" 2>/dev/null || true
  wait "$engine" 2>/dev/null || true
  rm -rf "$HOLDPOINT_HOME"
}
trap end EXIT
trap 'exit 130' INT TERM
url=
while [ -z "$url" ]; do
  kill -0 "$engine" 2>/dev/null || { cat "$HOLDPOINT_HOME/up.log" >&2; exit 1; }
  sleep 0.3
  url=$(node -e '
    try {
      const { ready, api } = JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8"));
      if (ready) console.log(api);
    } catch {}' "$HOLDPOINT_HOME/engine.json")
done
echo "seed $SEED, at $url, at most $SECONDS_AT_MOST s a round"

# A plan that waits for an answer, so that calls meet one that exists; the other round makes its ids up.
plan=$(node -e '
  const plan = "plan: 1\nname: target\ntasks:\n  ok: { approve: { prompt: x } }\n  next: { needs: [ok], approve: { prompt: y } }\n";
  const headers = { "content-type": "application/yaml", ...(process.env.API_KEY && { authorization: `Bearer ${process.env.API_KEY}` }) };
  fetch(`${process.argv[1]}/api/plans`, { method: "POST", headers, body: plan })
    .then((answer) => answer.json())
    .then(({ plan_id }) => console.log(plan_id));' "$url")
cat >"$HOLDPOINT_HOME/target.toml" <<TOML
[parameters]
"path.id" = "$plan"
"path.task" = ["ok", "next"]
"path.question" = ["ok", "next.1"]
TOML
: >"$HOLDPOINT_HOME/any.toml"
status=0
for round in any target; do
  echo "== $round"
  # It writes a cache where it runs, of which nothing is wanted again.
  (cd "$HOLDPOINT_HOME" && timeout --signal INT "$SECONDS_AT_MOST" "$SCHEMATHESIS" --config-file "$round.toml" \
    run "$url/openapi.json" --url "$url" --seed "$SEED" --max-examples "$EXAMPLES" \
    --exclude-path /mcp --phases examples,coverage,fuzzing,stateful --exclude-checks "$UNTRUE" --request-timeout 30 --no-color \
    ${API_KEY:+--header "Authorization: Bearer $API_KEY"} "$@") || status=$?
done
if [ "$status" -ne 0 ]; then tail -n 20 "$HOLDPOINT_HOME/logs/engine.log" >&2 || true; fi
exit "$status"
