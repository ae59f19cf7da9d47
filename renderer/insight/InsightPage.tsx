import { useEffect, useMemo, useState } from 'react';
import type { Insight } from '../../shared/insight.js';
import { CARD_ID } from '../app/focus.js';
import { count, span } from '../app/format.js';
import { call as ask, listen } from '../bridge.js';
import { Marked } from '../run/Marked.js';
import { text as words } from '../text.js';
import { bucketNames, byClass, shortDay } from './figures.js';
import { Plot } from './Plot.js';
import './insight.css';

const t = words.insight;
const RANGES = [7, 30, 90] as const;
/** Quicker than a card can be read, in seconds. */
const FAST = 4;

const seconds = (n: number | null): string | null => (n === null ? null : span(n * 1000));

/** How the reviewing goes: plots, each with its numbers as a table. */
export function InsightPage() {
  const [days, setDays] = useState<number>(30);
  const [insight, setInsight] = useState<Insight | null>(null);
  const [fault, setFault] = useState('');
  useEffect(() => {
    let current = true;
    const load = async (): Promise<void> => {
      const reply = await ask('insight:read', days);
      if (!current) return;
      setFault(reply.ok ? '' : reply.refusal.text);
      if (reply.ok) setInsight(reply.value);
    };
    void load();
    const stop = listen('runs:changed', () => void load());
    return () => {
      current = false;
      stop();
    };
  }, [days]);
  return (
    <main id={CARD_ID} tabIndex={-1} className="page insight" data-testid="insight" aria-label={t.title}>
      <header>
        <h1>{t.title}</h1>
        <label>
          <span className="visually-hidden">{t.range}</span>
          <select value={days} onChange={(event) => setDays(Number(event.target.value))}>
            {RANGES.map((range) => (
              <option key={range} value={range}>
                {t.days(range)}
              </option>
            ))}
          </select>
        </label>
      </header>
      <p className="faint">{t.hint}</p>
      {fault !== '' && (
        <p className="refused" role="alert">
          {fault}
        </p>
      )}
      {insight === null ? <p role="status">{words.loading}</p> : <Figures insight={insight} />}
    </main>
  );
}

function Figures({ insight }: { insight: Insight }) {
  return (
    <>
      <Waiting days={insight.days} />
      <ToDecision {...insight.toDecision} />
      <section aria-label={t.pace}>
        <h2>{t.pace}</h2>
        <p>{t.paceMean(insight.myPace.decisions, seconds(insight.myPace.medianSeconds))}</p>
        {insight.myPace.medianSeconds !== null && insight.myPace.medianSeconds < FAST && (
          <p className="warn">{t.fast}</p>
        )}
      </section>
      <ByTool tools={insight.tools} />
      <section aria-label={t.expired}>
        <h2>{t.expired}</h2>
        <p className="faint">{insight.expired.length === 0 ? t.noneExpired : t.expiredMean}</p>
        {insight.expired.length > 0 && (
          <Table heads={[t.tool, t.runs]}>
            {insight.expired.map(({ tool, runs }) => (
              <tr key={tool}>
                <th scope="row" className="mono">
                  <Marked text={tool} />
                </th>
                <td className="num">{count(runs)}</td>
              </tr>
            ))}
          </Table>
        )}
      </section>
    </>
  );
}

function Waiting({ days }: { days: Insight['days'] }) {
  const names = useMemo(() => days.map(({ day }) => shortDay(day)), [days]);
  const series = useMemo(
    () => [
      { label: t.series.waiting, colour: 'accent', values: days.map((day) => day.waiting) },
      { label: t.series.decided, colour: 'ok', values: days.map((day) => day.decided) },
      { label: t.series.mine, colour: 'unknown', values: days.map((day) => day.decidedByMe) },
      { label: t.series.expired, colour: 'danger', values: days.map((day) => day.expired) },
    ],
    [days],
  );
  return (
    <section aria-label={t.waiting}>
      <h2>{t.waiting}</h2>
      <p className="faint">{t.waitingMean}</p>
      <ul className="legend">
        {series.map(({ label, colour }) => (
          <li key={label} data-colour={colour}>
            {label}
          </li>
        ))}
      </ul>
      <Plot label={t.waiting} names={names} series={series} />
      <details>
        <summary>{t.asTable}</summary>
        <Table heads={[t.day, ...series.map(({ label }) => label)]}>
          {days.map((day) => (
            <tr key={day.day}>
              <th scope="row" className="num">
                {day.day}
              </th>
              <td className="num">{count(day.waiting)}</td>
              <td className="num">{count(day.decided)}</td>
              <td className="num">{count(day.decidedByMe)}</td>
              <td className="num">{count(day.expired)}</td>
            </tr>
          ))}
        </Table>
      </details>
    </section>
  );
}

function ToDecision({ medianSeconds, buckets }: Insight['toDecision']) {
  const names = useMemo(() => bucketNames(buckets.map(({ upTo }) => upTo)), [buckets]);
  const series = useMemo(
    () => [{ label: t.runs, colour: 'accent', values: buckets.map(({ runs }) => runs), bars: true }],
    [buckets],
  );
  const median = seconds(medianSeconds);
  return (
    <section aria-label={t.toDecision}>
      <h2>{t.toDecision}</h2>
      <p>{median === null ? t.nothing : t.median(median)}</p>
      <Plot label={t.toDecision} names={names} series={series} />
      <details>
        <summary>{t.asTable}</summary>
        <Table heads={[t.toDecision, t.runs]}>
          {buckets.map(({ upTo, runs }, i) => (
            <tr key={upTo ?? 'over'}>
              <th scope="row">{names[i]}</th>
              <td className="num">{count(runs)}</td>
            </tr>
          ))}
        </Table>
      </details>
    </section>
  );
}

const VERDICTS = ['approved', 'edited', 'rejected', 'answered'] as const;

function ByTool({ tools }: { tools: Insight['tools'] }) {
  const classes = useMemo(() => byClass(tools), [tools]);
  const names = useMemo(() => classes.map(({ effect }) => words.effect[effect]), [classes]);
  const series = useMemo(
    () => [{ label: t.runs, colour: 'accent', values: classes.map(({ all }) => all), bars: true }],
    [classes],
  );
  if (tools.length === 0) return null;
  return (
    <section aria-label={t.tools}>
      <h2>{t.byClass}</h2>
      <Plot label={t.byClass} names={names} series={series} />
      <h2>{t.tools}</h2>
      <Table heads={[t.tool, t.effect, ...VERDICTS.map((verdict) => t.verdicts[verdict]), t.byRule]}>
        {tools.map((one) => (
          <tr key={`${one.effect} ${one.tool}`}>
            <th scope="row" className="mono">
              <Marked text={one.tool} />
            </th>
            <td>{words.effect[one.effect]}</td>
            {VERDICTS.map((verdict) => (
              <td key={verdict} className="num">
                {count(one[verdict])}
              </td>
            ))}
            <td className="num">{count(one.byRule)}</td>
          </tr>
        ))}
      </Table>
    </section>
  );
}

function Table({ heads, children }: { heads: readonly string[]; children: React.ReactNode }) {
  return (
    <div className="table">
      <table>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
