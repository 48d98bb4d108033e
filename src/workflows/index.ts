export { chat } from './chat.ts';
export { group } from './group.ts';
export { ledger } from './ledger.ts';
export { plan, segment, subplan } from './plan.ts';
export { probe } from './probe.ts';
