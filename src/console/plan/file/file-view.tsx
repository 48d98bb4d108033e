import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { addressOf, planPath } from '../../api/client.ts';
import type { Plan } from '../../api/types.ts';
import { Editor, type TextProblem } from '../../ui/editor/editor.tsx';
import { Failure } from '../../ui/failure.tsx';
import { plainText } from '../../ui/plain-text.ts';
import { CopyButton } from './copy-button.tsx';
import { fileQuery } from './file-query.ts';
import { GivenInputs } from './given-inputs.tsx';
import { type Place, placesOf } from './places.ts';
import './file.css';

/** The file that the latest run was made from; what failed is marked in it. */
export default function FileView({ plan }: { plan: Plan }) {
  const { data: file, error, refetch } = useQuery(fileQuery(plan));
  const problems = useFailures(plan, file?.text);
  if (error && !file) return <Failure error={error} retry={() => void refetch()} />;
  if (!file) return <p className="muted">Reading the plan file …</p>;
  return (
    <div className="stack plan-file">
      <div className="row">
        <CopyButton text={file.text} />
        <a
          className="button"
          href={addressOf(planPath(plan.plan_id, '/file'))}
          download={`${plan.name.replaceAll(/[^\w.-]+/g, '-')}.yaml`}
        >
          <Download aria-hidden size={16} /> Download
        </a>
        {plan.run > 1 && <span className="hint">Of run {plan.run}</span>}
      </div>
      {file.isRewritten && (
        <p className="hint">
          The text was too long to be kept. This is what it was read as, without its comments; it cannot be sent back as
          a plan file.
        </p>
      )}
      <Editor label="Plan file" readOnly value={file.text} problems={problems} />
      <GivenInputs plan={plan} />
    </div>
  );
}

/** More marks than are looked at. */
const MARKED = 100;

/** A mark for each task that failed. */
function useFailures({ tasks }: Plan, text: string | undefined): TextProblem[] {
  const failed = tasks.flatMap(({ id, error }) => (error ? [{ id, message: error.message }] : [])).slice(0, MARKED);
  const key = JSON.stringify(failed);
  const [places, setPlaces] = useState<Map<string, Place>>();
  useEffect(() => {
    let isOver = false;
    const ids = (JSON.parse(key) as typeof failed).map(({ id }) => id);
    if (text !== undefined)
      void placesOf(text, ids)
        .catch(() => new Map<string, Place>())
        .then((found) => isOver || setPlaces(found));
    return () => {
      isOver = true;
    };
  }, [key, text]);
  return useMemo(
    () =>
      (JSON.parse(key) as typeof failed).flatMap(({ id, message }) => {
        const place = places?.get(id);
        return place ? [{ message: `${id} failed: ${plainText(message)}`, ...place }] : [];
      }),
    [key, places],
  );
}
