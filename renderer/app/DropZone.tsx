import { useEffect, useState } from 'react';
import { text as words } from '../text.js';
import { takeDropped } from './intake.js';

/** A part of the page that takes dropped files for something of its own. */
const hasOwnUse = ({ target }: DragEvent): boolean =>
  target instanceof Element && target.closest('[data-takes-files]') !== null;

/** Files may be dropped anywhere; the window never navigates to one. */
export function DropZone() {
  const [over, setOver] = useState(false);
  useEffect(() => {
    const onOver = (event: DragEvent): void => {
      event.preventDefault();
      setOver(!hasOwnUse(event));
    };
    const onLeave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(false);
    };
    const onDrop = (event: DragEvent): void => {
      event.preventDefault();
      setOver(false);
      if (event.dataTransfer && !hasOwnUse(event)) void takeDropped(event.dataTransfer);
    };
    document.addEventListener('dragover', onOver);
    document.addEventListener('dragleave', onLeave);
    document.addEventListener('drop', onDrop);
    return () => {
      document.removeEventListener('dragover', onOver);
      document.removeEventListener('dragleave', onLeave);
      document.removeEventListener('drop', onDrop);
    };
  }, []);
  return over ? <div className="drop-zone">{words.intake.dropHere}</div> : null;
}
