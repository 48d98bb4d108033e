export function ListPage() {
  return <h1>Plans</h1>;
}
