export { plan } from './plan.ts';
export { probe } from './probe.ts';
