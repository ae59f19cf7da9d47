import { text as words } from '../text.js';
import { LongText } from './LongText.js';
import { isLongText } from './places.js';

export function ResultText({ text }: { text: string }) {
  if (text === '') return <p className="faint">{words.journal.emptyResult}</p>;
  return (
    <div className="result mono">
      <LongText text={text} label={words.journal.result} bounded={isLongText(text)} />
    </div>
  );
}
