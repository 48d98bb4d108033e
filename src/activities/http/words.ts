import { z } from 'zod';
import type { Json } from '../../plan/json.ts';

export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof METHODS)[number];
export const isMethod = (text: string): text is Method => (METHODS as readonly string[]).includes(text);

/** What a plan file need not say. */
export const DEFAULTS = { method: 'GET', expect: '2xx', max_bytes: 10 * 1_024 * 1_024, redirects: 10 } as const;
export const DEFAULT_PAGES = 100;
const MOST_BYTES = 100 * 1_024 * 1_024;
const MOST_REDIRECTS = 20;
const MOST_PAGES = 10_000;

const URL_RULE = 'is not a URL that can be asked; write one such as https://example.org/items';
const PATH_RULE = 'has to say where it stands in an answer, such as body.items or headers.x-next';
const EXPECT_RULE = 'a status is a number such as 200, or a range such as "2xx"';

/** Headers by which a connection is kept; a task that set them would break its own request. */
const OWN_HEADERS = [
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** The words of a plan file, in which expressions may stand for any text or number. */
const isOpen = (text: string) => text.includes('${{');
const openWords = requestWords(isOpen);
export const webUrl = openWords.shape.url;
export const fileWords = readsPagesByGet(openWords, isOpen);
/**
 * The same with expressions filled in, and defaults. A body is JSON by then, whatever filled it in; looking through megabytes
 * of it would hold up the worker.
 */
export const renderedWords = readsPagesByGet(
  requestWords(() => false)
    .required({ method: true, expect: true, max_bytes: true, redirects: true })
    .extend({ body: z.custom<Json>().optional() }),
  () => false,
);
export type RenderedWords = z.infer<typeof renderedWords>;

function requestWords(open: (text: string) => boolean) {
  const text = (fits: (text: string) => boolean, rule: string) =>
    z.string().refine((given) => open(given) || fits(given), rule);
  const whole = (least: number, most: number) => {
    const rule = `has to be a whole number from ${least} to ${most}`;
    const fits = (given: string) => /^\d{1,9}$/.test(given) && Number(given) >= least && Number(given) <= most;
    return z.union([z.int(rule).min(least, rule).max(most, rule), text(fits, rule)]);
  };
  const status = [z.int(EXPECT_RULE).min(100, EXPECT_RULE).max(599, EXPECT_RULE), text(isStatus, EXPECT_RULE)] as const;
  const value = z.union([z.string(), z.number(), z.boolean(), z.null()]);
  return z.strictObject({
    url: text(isWebUrl, URL_RULE).describe('`http` or `https`'),
    method: text((given) => isMethod(given.toUpperCase()), `has to be one of ${METHODS.join(', ')}`)
      .optional()
      .describe('GET unless said')
      .meta({ examples: [...METHODS] }),
    headers: z
      .record(
        z
          .string()
          .regex(/^[\w!#$%&'*+.^`|~-]+$/, 'is not the name of a header')
          .refine((name) => !OWN_HEADERS.includes(name.toLowerCase()), 'is a header that Holdpoint sets itself'),
        z.union([
          z.string().refine((given) => open(given) || isHeaderValue(given), 'has characters that a header cannot hold'),
          z.number(),
          z.boolean(),
          z.null(),
        ]),
      )
      .refine((headers) => {
        const names = Object.keys(headers).map((name) => name.toLowerCase());
        return new Set(names).size === names.length;
      }, 'a header is given twice')
      .optional()
      .describe('Name to value; null leaves a header out'),
    query: z
      .record(z.string(), z.union([...value.options, z.array(value)]))
      .optional()
      .describe('Added to the URL, encoded: name to value or list of values'),
    body: z.json().optional().describe('A text as it is, anything else as JSON'),
    expect: z
      .union([...status, z.array(z.union(status)).min(1)])
      .optional()
      .describe('The statuses with which the task succeeds; 2xx unless said'),
    max_bytes: whole(1, MOST_BYTES).optional().describe('How large an answer is taken; 10 MiB unless said'),
    redirects: whole(0, MOST_REDIRECTS).optional().describe('How many redirects are followed; 10 unless said'),
    pages: z
      .strictObject({
        items: z
          .string()
          .regex(/^body(\..+)?$/, 'has to say where the list stands in an answer, such as body.items')
          .describe('Where the list stands in an answer, such as `body.items`'),
        next: z
          .string()
          .regex(/^(body|headers)\..+$/, PATH_RULE)
          .describe(
            'Where an answer has the next page: its token, number or URL, such as `body.next` or `headers.link`',
          ),
        as: z.string().min(1).optional().describe('The query parameter that takes a token or number'),
        max: whole(1, MOST_PAGES).optional().describe('More pages than this fail the task'),
      })
      .optional()
      .describe('For a list that comes in pages: all of them are read, and their items joined'),
  });
}

/** Another method would do its work once for each page. */
function readsPagesByGet<T extends z.ZodObject<{ method: z.ZodType<string | undefined>; pages: z.ZodType }>>(
  words: T,
  open: (text: string) => boolean,
): T {
  const byGet = ({ method = 'GET', pages }: { method?: string; pages?: unknown }) =>
    pages === undefined || open(method) || method.toUpperCase() === 'GET';
  return words.refine((given) => byGet(given as { method?: string; pages?: unknown }), {
    path: ['pages'],
    message: 'can be read with the method GET only',
  });
}

export function isWebUrl(text: string): boolean {
  return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);
}

function isStatus(text: string): boolean {
  return /^[1-5](\d\d|xx)$/i.test(text);
}

function isHeaderValue(text: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(text);
}
