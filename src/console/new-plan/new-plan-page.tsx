import { useState } from 'react';
import { Editor } from '../ui/editor/editor.tsx';

const X =
  'plan: 1\nname: hello # what\ntasks:\n  greet: { run: "echo Hello from a plan", retry: 3, a: true }\n  ask: { needs: greet, approve: "It said: ${{ tasks.greet.outputs.stdout }}. Go on?" }\n  multi:\n    run: |\n      echo 1\n      ls\n';
export function NewPlanPage() {
  const [v, s] = useState(X);
  return (
    <>
      <h1>New plan</h1>
      <Editor
        label="Plan file"
        value={v}
        onChange={s}
        problems={[
          { message: 'wrong', line: 4, column: 3 },
          { message: 'odd', line: 2, column: 1, severity: 'warning' },
        ]}
      />
    </>
  );
}
