import { CirclePause, CirclePlay } from 'lucide-react';
import type { ComponentProps } from 'react';
import type { Task } from '../../api/types.ts';
import { Button } from '../../ui/button.tsx';
import type { Standing } from './hold.ts';
import { useHold } from './use-hold.ts';

export const HOLD_LOOKS = {
  hold: { icon: CirclePause, words: 'Hold', title: 'Do not start it before it is released' },
  release: { icon: CirclePlay, words: 'Release', title: 'Let it start' },
} as const;

interface HoldButtonProps extends Pick<ComponentProps<typeof Button>, 'look' | 'tabIndex' | 'className'> {
  plan: Standing;
  task: Task;
  /** Without words, where there is no room for them. */
  small?: boolean;
}

/** Sets a hold point on a task that has not begun, or takes it away. */
export function HoldButton({ plan, task, small, ...rest }: HoldButtonProps) {
  const { action, refusal, isPending, send } = useHold(plan, task);
  const { icon: Icon, words, title } = HOLD_LOOKS[action];
  return (
    <Button
      {...rest}
      icon={<Icon aria-hidden size={16} />}
      refusal={refusal}
      busy={isPending}
      title={title}
      aria-label={`${words} ${task.id}`}
      onClick={(event) => {
        event.stopPropagation();
        send();
      }}
    >
      {small ? undefined : words}
    </Button>
  );
}
