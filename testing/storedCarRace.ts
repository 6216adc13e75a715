import type { CarPhone, StoredCarRace } from '#contract/carRaces.ts'

/** Returns a phone of a car: by default the active one of the session `s1` of Ana, which saw nothing yet. */
export function carPhone(more: Partial<CarPhone> = {}): CarPhone {
  return {
    sessionId: 's1',
    name: 'Session',
    person: 'Ana Winter',
    startedAt: 0,
    endedAt: null,
    starterId: null,
    lastFixAt: null,
    leftPitsAt: [],
    laps: [],
    visits: [],
    ...more,
  }
}

/** Returns whole laps of 100 s of the session `s1`, from time 0 on. */
export function wholeLaps(count: number) {
  const lapMs = 100_000
  return Array.from({ length: count }, (_, index) => ({
    sessionId: 's1',
    number: index + 1,
    startedAt: index * lapMs,
    timeMs: lapMs,
    kind: 'full' as const,
    isSeen: true,
    yellow: false,
  }))
}

/** Returns what is stored about the race of a car: by default one open run of one phone, without a car and a race. */
export function storedCarRace({
  phones = [carPhone()],
  ...more
}: Partial<StoredCarRace> = {}): StoredCarRace {
  const [{ sessionId, startedAt: from, endedAt }] = phones as [CarPhone]
  return {
    car: null,
    race: null,
    plan: null,
    drivers: [],
    phones,
    runs: [{ sessionId, from, until: endedAt, decidedBy: 'start' }],
    unsure: [],
    corrections: 0,
    stints: [{ id: sessionId, number: 1, sessionId, driverId: null, from, to: endedAt }],
    otherCars: [],
    fills: [],
    autoPit: false,
    officialTiming: false,
    ...more,
  }
}
