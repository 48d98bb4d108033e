import { Clock, Hourglass, type LucideIcon, UserRound } from 'lucide-react';
import type { WaitingFor } from '../../api/types.ts';
import { Button } from '../../ui/button.tsx';
import { plainText } from '../../ui/plain-text.ts';
import { Ago } from '../../ui/times.tsx';
import { limitOf } from '../../usage/reached.ts';
import { type About, notAllowed, refusal } from '../controls/refusal.ts';
import { sendAndTell } from '../controls/send.ts';
import { capital, WAITS, WHO } from './waits.ts';

const ICONS: Record<keyof typeof WHO, LucideIcon> = { people: UserRound, time: Clock, others: Hourglass };
const ACTS = { approve: 'Approve', resume: 'Resume', release: 'Release' } as const;

/** One thing that the plan waits for: what, since and until when, who is to thank for it, and who may end it. */
export function WaitItem({ waits, about }: { waits: WaitingFor; about: About }) {
  const { plan } = about;
  const wait = WAITS[waits.what];
  const who = wait?.who ?? 'others';
  const Icon = ICONS[who];
  const hold = waits.what === 'release' ? plan.tasks.find(({ id }) => id === waits.task)?.hold : undefined;
  return (
    <li className="wait">
      <Icon aria-hidden size={16} />
      <div>
        <p>{plainText(wait ? wait.words(waits, plan) : capital(waits.text))}</p>
        <p className="wait-more">
          {waits.until !== undefined && (
            <span>
              <Ago at={waits.until} />
            </span>
          )}
          {waits.since !== undefined && (
            <span>
              since <Ago at={waits.since} />
              {waits.by !== undefined && waits.by !== '' && `, by ${plainText(waits.by)}`}
            </span>
          )}
          {hold?.comment !== undefined && <span>“{plainText(hold.comment)}”</span>}
          <span>{who === 'people' ? whoMay(about) : WHO[who]}</span>
        </p>
      </div>
      {wait?.act && !(wait.act === 'resume' && limitOf(plan)) && <Act act={wait.act} task={waits.task} about={about} />}
    </li>
  );
}

/** Who can end what people end. */
export const whoMay = ({ plan, me }: About, words = 'you can do that'): string =>
  me && notAllowed('approve', plan, me) === undefined ? words : 'needs somebody with plan:approve';

function Act({ act, task, about }: { act: keyof typeof ACTS; task: string | undefined; about: About }) {
  const { plan, underway } = about;
  const target = act === 'release' ? `task ${task}` : undefined;
  const words = ACTS[act];
  const path = act === 'release' ? `/tasks/${encodeURIComponent(task ?? '')}/release` : `/${act}`;
  const press = () => void sendAndTell({ planId: plan.plan_id, deed: act, target, words, method: 'PUT', path });
  return (
    <Button
      refusal={refusal(act, about, target)}
      busy={underway.some((each) => each.target === target && each.deed === act && each.is === 'sent')}
      aria-label={act === 'release' ? `Release ${task}` : undefined}
      onClick={press}
    >
      {words}
    </Button>
  );
}
