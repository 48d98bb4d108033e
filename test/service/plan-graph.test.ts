import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/plan/json.ts';
import { readPlanFile } from '../../src/service/plan-file.ts';
import { atWork } from '../../src/service/plan-graph/at-work.ts';
import { planGraph } from '../../src/service/plan-graph/graph.ts';
import { layOut } from '../../src/service/plan-graph/layout.ts';
import { mermaidOf } from '../../src/service/plan-graph/mermaid.ts';
import { svgOf } from '../../src/service/plan-graph/svg.ts';

const graphOf = (tasks: Record<string, Json>, more: JsonObject = {}) =>
  planGraph(readPlanFile(JSON.stringify({ plan: 1, name: 'p', tasks, ...more })).definition);

const sub = { plan: { tasks: { x: { run: 'x' }, y: { needs: 'x', approve: 'ok?' } } } };
const all = () =>
  graphOf(
    {
      c: { needs: ['a', 'b'], run: 'x', if: false },
      a: { run: 'x' },
      b: { needs: 'a', ...sub },
      each: { map: { in: [1, 2], task: sub } },
    },
    { on_failure: { run: 'x' }, finally: [{ run: 'x' }, { run: 'x' }] },
  );

describe('a graph', () => {
  test('has every task by the id that views use, with its layer and group', () => {
    expect(all().nodes.map(({ id, layer, group }) => [id, layer, group])).toEqual([
      ['c', 2, undefined],
      ['a', 0, undefined],
      ['b', 1, undefined],
      ['b/x', 0, 'b'],
      ['b/y', 1, 'b'],
      ['each', 0, undefined],
      ['each[]/x', 0, 'each'],
      ['each[]/y', 1, 'each'],
      ['on_failure', 0, ':on_failure'],
      ['finally', 0, ':finally'],
      ['finally-2', 1, ':finally'],
    ]);
    expect(all().edges).toContainEqual({ from: 'b/x', to: 'b/y' });
    expect(all().groups.map(({ id, kind }) => [id, kind])).toEqual([
      ['b', 'plan'],
      ['each', 'map'],
      [':on_failure', 'handler'],
      [':finally', 'handler'],
    ]);
  });

  test('of a plan at work has the status of what the view names', () => {
    const graph = atWork(all(), [{ id: 'b/x', status: 'running' }]);
    expect(graph.nodes.flatMap(({ id, status }) => (status ? [[id, status]] : []))).toEqual([['b/x', 'running']]);
  });
});

const graphs = fc
  .array(fc.array(fc.nat(), { maxLength: 3 }), { minLength: 1, maxLength: 25 })
  .map((list) =>
    graphOf(
      Object.fromEntries(
        list.map((needs, i) => [
          `t${i}`,
          { run: 'x', needs: i > 0 ? [...new Set(needs.map((n) => `t${n % i}`))] : [] },
        ]),
      ),
    ),
  );

test('boxes keep to the row of their layer, in reach of each other but never over each other', () => {
  fc.assert(
    fc.property(graphs, ({ nodes }) => {
      const { boxes, edges } = layOut(nodes, (id) => ({ width: 10 + id.length, height: 10 }), {
        between: 5,
        layers: 10,
        lines: 3,
      });
      const rows = new Map<number, number>();
      for (const [k, { layer }] of nodes.entries()) {
        const box = boxes[k]!;
        expect(box.y).toBeCloseTo(rows.get(layer) ?? box.y);
        rows.set(layer, box.y);
        for (const other of boxes)
          if (other.id !== box.id && Math.abs(other.y - box.y) < 1)
            expect(Math.abs(other.x - box.x)).toBeGreaterThanOrEqual((other.width + box.width) / 2);
      }
      expect([...rows].sort(([a], [b]) => a - b).map(([, y]) => y)).toEqual([...rows.values()].sort((a, b) => a - b));
      for (const { from, to, past } of edges) {
        const layerOf = (id: string) => nodes.find((node) => node.id === id)!.layer;
        expect(past).toHaveLength(layerOf(to) - layerOf(from) - 1);
      }
    }),
    { numRuns: 40 },
  );
});

describe('Mermaid', () => {
  test('calls tasks by numbers, so that no id is read as a word of its own', () => {
    const text = mermaidOf(
      graphOf({ end: { run: 'x' }, 'sub-graph': { needs: 'end', approve: 'ok?' }, style: { set: { a: 1 } } }),
    );
    expect(text).toContain('  t0["end<br>run"]\n');
    expect(text).toContain('  t1{{"sub-graph<br>approve"}}:::question\n');
    expect(text).toContain('  t0 --> t1\n');
    expect(text).toContain('classDef question ');
  });

  test('escapes what could end a label, or be read as anything but text', () => {
    const graph = graphOf({ a: { run: 'x', if: `'"<b>\`*#ü' == "]"` } }, { name: 'a "b": ü' });
    const text = mermaidOf(graph);
    expect(text).toContain('title: "a \\"b\\": ü"');
    expect(text).toContain(`t0["a<br>run<br>if '#34;#60;b#62;#96;#42;#35;ü' == #34;]#34;"]`);
  });

  test('has sub-plans and handlers as subgraphs, and the colour of each status that occurs', () => {
    const text = mermaidOf(
      atWork(all(), [
        { id: 'a', status: 'succeeded' },
        { id: 'b', status: 'running' },
      ]),
    );
    expect(text).toMatch(
      /subgraph t2\["b<br>plan: running"\]\n {4}t3\["x<br>run"\]\n {4}t4.*\n {2}end\n {2}class t2 running\n/,
    );
    expect(text).toContain('subgraph h1["in any case"]');
    expect(text.match(/classDef \w+/g)).toEqual(['classDef succeeded', 'classDef running', 'classDef question']);
  });
});

describe('SVG', () => {
  const well = (svg: string) => {
    const open: string[] = [];
    for (const [, close, name, selfClosed] of svg.matchAll(/<(\/?)([\w-]+)(?:"[^"]*"|[^>"])*?(\/?)>/g))
      if (close) expect(open.pop()).toBe(name);
      else if (!selfClosed) open.push(name!);
    expect(open).toEqual([]);
  };

  test('is well-formed and stands for itself: a title, a role, no scripts and nothing from elsewhere', () => {
    const svg = svgOf(all());
    well(svg);
    expect(svg).toMatch(/^<svg [^>]*role="img" aria-labelledby="title about">\n<title id="title">p<\/title>/);
    expect(svg).toContain('prefers-color-scheme:dark');
    expect(svg).not.toMatch(/<script|<image|<foreignObject|href=|@import|on\w+="|url\((?!#)/);
    expect(svg.match(/<path class="edge"/g)).toHaveLength(all().edges.length);
  });

  test('shows names and conditions as text, whatever is in them', () => {
    const svg = svgOf({
      ...graphOf({ a: { run: 'x', if: "'</text><script>' == '&\"'" } }),
      name: '<svg onload="x">\u0007 & "ü"',
    });
    well(svg);
    expect(svg).toContain('<title id="title">&lt;svg onload=&quot;x&quot;&gt; &amp; &quot;ü&quot;</title>');
    expect(svg).not.toContain('<script');
  });

  test('of a thousand tasks is drawn; of more than anybody could read it is refused, with another way', () => {
    const chains = (n: number) =>
      graphOf(
        Object.fromEntries(
          Array.from({ length: n }, (_, i) => [`t${i}`, { run: 'x', needs: i % 20 ? [`t${i - 1}`] : [] }]),
        ),
      );
    expect(svgOf(chains(1_000)).match(/class="name"/g)).toHaveLength(1_000);
    expect(() => svgOf(chains(2_001))).toThrow(/at most 2000 tasks, and this plan has 2001; take the format/);
  });

  test.each([
    [
      'go through many layers',
      chainOf(80),
      /at most 10000 lines, each counted in every layer .* take the format text, mermaid or json/,
    ],
    ['stand side by side', betweenAll(60), /at most 3000 lines side by side, and this plan has 3600; take the format/],
  ])('is refused when its lines %s, before anything is placed', (_, graph, message) =>
    expect(() => svgOf(graph)).toThrow(message),
  );
});

/** Every task needs all before it. */
function chainOf(count: number) {
  const ids = Array.from({ length: count }, (_, i) => `t${i}`);
  return graphOf(Object.fromEntries(ids.map((id, i) => [id, { run: 'x', needs: ids.slice(0, i) }])));
}

/** Every task of a second layer needs all of a first. */
function betweenAll(count: number) {
  const firsts = Array.from({ length: count }, (_, i) => `a${i}`);
  return graphOf({
    ...Object.fromEntries(firsts.map((id) => [id, { run: 'x' }])),
    ...Object.fromEntries(firsts.map((_, i) => [`b${i}`, { run: 'x', needs: firsts }])),
  });
}
