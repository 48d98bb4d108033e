import { Link } from '@tanstack/react-router';
import { ListChecks, SearchX } from 'lucide-react';
import { Button } from '../ui/button.tsx';
import { useFilters } from './filters.tsx';

/** In place of the list of an organisation that has none. */
export const NoPlans = () => (
  <div className="empty">
    <ListChecks aria-hidden size={28} />
    <h2>There are no plans yet</h2>
    <p>Write or paste one here, or start one of the examples on the command line.</p>
    <Link to="/new" className="button" data-look="primary">
      New plan
    </Link>
    <code>npx holdpoint run examples/countries.yaml</code>
  </div>
);

export function NoMatch() {
  const { clear } = useFilters();
  return (
    <div className="empty">
      <SearchX aria-hidden size={28} />
      <p>No plan is like this.</p>
      <Button onClick={clear}>Show all plans</Button>
    </div>
  );
}
