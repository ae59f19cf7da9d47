import { useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useSettings } from '../settings/settings-store.js';

export interface PlotSeries {
  label: string;
  /** Name of a colour of tokens.css. */
  colour: string;
  values: readonly number[];
  bars?: boolean;
}

interface Props {
  /** Said to a screen reader; the numbers stand in the table beside it. */
  label: string;
  /** One name a value, under the axis. */
  names: readonly string[];
  series: readonly PlotSeries[];
}

const HEIGHT = 180;

/** Values over names, drawn on a canvas in the colours of the theme. The table beside it says the same in text. */
export function Plot({ label, names, series }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const theme = useColours();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme has other colours
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const plot = new uPlot(optionsOf(element, names, series), dataOf(names, series), element);
    const fit = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }));
    fit.observe(element);
    return () => {
      fit.disconnect();
      plot.destroy();
    };
  }, [names, series, theme]);
  return <div ref={box} className="plot" role="img" aria-label={label} />;
}

const dataOf = (names: readonly string[], series: readonly PlotSeries[]): uPlot.AlignedData => [
  names.map((_, i) => i),
  ...series.map(({ values }) => [...values]),
];

function optionsOf(element: HTMLElement, names: readonly string[], series: readonly PlotSeries[]): uPlot.Options {
  const style = getComputedStyle(element);
  const colour = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  const font = `11px ${style.fontFamily}`;
  const grid = { stroke: colour('line'), width: 1 };
  const drawBars = uPlot.paths.bars?.({ size: [0.6, 40] });
  return {
    width: element.clientWidth,
    height: HEIGHT,
    cursor: { show: false },
    legend: { show: false },
    scales: {
      x: { time: false, range: [-0.5, names.length - 0.5] },
      y: { range: (_u, _min, max) => [0, Math.max(1, max * 1.1)] },
    },
    axes: [
      {
        stroke: colour('muted'),
        font,
        grid: { show: false },
        values: (_u, splits) => splits.map((at) => (Number.isInteger(at) ? (names[at] ?? '') : '')),
        space: 70,
      },
      {
        stroke: colour('muted'),
        font,
        grid,
        incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000, 10_000, 50_000],
        size: 46,
      },
    ],
    series: [
      {},
      ...series.map(({ label, colour: name, bars }): uPlot.Series => {
        const stroke = colour(name);
        return {
          label,
          stroke,
          width: 2,
          points: { show: false },
          ...(bars ? { fill: stroke, ...(drawBars && { paths: drawBars }) } : {}),
        };
      }),
    ],
  };
}

const ASKED = ['(prefers-color-scheme: dark)', '(prefers-contrast: more)'];

/** Another value whenever other colours hold: the chosen theme, or what the system asks for. */
function useColours(): string {
  const chosen = useSettings((s) => s.settings.theme);
  const [asked, setAsked] = useState('');
  useEffect(() => {
    const queries = ASKED.map((query) => window.matchMedia(query));
    const update = (): void => setAsked(queries.map(({ matches }) => matches).join());
    update();
    for (const query of queries) query.addEventListener('change', update);
    return () => {
      for (const query of queries) query.removeEventListener('change', update);
    };
  }, []);
  return `${chosen} ${asked}`;
}
