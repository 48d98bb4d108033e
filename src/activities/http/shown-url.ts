/** A URL as logs and messages may hold it: without password, values of its query, and fragment. */
export function shownUrl({ protocol, username, password, host, pathname, searchParams }: URL): string {
  const names = [...searchParams.keys()].map((name) => `${encodeURIComponent(name)}=***`);
  const user = username || password ? '***@' : '';
  return `${protocol}//${user}${host}${pathname}${names.length > 0 ? `?${names.join('&')}` : ''}`;
}
