import { useQuery } from '@tanstack/react-query';
import type { Plan } from '../../api/types.ts';
import { plainText } from '../../ui/plain-text.ts';
import { givenQuery } from './file-query.ts';

/** What the run was given. */
export function GivenInputs({ plan }: { plan: Plan }) {
  const { data } = useQuery(givenQuery(plan));
  const inputs = Object.entries(data?.inputs ?? {});
  if (!data || inputs.length === 0) return null;
  return (
    <section>
      <h2>Inputs of the run</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard. */}
      <section className="scroll" aria-label="Inputs of the run" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Value</th>
              <th scope="col">From</th>
            </tr>
          </thead>
          <tbody>
            {inputs.map(([name, value]) => (
              <tr key={name}>
                <td>
                  <code>{plainText(name)}</code>
                </td>
                <td>
                  <code className="given-value">
                    {plainText(typeof value === 'string' ? value : JSON.stringify(value))}
                  </code>
                </td>
                <td>{data.given.includes(name) ? 'given' : 'its default'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}
