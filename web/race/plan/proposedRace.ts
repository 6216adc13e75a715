import { type QueryClient, skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import type { CircuitId, ListedCircuit } from '#contract/circuits.ts'
import type { CarPlan, PlanChange, Race } from '#contract/races.ts'
import type { Car } from '#contract/roster.ts'
import { greatestOf } from '#contract/shared/extremes.ts'
import { carRaceOf } from '#racing/race/carRace.ts'
import { paceOf } from '#racing/race/pace.ts'
import { command, read } from '#web/api/call.ts'
import { queryOf } from '#web/api/queryOf.ts'
import { rosterQuery } from '#web/race/rosterQuery.ts'
import { carsOf } from './carsOf.ts'
import { type Draft, newDraft } from './draft.ts'
import { raceOfCarQuery } from './raceOfCarQuery.ts'

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
 * Returns the answers about a new race: rules, circuit and cars are those of the last one, without a circuit that is
 * not known and without archived cars.
 */
export function proposedDraft(last: Race | undefined, { circuits, cars }: Known): Draft {
  if (!last) return newDraft
  const circuitId = circuits?.find(({ id }) => id === last.circuitId)?.id ?? null
  const archived = new Set(cars?.filter(each => each.archived).map(({ id }) => id))
  const carIds = last.carIds.filter(id => !archived.has(id))
  return { ...newDraft, circuitId, rules: last.rules, carIds }
}

interface Proposed {
  teamId: string
  last: Race
  /** The circuit of the new race. */
  circuitId: CircuitId | null
  /** Null in a team without cars. */
  carId: string | null
}

/**
 * Returns what a car takes over from the plan of the last race: the drivers, the time of a stop and, on the same
 * circuit, the usual lap. The lap is the team's on that circuit, else the pace of the last race.
 */
export async function fetchProposedPlan(
  client: QueryClient,
  { teamId, last, circuitId, carId }: Proposed,
): Promise<Pick<CarPlan, 'driverIds' | 'stopMs' | 'lapMs'>> {
  const input = { raceId: last.id, ...(carId !== null && { carId }) }
  const { driverIds, stopMs, ...plan } = await client.fetchQuery(queryOf('races.plan', input))
  const usual =
    circuitId === null
      ? null
      : await client.fetchQuery(queryOf('circuits.usualLap', { teamId, circuitId }))
  if (usual || circuitId !== last.circuitId)
    return { driverIds, stopMs, lapMs: usual?.timeMs ?? null }
  const pace = paceOf(carRaceOf(await client.fetchQuery(raceOfCarQuery(last.id, carId))).laps)
  return { driverIds, stopMs, lapMs: pace ? Math.round(pace.medianMs) : plan.lapMs }
}

/** Returns what a car of a new race will take over from the plan of the last one; undefined without a last one. */
export function useProposedPlan({
  last,
  ...asked
}: Omit<Proposed, 'last'> & { last: Race | undefined }) {
  const client = useQueryClient()
  const { data } = useQuery({
    queryKey: ['proposed-plan', last?.id, asked.teamId, asked.circuitId, asked.carId],
    queryFn: last ? () => fetchProposedPlan(client, { ...asked, last }) : skipToken,
  })
  return data
}

interface Copied {
  teamId: string
  last: Race
  /** The new race. */
  added: Race
}

/**
 * Gives the cars of a new race what they take over from the last one. What a plan has stays: a repetition replaces
 * nothing. Rejects with the refusal.
 */
export async function copyPlans(client: QueryClient, { teamId, last, added }: Copied) {
  const { cars, drivers } = await client.ensureQueryData(rosterQuery(teamId))
  const able = new Set(drivers.filter(({ archived }) => !archived).map(({ id }) => id))
  const carIds = carsOf(last, cars).map(({ id }) => id)
  for (const carId of carIds.length > 0 ? carIds : [null]) {
    const { circuitId } = added
    const plan = await fetchProposedPlan(client, { teamId, last, circuitId, carId })
    const driverIds = plan.driverIds.filter(id => able.has(id))
    const { stopMs, lapMs } = plan
    const own = await read('races.plan', { raceId: added.id, ...(carId !== null && { carId }) })
    const changes: PlanChange[] = []
    if (driverIds.length > 0 && own.driverIds.length === 0)
      changes.push({ kind: 'drivers', driverIds })
    if (stopMs !== null && own.stopMs === null) changes.push({ kind: 'stop', stopMs })
    if (lapMs !== null && own.lapMs === null) changes.push({ kind: 'lap', lapMs })
    for (const change of changes)
      await command('races.changePlan', { raceId: added.id, carId, change })
  }
}
