import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
const textsIn = (folder: string, ending: string): string[] =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith(ending))
    .map((name) => readFileSync(join(ROOT, folder, name), 'utf8'));

const HEAD = 'plan: 1\nname: x\n';

/** What people write: every example, and every piece of a plan file that the documentation shows, made whole. */
export function realPlanFiles(): string[] {
  const shown = [...textsIn('docs', '.md'), ...textsIn('.', '.md')].flatMap((text) =>
    Array.from(text.matchAll(/```ya?ml\n(.*?)```/gs), ([, piece]) => piece!),
  );
  return [...textsIn('examples', '.yaml'), ...shown.map(made), EVERY_WORD];
}

function made(piece: string): string {
  if (/^plan:/m.test(piece)) return piece;
  if (/^(tasks|steps):/m.test(piece)) return HEAD + piece;
  return /^(on_failure|on_success|finally):/m.test(piece)
    ? `${HEAD}tasks: { a: { run: x } }\n${piece}`
    : `${HEAD}tasks:\n${piece.replace(/^/gm, '  ')}`;
}

const EVERY_WORD = `plan: 1
name: every word
description: &text All that a plan file can say
labels: { team: core, "on": "yes" }
inputs:
  version: { type: string, default: "1.0", enum: ["1.0", "2.0"], description: *text }
  count: { type: integer, default: 3 }
  list: { type: array, default: [1, {a: b}] }
  free: { required: false }
env: { CI: "1" }
env_file: [.env, "conf/more.env"]
secrets: [TOKEN]
working_directory: app
max_parallel: 8
deadline: 2h
review: none
tasks:
  build:
    run: |
      cat <<END
      \${{ inputs.version }}
      END
    capture: json
    outputs: ["dist/*.tgz"]
    working_directory: sub
    env_file: .env
    secrets: [OTHER]
    env: &env { A: b }
    timeout: 15m
    retry: { max_attempts: 3, delay: 5s, backoff: 2, max_delay: 1m }
    on_failure: hold
  fetch:
    http:
      url: "https://example.org/\${{ inputs.version }}"
      method: POST
      headers: { authorization: "Bearer \${{ secrets.TOKEN }}" }
      query: { a: [1, true], b: null }
      body: { "n": "\${{ inputs.count + 1 }}" }
      expect: ["2xx", 404]
      max_bytes: 1000
      redirects: 0
    secrets: [TOKEN]
  ask: { needs: [build, fetch], approve: { prompt: Ship?, options: [ship, stop], timeout: 2d, on_timeout: hold } }
  form: { needs: ask, input: { prompt: Who?, form: { who: { type: string, minLength: 1 }, n: { type: integer, required: false } }, timeout: 1h } }
  fork: { needs: ask, checkpoint: { prompt: Which?, options: [a, b], timeout: 10m } }
  rest: { wait: 10m }
  values: { needs: [form], if: "tasks.ask.outputs.choice == 'ship' && size(inputs.list) > 0", set: { a: [1, "\${{ tasks.form.outputs.values.who }}"] } }
  each: { needs: fetch, map: { in: "tasks.fetch.outputs.body.items", as: it, max_parallel: 2, fail_fast: false, task: { run: "echo \${{ it.id }} \${{ index }}", env: *env } } }
  inner:
    plan:
      inputs: { v: "\${{ inputs.version }}" }
      outputs: { o: "\${{ tasks.b.outputs.stdout }}" }
      deadline: 1h
      steps:
        - { run: "echo \${{ inputs.v }}" }
        - { id: b, run: "true" }
on_failure: { run: "echo \${{ plan.error }}" }
on_success: [{ run: a }, { id: second, run: b }]
finally: { run: c }
`;
