import type { CSSProperties } from 'react';
import type { LineStyle, PlainLine } from './ansi.ts';

export interface LineMark {
  from: number;
  to: number;
  isCurrent: boolean;
}

/** The text of a line in its colours, with what was searched for marked. */
export function LineText({
  line: { text, styles = [] },
  marks = [],
}: {
  line: PlainLine;
  marks?: readonly LineMark[];
}) {
  if (styles.length === 0 && marks.length === 0) return text;
  const cuts = new Set([0, text.length]);
  for (const { from, to } of [...styles, ...marks]) cuts.add(from).add(to);
  const places = [...cuts].sort((a, b) => a - b);
  return places.slice(0, -1).map((from, i) => {
    const part = text.slice(from, places[i + 1]);
    const style = styles.find((one) => one.from <= from && from < one.to);
    const mark = marks.find((one) => one.from <= from && from < one.to);
    const Tag = mark ? 'mark' : 'span';
    return (
      <Tag key={from} className={style?.className} style={colourOf(style)} data-current={mark?.isCurrent || undefined}>
        {part}
      </Tag>
    );
  });
}

const colourOf = (style: LineStyle | undefined): CSSProperties | undefined =>
  style?.colour === undefined ? undefined : ({ '--colour': style.colour } as CSSProperties);
