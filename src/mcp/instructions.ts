/** What a client shows its model before the first call. */
export const INSTRUCTIONS = `Holdpoint runs plans: graphs of tasks that survive crashes, and that people and agents can pause, resume, stop, approve and watch.
Usual order: plan_validate, plan_create, plan_wait until it has ended; of a failed plan plan_status and plan_logs, then plan_resume (with an edited plan file where that was the cause).
A plan runs without you. Its plan_id is the only thing to remember: it works in every later session, and plan_list finds it again. A cancelled or lost call never stops a plan; only plan_stop does.
Programs read a source without a plan file: plasm_catalogs teaches what there is to ask, plasm dry-runs a program, plasm_run runs it; what takes long goes on in the background, with a handle for wait(…) and cancel(…).
Refusals are answers with isError and {error: {code, message, details}}; call again unchanged only where details.retryable is true.`;
