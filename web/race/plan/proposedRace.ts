import type { QueryClient } from '@tanstack/react-query'
import type { PlanChange, Race } from '#contract/races.ts'
import { greatestOf } from '#contract/shared/extremes.ts'
import { command } from '#web/api/call.ts'
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

/** Returns the answers about a new race: circuit, rules and cars are those of the last one. */
export function proposedDraft(last: Race | undefined): Draft {
  if (!last) return newDraft
  const { circuitId, rules, carIds } = last
  return { ...newDraft, circuitId, rules, carIds }
}

interface Copied {
  teamId: string
  last: Race
  /** The new race. */
  added: Race
}

/**
 * Gives the cars of a new race the drivers, the time of a stop and, on the same circuit, the usual lap that they had in the
 * last one; the lap is the team's there, if it has driven any. Idempotent. Rejects with the refusal.
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
    const changes: PlanChange[] = [
      ...(driverIds.length > 0 ? [{ kind: 'drivers' as const, driverIds }] : []),
      ...(stopMs === null ? [] : [{ kind: 'stop' as const, stopMs }]),
      ...(lapMs === null ? [] : [{ kind: 'lap' as const, lapMs }]),
    ]
    for (const change of changes)
      await command('races.changePlan', { raceId: added.id, carId, change })
  }
}
