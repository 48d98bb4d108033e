export * from '../engine/process-identity.ts';
