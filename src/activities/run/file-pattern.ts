/** One step of a path: the name itself, a pattern of names, or any number of folders. */
export type Segment = { name: string } | { like: Token[] } | 'any depth';
type Token = { char: string } | '*' | '?';

/** What is wrong with a path or pattern of files below a folder; undefined when nothing is. */
export function patternFault(pattern: string): string | undefined {
  if (pattern.trim() === '') return 'is empty; name a file';
  if (pattern.includes('\0')) return 'has the character NUL in it';
  if (/^(?:\/|[A-Za-z]:[\\/]|~\/)/.test(pattern)) return 'must be relative to the working directory';
  const segments = split(pattern);
  if (segments.includes('..')) return 'must not lead out of the working directory';
  if (pattern.endsWith('/') || segments.length === 0) return 'names a folder; name files, such as dist/**';
  if (segments.every((segment) => /^[*?]+$/.test(segment)))
    return 'would match every file there is; name a folder or an ending';
  return undefined;
}

/** `*` and `?` stand for characters of one name, `**` for any number of folders; `\` before one of them takes it as it is. */
export const segmentsOf = (pattern: string): Segment[] =>
  split(pattern).map((segment, i, all) => {
    if (segment === '**' && i < all.length - 1) return 'any depth';
    const like = tokensOf(segment);
    return like.every((token) => typeof token === 'object')
      ? { name: like.map(({ char }) => char).join('') }
      : { like };
  });

/** Whether a name fits; takes at most their lengths multiplied, however many stars there are. */
export function isLike(name: string, like: Token[]): boolean {
  const chars = [...name];
  // As in a shell, names that begin with a dot have to be asked for.
  if (chars[0] === '.' && !fits(like[0], '.', false)) return false;
  let at = 0;
  let token = 0;
  let star: { token: number; at: number } | undefined;
  while (at < chars.length) {
    if (like[token] === '*') star = { token: ++token, at };
    else if (fits(like[token], chars[at]!)) {
      token++;
      at++;
    } else if (star) {
      token = star.token;
      at = ++star.at;
    } else return false;
  }
  return like.slice(token).every((rest) => rest === '*');
}

const fits = (token: Token | undefined, char: string, byMark = true): boolean =>
  typeof token === 'object' ? token.char === char : byMark && token === '?';

/** A text that is meant as it is, in a pattern. */
export const literally = (text: string): string => text.replace(/[*?\\]/g, '\\$&');

const split = (pattern: string): string[] =>
  pattern
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.')
    // A last `**` means the files at any depth.
    .flatMap((segment, i, all) => (segment === '**' && i === all.length - 1 ? ['**', '*'] : [segment]));

const tokensOf = (segment: string): Token[] =>
  [...segment.matchAll(/\\([*?\\])|(\*+)|(\?)|(.)/gsu)].map(([, escaped, star, mark, char]) =>
    star ? '*' : mark ? '?' : { char: (escaped ?? char)! },
  );
