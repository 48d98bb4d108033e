import { useQuery } from '@tanstack/react-query';
import { meQuery } from '../api/queries.ts';
import type { Me } from '../api/types.ts';

type Permission = Me['permissions'][number];

/** Why somebody may not do what needs these permissions; undefined when they may. */
export function useLacking(): (...needed: Permission[]) => string | undefined {
  const { data: me } = useQuery(meQuery);
  return (...needed) => {
    if (!me) return 'what you may do is not known yet';
    const lacking = needed.filter((one) => !me.permissions.includes('admin') && !me.permissions.includes(one));
    return lacking.length === 0 ? undefined : `needs the permission ${lacking.join(' and ')}, which you do not have`;
  };
}
