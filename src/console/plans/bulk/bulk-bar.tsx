import { useMutation, useQuery } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { meQuery } from '../../api/queries.ts';
import { Button } from '../../ui/button.tsx';
import { notifyError } from '../../ui/notices.tsx';
import { readAllAgain } from '../list-query.ts';
import type { Row } from '../merge.ts';
import type { ListSearch } from '../search.ts';
import type { Selection } from '../selection.ts';
import { BulkDialog } from './bulk-dialog.tsx';
import { BULK_ACTIONS, BULK_WORDS, type BulkAction } from './words.ts';
import './bulk.css';

interface BulkBarProps {
  rows: Row[];
  selection: Selection;
  /** How many plans there are, in words. */
  count: string;
  search: ListSearch;
}

/** Above the rows: how many are selected, and what can be done to them. */
export function BulkBar({ rows, selection, count, search }: BulkBarProps) {
  const { selected, setAll, keep } = selection;
  const [open, setOpen] = useState<{ action: BulkAction; rows: Row[] }>();
  const { data: me } = useQuery(meQuery);
  const refresh = useMutation({ mutationFn: () => readAllAgain(search), onError: notifyError });
  const mayControl = me?.permissions.includes('plan:approve') === true;
  const refusal = !mayControl
    ? 'You may not control plans: that takes the permission plan:approve.'
    : selected.length === 0
      ? 'Select plans first.'
      : undefined;
  const isAll = selected.length === rows.length;
  return (
    <div className="bulk-bar" role="toolbar" aria-label="Selected plans">
      <label className="bulk-count">
        <input
          type="checkbox"
          aria-label="Select all plans that are loaded"
          checked={isAll}
          ref={(box) => {
            if (box) box.indeterminate = selected.length > 0 && !isAll;
          }}
          onChange={() => setAll(!isAll)}
        />
        <span>{selected.length > 0 ? `${selected.length} of ${count} selected` : count}</span>
      </label>
      <Button
        look="quiet"
        icon={<RefreshCw aria-hidden size={16} />}
        aria-label="Read the list again"
        title="Read the list again"
        busy={refresh.isPending}
        onClick={() => refresh.mutate()}
      />
      {BULK_ACTIONS.map((action) => {
        const { words, icon: Icon } = BULK_WORDS[action];
        return (
          <Button
            key={action}
            className="bulk-action"
            icon={<Icon aria-hidden size={16} />}
            refusal={refusal}
            onClick={() => setOpen({ action, rows: selected })}
          >
            {words}
          </Button>
        );
      })}
      {open && (
        <BulkDialog
          {...open}
          onClose={(failed) => {
            setOpen(undefined);
            if (failed) keep(failed);
          }}
        />
      )}
    </div>
  );
}
