import { useEffect, useLayoutEffect, useRef } from 'react';
import { GuardedButton, Shown } from '../decision/GuardedButton.js';
import { useGuard } from '../decision/guard-store.js';
import { Key } from '../decision/Key.js';
import { FactChanges } from '../run/FactChanges.js';
import { Marked } from '../run/Marked.js';
import { OneLine } from '../run/OneLine.js';
import { text } from '../text.js';
import { Content } from './Content.js';
import { confirmKey, confirmWords } from './confirm-keys.js';
import { useSight } from './sight.js';
import { useApprove } from './store.js';
import { useControlKeys } from './use-control-keys.js';
import { useFrame } from './use-frame.js';
import { callsOf, confirmOf, isDangerous, isMany, labelOf, mustReach, unreadNames } from './words.js';

const words = text.control;

/** The approve control: says what main would send, and lets the person say that it may be. */
export function Control() {
  const { state, verified, busy, refusal, changes } = useApprove();
  const offered = state?.offered ?? null;
  const root = useRef<HTMLElement>(null);
  const sight = useSight(root, offered?.seal ?? '');
  const ready = useGuard((s) => s.ready);
  const active = useGuard((s) => s.guard.windowActive);
  useFrame(root, state?.theme ?? 'system');
  useControlKeys();

  const unread = offered ? unreadNames(offered.release) : [];
  const answers =
    offered !== null && verified === offered.seal && sight.open && sight.unseen === 0 && unread.length === 0 && !busy;
  // In the commit itself: from this moment on a press is about this content, and about nothing while it does not answer.
  const shown = answers ? offered.seal : null;
  useLayoutEffect(() => useGuard.getState().show(shown), [shown]);

  useEffect(() => {
    if (offered && document.hasFocus()) root.current?.focus();
  }, [offered]);

  const why = (): string | null => {
    if (busy) return words.off.busy;
    if (!offered) return null;
    if (unread.length > 0) return words.off.unread(unread);
    if (!sight.open) return words.off.hidden;
    if (sight.unseen > 0) return words.off.unseen(sight.unseen, many);
    if (verified !== offered.seal) return words.off.digest;
    if (!active) return words.off.focus;
    return ready ? null : words.off.grace;
  };
  /** The dangerous class names the tool on the button itself. */
  const dangerous = offered !== null && isDangerous(offered.release);
  const calls = offered && dangerous ? callsOf(offered.release) : [];
  const names = calls.length === 1 ? calls[0]?.name : '';
  const many = offered !== null && isMany(offered.release);
  const { singleKeys = true, keys = {} } = state ?? {};
  return (
    <Shown value={shown ?? ''}>
      {/* The group has the keyboard, never the button: a key that was meant for something else finds nothing to press. */}
      <section
        ref={root}
        tabIndex={-1}
        className={`control ${dangerous ? 'dangerous' : ''} ${many ? 'many' : ''}`}
        data-testid="control"
        data-ready={ready && answers}
        data-offer={offered?.offer}
        aria-label={offered ? labelOf(offered.release, confirmWords(singleKeys, keys)) : words.title}
      >
        {offered ? <Content release={offered.release} /> : <p className="faint">{refusal ?? words.loading}</p>}
        {offered && changes.length > 0 && (
          <div className="changed" role="alert" data-sight="always">
            <strong>{text.changed.title}</strong>
            <FactChanges changes={changes} />
          </div>
        )}
        {offered && (
          <div className="buttons" data-sight="always">
            <GuardedButton
              className={dangerous ? 'btn danger solid' : 'btn go solid'}
              testId="approve-confirm"
              off={!answers}
              describedBy="control-why"
              keys={mustReach(offered.release) || confirmKey(singleKeys, keys) === null ? [] : ['approve']}
              onGesture={(gesture) => {
                if (useGuard.getState().refuses(gesture(offered.seal)) === null)
                  void useApprove.getState().confirm(offered);
              }}
            >
              {confirmOf(offered.release)}
              {names && <OneLine text={names} />}
            </GuardedButton>
            <span id="control-why" className="why faint" data-testid="control-why">
              {refusal === null ? why() : <Marked text={refusal} />}
            </span>
            <button
              type="button"
              className="btn"
              data-testid="control-back"
              onClick={() => void useApprove.getState().leave(offered, null)}
            >
              {words.back} <Key action="back" />
            </button>
          </div>
        )}
      </section>
    </Shown>
  );
}
