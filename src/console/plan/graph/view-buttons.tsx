import { LocateFixed, Maximize, ZoomIn, ZoomOut } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import type { Camera } from './use-camera.ts';

interface ViewButtonsProps {
  camera: Camera;
  /** Where something runs. */
  follows?: boolean;
  follow?: (is: boolean) => void;
}

export function ViewButtons({ camera, follows, follow }: ViewButtonsProps) {
  const icon = { 'aria-hidden': true, size: 17 };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div className="view-buttons" role="group" aria-label="View of the graph">
      <Button
        look="quiet"
        aria-label="Zoom in"
        title="Zoom in"
        onClick={() => camera.zoom('in')}
        icon={<ZoomIn {...icon} />}
      />
      <Button
        look="quiet"
        aria-label="Zoom out"
        title="Zoom out"
        onClick={() => camera.zoom('out')}
        icon={<ZoomOut {...icon} />}
      />
      <Button
        look="quiet"
        aria-label="Show all"
        title="Show all"
        onClick={() => camera.fit()}
        icon={<Maximize {...icon} />}
      />
      {follow && (
        <Button
          look="quiet"
          aria-label="Follow what runs"
          title="Follow what runs"
          aria-pressed={follows}
          onClick={() => follow(!follows)}
          icon={<LocateFixed {...icon} />}
        />
      )}
    </div>
  );
}
