import { type Response, Router } from 'express';
import { z } from 'zod';
import { Fault } from '../faults.ts';
import type { LocalFile } from '../service/artifacts.ts';
import type { PlanService } from '../service/service.ts';
import { otherMethods } from './addresses.ts';
import { callerIn } from './locals.ts';
import { documented, json, type Operation } from './openapi/operation.ts';
import { artifacts } from './shapes/kept.ts';

const TYPES = {
  file: { type: 'application/octet-stream', ending: '' },
  text: { type: 'text/plain; charset=utf-8', ending: '.txt' },
  json: { type: 'application/json; charset=utf-8', ending: '.json' },
};

/** What tasks leave: outputs whole, and what is kept outside the plan as downloads. */
export function artifactRoutes(service: PlanService): Router {
  const router = Router();
  router
    .route('/api/plans/:id/artifacts')
    .get(documented(OPERATIONS.list), async (request, response) => {
      response.json({ artifacts: await service.artifacts(callerIn(response), request.params.id) });
    })
    .all(otherMethods);
  router
    .route('/api/plans/:id/artifacts/:sha256')
    .get(documented(OPERATIONS.download), async (request, response) => {
      const { id, sha256 } = request.params;
      const { file, form, path, task, output } = await service.artifact(callerIn(response), id, sha256);
      const { type, ending } = TYPES[form];
      const name = path?.split('/').at(-1) ?? `${task}.${output ?? 'outputs'}${ending}`;
      await sendDownload(response, { file, name, type, sha256 });
    })
    .all(otherMethods);
  router
    .route('/api/plans/:id/tasks/:task/outputs/:name')
    .get(documented(OPERATIONS.output), async (request, response) => {
      const { id, task, name } = request.params;
      const output = await service.output(callerIn(response), id, task, name);
      if ('value' in output) return void response.json(output.value);
      const { type, ending } = TYPES[output.isText ? 'text' : 'file'];
      if (output.dropped) response.set('Holdpoint-Dropped', String(output.dropped));
      await sendDownload(response, { ...output, name: `${task}.${name}${ending}`, type });
    })
    .all(otherMethods);
  return router;
}

interface Download {
  file: LocalFile;
  name: string;
  type: string;
  sha256: string;
}

/** Whole or in part (`Range`); to be saved, never to be shown as a page of this address. */
async function sendDownload(response: Response, { file, name, type, sha256 }: Download): Promise<void> {
  response
    .attachment(safeName(name))
    .set({ 'Content-Type': type, ETag: `"${sha256}"`, 'Content-Security-Policy': "default-src 'none'; sandbox" });
  const options = { root: file.root, dotfiles: 'allow', cacheControl: false, lastModified: false } as const;
  await new Promise<void>((resolve, reject) => {
    response.sendFile(file.path, options, (error?: Error & { status?: number }) => {
      if (!error || response.destroyed || response.headersSent) return resolve();
      if (error.status !== 416) return reject(error);
      response.removeHeader('Content-Disposition');
      response.set('Content-Range', `bytes */${file.bytes}`);
      reject(new Fault('RANGE_INVALID', `it has ${file.bytes} bytes`, { cause: error }));
    });
  });
}

/** Without what could name another folder, or steer a terminal. */
const safeName = (name: string): string => name.replace(/[\\/\p{Cc}]/gu, '_').slice(-150);

const bytes = { 'application/octet-stream': { schema: z.string() }, 'text/plain': { schema: z.string() } };
const download = {
  description: 'It, to be saved',
  headers: ['Content-Disposition', 'ETag'] as const,
  content: { ...bytes, ...json(z.unknown()) },
};
const inPart = { ...download, description: 'The part asked for', headers: ['Content-Range', 'ETag'] as const };

const OPERATIONS = {
  list: {
    tag: 'story',
    summary: 'Files and large outputs that the plan stored',
    answers: { 200: { description: 'A list', content: json(artifacts) } },
  },
  download: {
    tag: 'story',
    summary: 'One of them',
    headers: ['Range', 'If-None-Match'],
    answers: { 200: download, 206: inPart, 304: { description: 'It is what it was' } },
    faults: ['OUTPUT_NOT_FOUND', 'OUTPUT_GONE', 'RANGE_INVALID'],
  },
  output: {
    tag: 'story',
    summary: 'One output of a task, whole',
    headers: ['Range', 'If-None-Match'],
    answers: {
      200: { ...download, headers: [...download.headers, 'Holdpoint-Dropped'] },
      206: inPart,
      304: { description: 'It is what it was' },
    },
    faults: ['TASK_NOT_FOUND', 'OUTPUT_NOT_FOUND', 'OUTPUT_GONE', 'RANGE_INVALID'],
  },
} satisfies Record<string, Operation>;
