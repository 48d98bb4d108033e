/** Where a read goes on: with the page that a cursor gives, behind the items of it that are done with. */
export interface ReadPosition {
  /** Of the page; null for the first. Without a cursor's parameter in its catalog: the URL of the page. */
  cursor: string | null;
  /** Items of that page that are done with. */
  skip: number;
  /** How many rows each `limit` of the read has let through so far, from left to right. */
  taken: number[];
}
