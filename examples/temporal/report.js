// One table per namespace: how many workflows of each type are in which state.
import { readFileSync } from 'node:fs';

const { cluster, namespaces, read } = JSON.parse(readFileSync(0, 'utf8'));
console.log(`# Temporal ${cluster.serverVersion}, cluster ${cluster.clusterName}`);
namespaces.forEach(({ namespaceInfo, config }, i) => {
  const { body: workflows, pages } = read[i].outputs;
  const days = Number.parseInt(config.workflowExecutionRetentionTtl, 10) / 86_400;
  console.log(
    `\n## ${namespaceInfo.name}: ${workflows.length} workflows on ${pages === 1 ? '1 page' : `${pages} pages`}, kept for ${days} days\n`,
  );
  if (workflows.length === 0) return;
  console.log('| type | state | workflows |\n| --- | --- | --- |');
  for (const [name, count] of counted(workflows)) console.log(`| ${name} | ${count} |`);
});

function counted(workflows) {
  const counts = new Map();
  for (const workflow of workflows) {
    const name = `${workflow.type.name} | ${stateOf(workflow)}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].sort(([a], [b]) => a.localeCompare(b));
}

/** A plan says more of itself than Temporal knows: `awaiting_input` is RUNNING to it. Values of search attributes are base64 of JSON. */
function stateOf({ status, searchAttributes }) {
  const state = searchAttributes?.indexedFields?.HoldpointState?.data;
  return state
    ? JSON.parse(Buffer.from(state, 'base64'))
    : status.replace('WORKFLOW_EXECUTION_STATUS_', '').toLowerCase();
}
