import type { DrivenLap } from '#racing/laps/drivenLap.ts'
import type { CarRace, EnteredStint } from '#racing/race/carRace.ts'

type Stint = Pick<EnteredStint, 'driverId' | 'from' | 'to'> & Partial<EnteredStint>

interface Driven extends Partial<Omit<CarRace, 'laps' | 'stints'>> {
  readonly laps?: readonly DrivenLap[]
  readonly stints?: readonly Stint[]
}

/**
 * Returns the race of a car as its figures take it: by default one open run of the session `s1`, in which nothing was
 * driven or entered. Laps are numbered from 1 without looking at them.
 */
export function drivenCar({ laps = [], stints, ...more }: Driven = {}): CarRace {
  const first = { id: 's1', sessionId: 's1', driverId: null, from: 0, to: null }
  return {
    car: null,
    race: null,
    plan: null,
    drivers: [],
    phones: [],
    runs: [{ sessionId: 's1', from: 0, until: null, decidedBy: 'start' }],
    otherCars: [],
    fills: [],
    visits: [],
    ...more,
    laps: laps.map((lap, index) => ({ sessionId: 's1', number: index + 1, ...lap })),
    stints: stints?.map((stint, index) => ({ ...first, id: `stint${index}`, ...stint })) ?? [first],
  }
}
