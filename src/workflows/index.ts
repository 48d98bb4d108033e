export { catalog } from './catalog.ts';
export { chat } from './chat.ts';
export { execute } from './execute-session.ts';
export { group } from './group.ts';
export { ledger } from './ledger.ts';
export { plan, segment, subplan } from './plan.ts';
export { probe } from './probe.ts';
