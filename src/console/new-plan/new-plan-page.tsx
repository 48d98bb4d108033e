export function NewPlanPage() {
  return <h1>New plan</h1>;
}
