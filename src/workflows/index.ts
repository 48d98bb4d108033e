export { chat } from './chat.ts';
export { group } from './group.ts';
export { plan, segment, subplan } from './plan.ts';
export { probe } from './probe.ts';
