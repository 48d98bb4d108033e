export const SCHEMA_URI = 'holdpoint://plan-file/schema';

/** The words that most plans need, for an agent that knows only what tools say of themselves. */
export const PLAN_FILES = `A plan file: {plan: 1, name: "release", inputs: {version: {type: "string"}}, tasks: {build: {run: "make V=\${{ inputs.version }}", timeout: "10m", retry: 3}, ship: {needs: ["build"], approve: "Ship it?"}, push: {needs: ["ship"], run: "make push > out.txt", outputs: ["out.txt"]}}}.
tasks is a map of ids; tasks without needs start at once. Each has one kind: run (a bash script), http (a URL, or {url, method, headers, body}), approve (a prompt, or {prompt, options}), input ({prompt, form: {field: JSON Schema}}), checkpoint, wait ("10m", or a time), set ({name: value}), map ({in, as, task}), plan (a plan within the plan).
Any task: needs, if, timeout, retry, on_failure (fail, hold: somebody is asked what to do, or continue). A run task also: env, working_directory, outputs (files to keep), capture: "json".
\${{ … }} is CEL: inputs.NAME, tasks.ID.outputs.NAME (of run: stdout, exit_code; of http: status, body; of approve: choice; of input: values), tasks.ID.status. if takes the same without \${{ }}: "tasks.ship.outputs.choice == 'approve'".
All words: the resource ${SCHEMA_URI}.`;
