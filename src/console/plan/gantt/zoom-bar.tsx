import { Maximize, ZoomIn, ZoomOut } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { Clock } from '../../ui/times.tsx';
import { LOOK_WORDS } from './looks.ts';
import type { SpanLook } from './spans.ts';

interface ZoomBarProps {
  zoom: number;
  most: number;
  setZoom: (zoom: number) => void;
  /** One that is too far away to be drawn. */
  deadline: string | null;
}

const IN_LEGEND: SpanLook[] = ['running', 'succeeded', 'failed', 'people', 'timer', 'back_off'];

export function ZoomBar({ zoom, most, setZoom, deadline }: ZoomBarProps) {
  const icon = { 'aria-hidden': true, size: 17 };
  return (
    <div className="row gantt-bar">
      <Button
        aria-label="Zoom in"
        refusal={zoom * 2 > most ? 'It is as near as it goes.' : undefined}
        onClick={() => setZoom(zoom * 2)}
        icon={<ZoomIn {...icon} />}
      />
      <Button
        aria-label="Zoom out"
        refusal={zoom <= 1 ? 'All is in view.' : undefined}
        onClick={() => setZoom(Math.max(1, zoom / 2))}
        icon={<ZoomOut {...icon} />}
      />
      <Button onClick={() => setZoom(1)} icon={<Maximize {...icon} />}>
        Fit
      </Button>
      <ul className="legend" aria-label="What the colours mean">
        {IN_LEGEND.map((look) => (
          <li key={look}>
            <span className="span-sample" data-look={look} data-tone={LOOK_WORDS[look].tone} aria-hidden />
            {LOOK_WORDS[look].words}
          </li>
        ))}
        <li>
          <span className="span-sample" data-look="paused" aria-hidden /> plan paused
        </li>
      </ul>
      {deadline !== null && (
        <span className="muted">
          Deadline: <Clock at={deadline} />
        </span>
      )}
    </div>
  );
}
