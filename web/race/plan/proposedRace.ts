import type { QueryClient } from '@tanstack/react-query'
import type { ListedCircuit } from '#contract/circuits.ts'
import type { PlanChange, Race } from '#contract/races.ts'
import type { Car } from '#contract/roster.ts'
import { greatestOf } from '#contract/shared/extremes.ts'
import { command, read } from '#web/api/call.ts'
import { queryOf } from '#web/api/queryOf.ts'
import { rosterQuery } from '#web/race/rosterQuery.ts'
import { carsOf } from './carsOf.ts'
import { type Draft, newDraft } from './draft.ts'

/** Returns the race of a team that started last, other than this one; undefined before the first. */
export function lastRace(races: readonly Race[], raceId: string): Race | undefined {
  const started = races.filter(({ id, startedAt }) => id !== raceId && startedAt !== null)
  const newest = greatestOf(started.map(startOf))
  return started.find(race => startOf(race) === newest)
}

function startOf({ startedAt }: Race): number {
  return startedAt ?? 0
}

/** The team's circuits and cars, also archived ones; undefined while they load. */
interface Known {
  circuits: readonly Pick<ListedCircuit, 'id'>[] | undefined
  cars: readonly Car[] | undefined
}

/**
 * Returns the answers about a new race: rules, circuit and cars are those of the last one, without a circuit that is not
 * known and without archived cars.
 */
export function proposedDraft(last: Race | undefined, { circuits, cars }: Known): Draft {
  if (!last) return newDraft
  const circuitId = circuits?.find(({ id }) => id === last.circuitId)?.id ?? null
  const archived = new Set(cars?.filter(each => each.archived).map(({ id }) => id))
  const carIds = last.carIds.filter(id => !archived.has(id))
  return { ...newDraft, circuitId, rules: last.rules, carIds }
}

interface Copied {
  teamId: string
  last: Race
  /** The new race. */
  added: Race
}

/**
 * Gives the cars of a new race the drivers, the time of a stop and, on the same circuit, the usual lap that they had in the
 * last one; the lap is the team's there, if it has driven any. What a plan has stays: a repetition replaces nothing. Rejects
 * with the refusal.
 */
export async function copyPlans(client: QueryClient, { teamId, last, added }: Copied) {
  const { cars, drivers } = await client.ensureQueryData(rosterQuery(teamId))
  const able = new Set(drivers.filter(({ archived }) => !archived).map(({ id }) => id))
  const { circuitId } = added
  const usual =
    circuitId === null
      ? null
      : await client.fetchQuery(queryOf('circuits.usualLap', { teamId, circuitId }))
  const carIds = carsOf(last, cars).map(({ id }) => id)
  for (const carId of carIds.length > 0 ? carIds : [null]) {
    const input = { raceId: last.id, ...(carId !== null && { carId }) }
    const plan = await client.fetchQuery(queryOf('races.plan', input))
    const driverIds = plan.driverIds.filter(id => able.has(id))
    const lapMs = usual?.timeMs ?? (circuitId === last.circuitId ? plan.lapMs : null)
    const { stopMs } = plan
    const own = await read('races.plan', { ...input, raceId: added.id })
    const changes: PlanChange[] = []
    if (driverIds.length > 0 && own.driverIds.length === 0)
      changes.push({ kind: 'drivers', driverIds })
    if (stopMs !== null && own.stopMs === null) changes.push({ kind: 'stop', stopMs })
    if (lapMs !== null && own.lapMs === null) changes.push({ kind: 'lap', lapMs })
    for (const change of changes)
      await command('races.changePlan', { raceId: added.id, carId, change })
  }
}
