/**
 * What lists of plans are filtered by, and what the Temporal Web UI shows in its columns.
 * Few, as Temporal advises. Workflow code imports this file, so it imports nothing.
 */
export const SEARCH_ATTRIBUTES = {
  state: { name: 'HoldpointState', type: 'Keyword' },
  plan: { name: 'HoldpointPlan', type: 'Keyword' },
  org: { name: 'HoldpointOrg', type: 'Keyword' },
  owner: { name: 'HoldpointOwner', type: 'Keyword' },
  /** The id of the session, for a plan that a command line started. */
  session: { name: 'HoldpointSession', type: 'Keyword' },
  /** The key of the enrollment that the plan belongs to. */
  enrollment: { name: 'HoldpointEnrollment', type: 'Keyword' },
  /** `key=value` for each label. */
  labels: { name: 'HoldpointLabels', type: 'KeywordList' },
  /** When the plan was made, whichever of its runs it is. */
  created: { name: 'HoldpointCreated', type: 'Datetime' },
} as const;
export type SearchAttributeType = (typeof SEARCH_ATTRIBUTES)[keyof typeof SEARCH_ATTRIBUTES]['type'];
