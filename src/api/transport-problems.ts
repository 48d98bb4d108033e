import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { FAULTS, Fault, type FaultCode } from '../faults.ts';
import { problemOf } from './errors.ts';

/** What Node's parser of HTTP refuses, and why. */
const REFUSED: Record<string, [FaultCode, string]> = {
  HPE_HEADER_OVERFLOW: ['HEADERS_TOO_LARGE', 'the address and headers are larger than 16 KiB'],
  ERR_HTTP_REQUEST_TIMEOUT: [
    'REQUEST_TIMEOUT',
    'the request did not come in time: headers within 10 s, all of it within 60 s',
  ],
};
const MALFORMED: [FaultCode, string] = ['REQUEST_MALFORMED', 'this is no request in HTTP/1.1'];

/** Answers what never reaches the application, as a problem like all others. */
export function answerTransportProblems(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    const { _httpMessage: under } = socket as { _httpMessage?: ServerResponse };
    if (!socket.writable || under?.headersSent) return void socket.destroy();
    const [code, message] = REFUSED[error.code ?? ''] ?? MALFORMED;
    socket.end(answerOf(new Fault(code, message)), () => socket.destroy());
  });
  server.on('checkExpectation', ({ headers }: IncomingMessage, response: ServerResponse) => {
    refuse(response, new Fault('EXPECTATION_FAILED', `"${headers.expect?.slice(0, 80)}" is not known here`));
  });
}

/** HTTP/1.1 asks for a `Host`; without one Node itself would answer with nothing. */
export function mustHaveHost({ httpVersion, headers }: IncomingMessage, response: ServerResponse): boolean {
  const isMissing = httpVersion === '1.1' && headers.host === undefined;
  if (isMissing) refuse(response, new Fault('REQUEST_MALFORMED', 'the header Host is missing'));
  return !isMissing;
}

const TYPE = 'application/problem+json';
const bodyOf = (fault: Fault): string => JSON.stringify(problemOf(fault, randomUUID()));

function refuse(response: ServerResponse, fault: Fault): void {
  response.writeHead(FAULTS[fault.code].http, { 'Content-Type': TYPE, Connection: 'close' });
  response.end(bodyOf(fault));
}

function answerOf(fault: Fault): string {
  const { http } = FAULTS[fault.code];
  const body = bodyOf(fault);
  const head = [`HTTP/1.1 ${http} ${STATUS_CODES[http]}`, `Content-Type: ${TYPE}`];
  return [...head, `Content-Length: ${Buffer.byteLength(body)}`, 'Connection: close', '', body].join('\r\n');
}
