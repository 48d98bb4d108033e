import { Keyed } from './keyed.ts';

/** Which nodes of a graph are marked, by id. */
export class Marks {
  /** The task whose panel is open. */
  readonly selected = new Keyed<true>();
  /** The one node that Tab leads to, and from which the arrow keys go on. */
  readonly active = new Keyed<true>();
  /** The active node is to take the focus as soon as it is drawn. */
  wantsFocus = false;

  mark(which: 'selected' | 'active', id: string | undefined): void {
    this[which].replace(new Map(id === undefined ? [] : [[id, true]]));
  }
  activeId(): string | undefined {
    return this.active.all().keys().next().value;
  }
}
