import { Fault } from '../faults.ts';

export const HOME_REMEDY = 'set HOLDPOINT_HOME to a folder that can be written';

const WHY: Record<string, string> = {
  EACCES: 'writing there is not allowed',
  EPERM: 'writing there is not allowed',
  EROFS: 'it is on a read-only file system',
  ENOTDIR: 'it is not a folder',
  EEXIST: 'it is not a folder',
  ENOENT: 'it is not there and cannot be made',
  ENOSPC: 'the disk is full',
  EDQUOT: "this user's part of the disk is full",
  EIO: 'the disk does not work',
};
/** Errors of these name no path when it is the writing itself that fails. */
const WITHOUT_PATH = ['ENOSPC', 'EDQUOT', 'EIO'];

/** What was thrown while the home was used: when it is the home that cannot be used, the fault that says so. */
export function asHomeFault(thrown: unknown, home: string): unknown {
  if (thrown instanceof Fault || !(thrown instanceof Error)) return thrown;
  const { code = '', path } = thrown as NodeJS.ErrnoException;
  const why = WHY[code];
  const isInHome = path === undefined ? WITHOUT_PATH.includes(code) : path.startsWith(home);
  if (!why || !isInHome) return thrown;
  const remedy = WITHOUT_PATH.includes(code) ? `make room, or ${HOME_REMEDY}` : HOME_REMEDY;
  return new Fault('ENGINE_UNAVAILABLE', `the home ${home} cannot be used: ${why} (${code}); ${remedy}`, {
    cause: thrown,
  });
}
