import type { NodeProps } from '@xyflow/react';

const WORDS: Record<string, string> = {
  on_failure: 'When it fails',
  on_success: 'When it succeeds',
  finally: 'At the end, however it ends',
};

/** Around the handlers of one kind. */
export function GroupNode({ data: { handler } }: NodeProps) {
  return (
    <div className="handler-group">
      <span className="cut">
        {WORDS[String(handler)] ?? String(handler)} <code>{String(handler)}</code>
      </span>
    </div>
  );
}
