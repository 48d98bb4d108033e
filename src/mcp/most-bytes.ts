/** What one message may have: as large as the bodies of the REST API may be. */
export const MOST_BYTES = 10 * 1_024 * 1_024;
