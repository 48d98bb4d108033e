import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { type ReadResourceResult, ResourceNotFoundError } from '@modelcontextprotocol/server';
import { asFault, FAULTS, Fault } from '../faults.ts';
import type { ArtifactFile } from '../service/artifacts.ts';
import type { Caller } from '../service/caller.ts';
import { planFileJsonSchema } from '../service/plan-file/json-schema.ts';
import type { PlanService } from '../service/service.ts';
import type { Access } from './access.ts';
import { bounded } from './bounded.ts';
import { snapshotText } from './snapshot-text.ts';
import { SOMETHING_INSIDE } from './tool-result.ts';
import { type Address, addressOf, SCHEMA, TEMPLATES, TYPES } from './uris.ts';

/** What is read at once: a model has no use for more, and it is held in memory. */
const MOST_BYTES = 256 * 1_024;
const MOST_ARTIFACT_BYTES = 4 * 1_024 * 1_024;

type Content = { text: string; mimeType: string } | { blob: string; mimeType: string };

/** The logs and artifacts that answers link to. What is not there is told as the protocol has it. */
export async function readResource(access: Access, uri: string): Promise<ReadResourceResult> {
  const address = addressOf(uri);
  if (!address) throw new ResourceNotFoundError(uri.slice(0, 200));
  try {
    const content = await access.use((service, caller) => READ[address.what](service, caller, address as never));
    return { contents: [{ uri, ...content }] };
  } catch (error) {
    const fault = asFault(error);
    if (FAULTS[fault.code].exit === FAULTS.PLAN_NOT_FOUND.exit) throw new ResourceNotFoundError(uri, fault.message);
    if (fault.code !== 'INTERNAL') throw fault;
    access.onInternal(fault.cause ?? fault);
    throw new Fault('INTERNAL', SOMETHING_INSIDE);
  }
}

type Of<What extends Address['what']> = Extract<Address, { what: What }>;
type Read<A> = (service: PlanService, caller: Caller, address: A) => Promise<Content>;

const READ: { [What in Address['what']]: Read<Of<What>> } = {
  async schema() {
    return { text: JSON.stringify(planFileJsonSchema()), mimeType: SCHEMA.mimeType };
  },

  async rows({ execute }, caller, { plan_id, offset, of }) {
    const snapshot = await execute.snapshot(caller, plan_id, { offset, of, limit: undefined });
    return { text: snapshotText(snapshot, of, MOST_BYTES), mimeType: TEMPLATES.rows.mimeType };
  },

  async log(service, caller, { plan_id, task }) {
    const log = await service.openLog(caller, plan_id, { task });
    return { text: log ? (await bounded(log, MOST_BYTES, 'end')).text : '', mimeType: 'text/plain' };
  },

  async artifact(service, caller, { plan_id, sha256 }) {
    const artifact = await service.artifact(caller, plan_id, sha256);
    if (artifact.file.bytes > MOST_ARTIFACT_BYTES)
      throw new Fault(
        'OUTPUT_NOT_FOUND',
        `it has ${artifact.file.bytes} bytes, more than can be read here; download it: GET /api/plans/${plan_id}/artifacts/${sha256}`,
      );
    const bytes = await contentOf(artifact);
    const mimeType = TYPES[artifact.form];
    return artifact.form === 'file'
      ? { blob: bytes.toString('base64'), mimeType }
      : { text: bytes.toString('utf8'), mimeType };
  },
};

async function contentOf({ file: { root, path } }: ArtifactFile): Promise<Buffer> {
  const handle = await open(join(root, path));
  try {
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}
