import { Marked } from '../run/Marked.js';
import { text as words } from '../text.js';
import { useToasts } from './toast-store.js';

export function Toasts() {
  const { toasts, dismiss } = useToasts();
  return (
    <section className="toasts" aria-label={words.toasts}>
      {toasts.map((toast) => (
        <div
          key={toast.id}
          className={`toast ${toast.tone}`}
          data-testid="toast"
          role={toast.tone === 'ok' ? 'status' : 'alert'}
        >
          <Marked text={toast.text} />
          <button type="button" className="link" aria-label={words.dismiss} onClick={() => dismiss(toast.id)}>
            ×
          </button>
        </div>
      ))}
    </section>
  );
}
