#!/bin/sh
# Holds the MCP server against the official Inspector's command line and the official conformance suite, over an engine with a
# home of its own. Both need Node 22, which comes as a package. They are installed into MCP_TOOLS, a folder that may be kept, or
# else into one that is removed: their dependencies are no part of this project's.
set -eu
cd "$(dirname "$0")/.."
TOOLS=${MCP_TOOLS:-$(mktemp -d)}
HOLDPOINT_HOME=$(mktemp -d)
export HOLDPOINT_HOME HOLDPOINT_LOG_LEVEL=warn
engine=
end() {
  [ -z "$engine" ] || { kill "$engine" 2>/dev/null || true; wait "$engine" 2>/dev/null || true; }
  node bin/holdpoint.js server stop >/dev/null 2>&1 || true
  rm -rf "$HOLDPOINT_HOME"
  [ -n "${MCP_TOOLS:-}" ] || rm -rf "$TOOLS"
}
trap end EXIT
trap 'exit 130' INT TERM
NODE22=$TOOLS/node_modules/node/bin/node
[ -x "$NODE22" ] && [ -d "$TOOLS/node_modules/@modelcontextprotocol/inspector" ] ||
  npm install --prefix "$TOOLS" --no-audit --no-fund --loglevel error node@22 \
    @modelcontextprotocol/conformance@0.2.0-alpha.12 @modelcontextprotocol/inspector@2.12.0

node bin/holdpoint.js up >"$HOLDPOINT_HOME/up.log" 2>&1 &
engine=$!
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

MCP_CATALOG_PATH=$HOLDPOINT_HOME/catalog.json
export MCP_CATALOG_PATH
failed=0
scenarios=0
# One scenario: a name, what the answer has to hold, and the Inspector's arguments.
inspect() {
  name=$1 wanted=$2
  shift 2
  scenarios=$((scenarios + 1))
  if answer=$("$NODE22" "$TOOLS/node_modules/.bin/mcp-inspector" --cli "$@" --format json 2>&1) || [ "$wanted" = isError ] &&
    printf '%s' "$answer" | grep -q "$wanted"; then
    echo "ok   $name"
  else
    failed=$((failed + 1))
    echo "FAIL $name: $answer"
  fi
}
over() {
  how=$1
  shift
  inspect "$how: tools are listed" plan_resume "$@" --method tools/list
  inspect "$how: a plan is created" plan_id "$@" --method tools/call --tool-name plan_create \
    --tool-args-json '{"plan":"plan: 1\nname: inspected\ntasks:\n  a: { run: echo hello }\n","idempotency_key":"inspected"}'
  plan=$(printf '%s' "$answer" | grep -oE '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}' | head -n 1)
  inspect "$how: it is waited for" completed "$@" --method tools/call --tool-name plan_wait --tool-args-json "{\"plan_id\":\"$plan\"}"
  inspect "$how: its log is read" hello "$@" --method resources/read --uri "holdpoint://plans/$plan/tasks/a/log"
  inspect "$how: its templates are listed" artifacts "$@" --method resources/templates/list
  inspect "$how: a plan that is not there" isError "$@" --method tools/call --tool-name plan_status --tool-args-json '{"plan_id":"nothing"}'
}
echo '== Inspector'
over http "$url/mcp" --transport http
over stdio -e "HOLDPOINT_HOME=$HOLDPOINT_HOME" "$(command -v node)" bin/holdpoint.js mcp --transport stdio
echo "$scenarios scenarios, $failed failed"

conform() {
  echo "== conformance, $*"
  (cd "$HOLDPOINT_HOME" && "$NODE22" "$TOOLS/node_modules/.bin/conformance" server --url "$url/mcp" \
    --expected-failures "$baseline" "$@") >"$HOLDPOINT_HOME/conformance.log" 2>&1 || failed=$((failed + 1))
  sed '1,/=== SUMMARY ===/d' "$HOLDPOINT_HOME/conformance.log"
}
baseline=$PWD/test/mcp/conformance.yml
conform --requirements 2026-07-28
# It wants a session, of which there are none.
{ cat test/mcp/conformance.yml; echo '  - server-sse-multiple-streams'; } >"$HOLDPOINT_HOME/baseline.yml"
baseline=$HOLDPOINT_HOME/baseline.yml
conform --suite active --spec-version 2025-11-25
conform --suite active --spec-version 2025-06-18

# The scenarios that call tools of the suite's own: over the same transport, with a demonstration server that has them.
echo '== conformance, the demonstration server'
MCP_TOOLS=$TOOLS node_modules/.bin/vitest run test/mcp/conformance.test.ts || failed=$((failed + 1))
[ "$failed" -eq 0 ]
