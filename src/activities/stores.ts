import { join } from 'node:path';
import { type ArtifactStore, fileArtifactStore } from './artifact-store.ts';
import { fileLogStore } from './logs/file-log-store.ts';
import type { LogStore } from './logs/log-store.ts';
import { fileRowStore } from './program/file-row-store.ts';
import type { RowStore } from './program/row-store.ts';

/** Where the folders of plans are, each named by its plan's id. */
export const runsFolder = (home: string): string => join(home, 'runs');

interface FileStores {
  logs: LogStore;
  artifacts: ArtifactStore;
  rows: RowStore;
  planFolder(planId: string): string;
  worktrees: string;
}

/** What tasks leave outside Temporal, in files of this home. */
export function fileStores(home: string): FileStores {
  const planFolder = (planId: string) => join(runsFolder(home), planId);
  const artifacts = fileArtifactStore(join(home, 'artifacts'));
  return {
    worktrees: join(home, 'worktrees'),
    planFolder,
    logs: fileLogStore(runsFolder(home)),
    artifacts,
    rows: fileRowStore(planFolder, artifacts),
  };
}
