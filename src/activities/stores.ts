import { join } from 'node:path';
import { type ArtifactStore, fileArtifactStore } from './artifact-store.ts';
import { fileLogStore } from './logs/file-log-store.ts';
import type { LogStore } from './logs/log-store.ts';

/** Where the folders of plans are, each named by its plan's id. */
export const runsFolder = (home: string): string => join(home, 'runs');

interface FileStores {
  logs: LogStore;
  artifacts: ArtifactStore;
  planFolder(planId: string): string;
  worktrees: string;
}

/** What tasks leave outside Temporal, in files of this home. */
export const fileStores = (home: string): FileStores => ({
  worktrees: join(home, 'worktrees'),
  planFolder: (planId) => join(runsFolder(home), planId),
  logs: fileLogStore(runsFolder(home)),
  artifacts: fileArtifactStore(join(home, 'artifacts')),
});
