#!/bin/sh
# Waits for Temporal at TEMPORAL_ADDRESS and makes its namespace fit for Holdpoint. Can be run again.
set -eu

namespace=${TEMPORAL_NAMESPACE:-default}
retention=3650d # resume, the timeline, `once` and idempotency keys last as long as this

tries=60
until temporal operator cluster health >/dev/null 2>&1; do
  tries=$((tries - 1))
  [ "$tries" -gt 0 ] || { echo "Temporal at $TEMPORAL_ADDRESS does not become healthy" >&2; exit 1; }
  sleep 2
done

if temporal operator namespace describe --namespace "$namespace" >/dev/null 2>&1; then
  temporal operator namespace update --namespace "$namespace" --retention "$retention"
else
  temporal operator namespace create --namespace "$namespace" --retention "$retention"
fi

for attribute in HoldpointState:Keyword HoldpointPlan:Keyword HoldpointOrg:Keyword HoldpointOwner:Keyword \
  HoldpointSession:Keyword HoldpointEnrollment:Keyword HoldpointLabels:KeywordList HoldpointCreated:Datetime; do
  # A namespace just made is not known everywhere at once.
  tries=15
  until temporal operator search-attribute create --namespace "$namespace" --name "${attribute%:*}" --type "${attribute#*:}"; do
    tries=$((tries - 1))
    [ "$tries" -gt 0 ] || exit 1
    sleep 2
  done
done
