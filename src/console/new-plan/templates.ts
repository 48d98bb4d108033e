export interface Template {
  name: string;
  /** What it shows. */
  words: string;
  text: string;
}

/** Plans to begin with; each runs as it stands, with nothing but a shell. */
export const TEMPLATES: readonly Template[] = [
  {
    name: 'A question between two steps',
    words: 'Runs a command, asks somebody, and goes on by the answer',
    text: `plan: 1
name: release

tasks:
  test:
    run: echo 128 tests passed

  ship_it:
    needs: test
    approve:
      prompt: "\${{ tasks.test.outputs.stdout }}. Ship it?"
      options: [ship, reject]
      timeout: 2d

  deploy:
    needs: ship_it
    run: echo deployed
    retry: { max_attempts: 3, delay: 5s }
`,
  },
  {
    name: 'Side by side',
    words: 'Independent commands at once, and a report of what they found',
    text: `plan: 1
name: checks
max_parallel: 4

tasks:
  types: { run: "sleep 1; echo no errors" }
  lint: { run: "sleep 2; echo no warnings" }
  tests: { run: "sleep 3; echo 128 passed", on_failure: hold }

  report:
    needs: [types, lint, tests]
    run: |
      cat <<END
      types: \${{ tasks.types.outputs.stdout }}
      lint: \${{ tasks.lint.outputs.stdout }}
      tests: \${{ tasks.tests.outputs.stdout }}
      END
`,
  },
  {
    name: 'Inputs and a form',
    words: 'Takes values when it is started, and asks for more while it runs',
    text: `plan: 1
name: rollout

inputs:
  service: { type: string, description: What is rolled out }
  region: { type: string, enum: [eu, us, asia], default: eu }
  replicas: { type: integer, default: 2, description: How many of it run }

tasks:
  prepare:
    run: echo preparing \${{ inputs.service }} in \${{ inputs.region }}

  details:
    needs: prepare
    input:
      prompt: How should it be rolled out?
      form:
        percent: { type: integer, minimum: 1, maximum: 100, default: 10, title: Percent of the traffic at first }
        note: { type: string, required: false }

  roll_out:
    needs: details
    run: echo \${{ inputs.replicas }} replicas, \${{ tasks.details.outputs.values.percent }} percent
`,
  },
  {
    name: 'One task for every item',
    words: 'Lists something, and works through the list a few at a time',
    text: `plan: 1
name: each-file

tasks:
  list:
    run: printf '%s\\n' one.txt two.txt three.txt
    capture: lines

  each:
    needs: list
    map:
      in: tasks.list.outputs.stdout
      as: file
      max_parallel: 2
      task:
        run: "sleep 1; echo done with \${{ file }}"

  summary:
    needs: each
    run: echo \${{ tasks.each.outputs.succeeded }} of \${{ tasks.each.outputs.total }} done
`,
  },
  {
    name: 'Steps and handlers',
    words: 'One step after another, and what is done when all has ended',
    text: `plan: 1
name: nightly
deadline: 1h

steps:
  - { id: fetch, run: echo fetched, retry: 3, timeout: 5m }
  - { id: pause_for_breath, wait: 2s }
  - { id: work, run: echo worked }

on_failure: { run: "echo failed: \${{ plan.error }}" }
finally: { run: echo cleaned up }
`,
  },
];
