import { randomUUID } from 'node:crypto'
import type { EpochMs, RaceId } from '#contract/ids.ts'
import { noRules, type RaceRules } from '#contract/shared/raceRules.ts'
import type { Person } from './person.ts'

interface Options {
  /** Without cars it is a race of all cars. */
  carIds?: string[]
  /** Length of the race, which starts unless it is only prepared. A race without a length cannot start. */
  hours?: number
  isPrepared?: boolean
  /** When it started; now by default. */
  at?: EpochMs
  rules?: RaceRules
  name?: string
}

/** Creates a race of a team. Returns its id. */
export async function createRace(
  { call }: Pick<Person, 'call'>,
  teamId: string,
  { carIds = [], hours, isPrepared, at, rules = noRules, name = 'Zolder' }: Options = {},
): Promise<RaceId> {
  const raceId = randomUUID()
  const length = hours === undefined ? null : { in: 'time' as const, ms: hours * 3_600_000 }
  const race = { id: raceId, name, length, rules, carIds }
  await call.races.save({ teamId, race })
  if (length && !isPrepared) await call.races.start({ raceId, at })
  return raceId
}
