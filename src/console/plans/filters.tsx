import { getRouteApi } from '@tanstack/react-router';
import { CircleAlert, Tag, User, X } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import { PLAN_STATUSES, type PlanStatus } from '../../plan/lifecycle.ts';
import { PLAN_BADGES, type Tone } from '../ui/badges.ts';
import { plainText } from '../ui/plain-text.ts';
import { NameFilter } from './name-filter.tsx';
import { isFiltered, type ListSearch, statesOf } from './search.ts';
import './filters.css';

const route = getRouteApi('/');

/** The filters, which stand in the address. */
export function Filters() {
  const search = route.useSearch();
  const { change, clear } = useFilters();
  const states = statesOf(search);
  const toggle = (status: PlanStatus) => {
    const next = states.includes(status) ? states.filter((each) => each !== status) : [...states, status];
    change({ state: next.join(',') || undefined });
  };
  return (
    <search className="filters" aria-label="Filters">
      <NameFilter name={search.name ?? ''} onName={(name) => change({ name: name || undefined }, true)} />
      <fieldset className="filter-strip">
        <legend className="visually-hidden">States</legend>
        {PLAN_STATUSES.map((status) => {
          const { words, icon: Icon, tone } = PLAN_BADGES[status];
          return (
            <Toggle key={status} tone={tone} on={states.includes(status)} onToggle={() => toggle(status)}>
              <Icon aria-hidden size={14} /> {words}
            </Toggle>
          );
        })}
      </fieldset>
      <div className="filter-strip">
        <Toggle
          tone="orange"
          on={search.attention === true}
          onToggle={(attention) => change({ attention: attention || undefined })}
        >
          <CircleAlert aria-hidden size={14} /> Needs attention
        </Toggle>
        <Toggle tone="blue" on={search.mine === true} onToggle={(mine) => change({ mine: mine || undefined })}>
          <User aria-hidden size={14} /> Mine
        </Toggle>
        {search.label?.map((label) => (
          <Toggle
            key={label}
            tone="gray"
            on
            onToggle={() => change({ label: without(search.label, label) })}
            name={`Label ${label}: remove this filter`}
          >
            <Tag aria-hidden size={14} /> {plainText(label)} <X aria-hidden size={14} />
          </Toggle>
        ))}
        {isFiltered(search) && (
          <button type="button" className="button filter-clear" data-look="quiet" onClick={clear}>
            <X aria-hidden size={16} /> Clear filters
          </button>
        )}
      </div>
    </search>
  );
}

/** Changes the address; `quietly`: without a step back in the browser's history. */
export function useFilters() {
  const navigate = route.useNavigate();
  return useMemo(
    () => ({
      change: (to: { [Name in keyof ListSearch]?: ListSearch[Name] | undefined }, quietly = false) =>
        void navigate({ search: (old) => ({ ...old, ...to }) as ListSearch, replace: quietly }),
      clear: () => void navigate({ search: {} }),
    }),
    [navigate],
  );
}

function without(labels: string[] = [], label: string): string[] | undefined {
  const left = labels.filter((each) => each !== label);
  return left.length > 0 ? left : undefined;
}

interface ToggleProps {
  tone: Tone;
  on: boolean;
  onToggle: (on: true | undefined) => void;
  /** What it says to those who do not see it; its words unless given. */
  name?: string;
  children: ReactNode;
}

const Toggle = ({ tone, on, onToggle, name, children }: ToggleProps) => (
  <button
    type="button"
    className="filter"
    data-tone={tone}
    aria-pressed={on}
    aria-label={name}
    onClick={() => onToggle(on ? undefined : true)}
  >
    {children}
  </button>
);
