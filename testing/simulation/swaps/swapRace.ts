import { noRules } from '#contract/shared/raceRules.ts'
import { addCar, createTeamWithRace, type ServerAccess, type Team } from '../race/raceTeam.ts'
import { people, type SwapDay } from './swapDay.ts'

/** Litres of a full tank, of a lap, at the start, and of each fill. */
export const fuel = { tankL: 200, burnL: 2, startL: 190, fillL: 15 } as const

/** The race is longer than every simulated day. */
export const raceLengthMs = 48 * 60 * 60_000

/** The race starts in the first stint. */
export function raceStartOf({ stops }: Pick<SwapDay, 'stops'>): number {
  return (stops[0]?.pitOutAt ?? 0) + 40_000
}

/** Returns when fuel is filled: in each stop of the race. */
export function fillTimes({ stops }: Pick<SwapDay, 'stops'>): number[] {
  return stops.slice(1).map(({ boxFrom }) => boxFrom + 15_000)
}

/** Everything about a run is settled after this time, also a takeover from a silent phone. */
export const settledMs = 7 * 60_000

/** The drivers of the roster, if the simulation has no server. */
export const driverIds = people.map(person => `Driver ${person + 1}`)

/** The team of a car with three phones, each of a driver. */
export interface SwapTeam extends Team {
  readonly carId: string
}

export async function createSwapTeam(server: ServerAccess): Promise<SwapTeam> {
  const race = { length: { in: 'time', ms: raceLengthMs }, rules: noRules }
  const team = await createTeamWithRace(server, race, people)
  const { tankL, burnL } = fuel
  return { ...team, carId: await addCar(server, team, { number: '7', tankL, burnL }) }
}
