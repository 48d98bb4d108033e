/**
 * What lists of plans are filtered by, and what the Temporal Web UI shows in its columns.
 * Few and of few values each, as Temporal advises. Workflow code imports this file, so it imports nothing.
 */
export const SEARCH_ATTRIBUTES = {
  state: { name: 'HoldpointState', type: 'Keyword' },
  plan: { name: 'HoldpointPlan', type: 'Keyword' },
  org: { name: 'HoldpointOrg', type: 'Keyword' },
  owner: { name: 'HoldpointOwner', type: 'Keyword' },
} as const;
