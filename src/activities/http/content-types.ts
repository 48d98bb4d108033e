/** How a body is given to others: parsed, as text, or only by reference. */
export type BodyForm = 'json' | 'text' | 'binary';

const JSON_TYPE = /^application\/json$|^text\/json$|\+json$/;
/** Types whose name does not begin with `text/` and that people read all the same. */
const TEXT_TYPE =
  /^text\/|^message\/|^$|\+(xml|yaml|text)$|^application\/(xml|yaml|toml|sql|graphql|javascript|ecmascript|rtf|jsonl|json-seq|jwt|x-(yaml|ndjson|javascript|sh|www-form-urlencoded|pem-file))$/;

/** By the Content-Type of an answer; without one it is text. */
export function bodyForm(contentType: string): BodyForm {
  const type = contentType.split(';', 1)[0]!.trim().toLowerCase();
  if (JSON_TYPE.test(type)) return 'json';
  return TEXT_TYPE.test(type) ? 'text' : 'binary';
}
