import type { Figures } from '../figures.ts'
import type { Contender } from './contenders.ts'
import type { Measured } from './orders.ts'

/**
 * Returns the numbers of events in the races of our server since its connections were opened. Throws if one is 0: a
 * server that does not time laps looks like a fast one.
 *
 * @param name Prefix of the figures.
 */
export function racedIn(
  { pushes }: Pick<Contender, 'pushes'>,
  measured: Pick<Measured, 'lapEvents' | 'pitEvents'> | undefined,
  name = '',
): Figures {
  const counts = {
    LapEvents: measured?.lapEvents ?? 0,
    PitEvents: measured?.pitEvents ?? 0,
    Pushes: pushes?.() ?? 0,
  }
  const figures: Figures = {}
  for (const [what, count] of Object.entries(counts)) {
    if (count === 0) throw new Error(`The races had no ${what}`)
    figures[`${name}${what}`] = count
  }
  return figures
}
