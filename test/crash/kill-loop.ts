import { type Took, Turns } from './alone.js';
import { KILLS_A_LIFE, type Life, liveThrough, ROUNDS } from './kill-trial.js';

export interface Kills {
  kills: number;
  acknowledged: number;
  /** The slowest by the clock, and the slowest without waiting for a processor. */
  slowest: Took;
  problems: string[];
}

const SIDE_BY_SIDE = 2;

/**
 * At least `count` kills, over as many stores as that takes; or the one life of a store that a failure named. Stops at
 * the first life in which a guarantee was missed, and says how to live through it again.
 */
export async function killLoop(
  worker: string,
  count: number,
  seed: number,
  only: number | null,
  progress: (words: string) => void,
): Promise<Kills> {
  const lives = only === null ? Array.from({ length: Math.ceil(count / KILLS_A_LIFE) }, (_, n) => n) : [only];
  const total: Kills = { kills: 0, acknowledged: 0, slowest: { wallMs: 0, ownMs: 0 }, problems: [] };
  const turns = new Turns();
  const live = async (): Promise<void> => {
    for (let life = lives.shift(); life !== undefined && total.problems.length === 0; life = lives.shift()) {
      const lived = await liveThrough(worker, seed, life, ROUNDS, turns);
      add(total, lived);
      if (total.problems.length > 0)
        total.problems.push(`the same again: npm run crash -- --seed ${seed} --life ${life}`);
      progress(`${total.kills} kills, ${total.acknowledged} acknowledged, ${inWords(total.slowest)}`);
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, live));
  return total;
}

export const inWords = ({ wallMs, ownMs }: Took): string =>
  `slowest restart ${Math.round(ownMs)} ms, ${Math.round(wallMs)} ms with waiting for a processor`;

function add(total: Kills, { kills, acks, restarts, problems }: Life): void {
  total.kills += kills;
  for (const [act, acked] of acks) if (act !== 'ready' && act !== 'listed') total.acknowledged += acked;
  total.slowest = {
    wallMs: Math.max(total.slowest.wallMs, ...restarts.map(({ wallMs }) => wallMs)),
    ownMs: Math.max(total.slowest.ownMs, ...restarts.map(({ ownMs }) => ownMs)),
  };
  total.problems.push(...problems);
}
