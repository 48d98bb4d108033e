/** Plain JSON: the only kind of value that crosses the workflow boundary. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };
