import type { Figures } from '../figures.ts'
import type { Contender } from './contenders.ts'
import { racedIn } from './raced.ts'
import { figuresOf, inTurns, type Rounds, ratio } from './rounds.ts'

/**
 * Measures all contenders in turns: the figures of each, and the ratios of deliveries per CPU second of the
 * first one, ours, to the others. Prints them at once, because the rest may take minutes.
 */
export async function compare(what: string, all: Contender[], plan: Rounds): Promise<Figures> {
  const results = await inTurns(all, plan)
  const [ours, ...others] = [...results]
  const rows = Object.fromEntries(
    [...results].map(([{ name }, measured]) => [name, figuresOf('', measured)]),
  )
  console.log(what)
  console.table(rows)
  return Object.fromEntries([
    ...[...results].flatMap(([{ name }, measured]) =>
      Object.entries(figuresOf(`${what} ${name} `, measured)),
    ),
    ...[...results].flatMap(([contender, measured]) => {
      if (!contender.pushes) return []
      return Object.entries(racedIn(contender, measured.at(-1), `${what} ${contender.name} `))
    }),
    ...others.map(([{ name }, theirs]) => [
      `${what} ratio to ${name}`,
      ratio(ours?.[1] ?? [], theirs),
    ]),
  ])
}
