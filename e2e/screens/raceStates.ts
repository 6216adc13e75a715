import type { Page } from '@playwright/test'
import type { Lap, LapTable } from '#contract/laps.ts'
import type { Race } from '#contract/races.ts'
import { hourMs, minuteMs } from '#contract/shared/durations.ts'
import { noRules, type RaceRules } from '#contract/shared/raceRules.ts'
import {
  exampleCar,
  exampleDrivers,
  exampleId,
  exampleLap,
  exampleLaps,
  exampleRace,
  exampleStints,
} from '#testing/exampleRace.ts'
import { storedCarRace } from '#testing/storedCarRace.ts'
import { routeCall } from '../callRoutes.ts'
import { refuse, respondWith } from '../mockApi.ts'
import { type RaceOfPhone, raceOf, respondWithRace } from '../raceAnswers.ts'
import { becomeViewer } from './network.ts'
import type { Stage } from './stage.ts'
import { type State, watching } from './state.ts'

/** In the order in which they drive. */
const names = ['Théo Garnier', 'Noor Haddad', 'Marta Lindqvist']
const ids = names.map((_, index) => exampleId(index + 1))

export const raceId = exampleId(10)
const carId = exampleId(11)

/** The keys of the race on the team's page, and the first car. */
const keysOfBoard =
  '[aria-labelledby=race-name] :is(a, button), [aria-labelledby=message] li:nth-of-type(-n + 2)'

const firstQuestion = '#question-1, [aria-label="Race length"] button'
const startAndFirst = `main > :first-child :is(a, button), ${firstQuestion}`

export const raceStates: readonly State[] = [
  watching('races', { shows: 'Spa 24 hours' }, async (page, stage) => {
    const undated = { name: 'Spa 24 hours', startsAt: null, length: null }
    await showRaces(page, [preparedRace(), preparedRace({ id: exampleId(12), ...undated })])
    await openTeamPage(page, stage, 'races')
  }),
  watching('races-empty', { shows: 'No race yet' }, async (page, stage) => {
    await showRaces(page, [])
    await openTeamPage(page, stage, 'races')
  }),
  watching('race-new', { shows: 'Enter minutes' }, async (page, stage) => {
    await showRaces(page, [])
    await openTeamPage(page, stage, 'races/new')
    await page.getByRole('heading', { name: 'New race' }).waitFor()
    await page.getByText('More rules').click()
    await page.getByLabel('Longest stint').fill('long')
  }),
  watching(
    'race-new-first',
    { shows: 'Without a usual lap', atOnce: firstQuestion },
    async (page, stage) => {
      await showRaces(page, [])
      await openTeamPage(page, stage, 'races/new')
    },
  ),
  watching(
    'race-planned',
    { shows: 'Total per driver', atOnce: startAndFirst },
    async (page, stage) => {
      await showRace(page, preparedRace())
      await openRace(page, stage)
    },
  ),
  watching('race-day', { shows: 'Total per driver' }, async (page, stage) => {
    const length = { in: 'time' as const, ms: 24 * 60 * minuteMs }
    const rules = { ...preparedRace().rules, maxStintMs: 20 * minuteMs, maxDriverMs: null }
    await showRace(page, preparedRace({ name: 'Spa 24 hours', length, rules }))
    await openRace(page, stage)
  }),
  watching('race-day-running', { shows: 'later stints' }, async (page, stage) => {
    const { race, ...entries } = running(60)
    const length = { in: 'time' as const, ms: 24 * 60 * minuteMs }
    await respondWith(page, 'laps.list', lapsOf(entries))
    await showRunning(page, stage, { ...entries, race: race ? { ...race, length } : null })
    await openRace(page, stage)
  }),
  watching('race-viewer', { shows: 'Missing: how long.' }, async (page, stage) => {
    await becomeViewer(page)
    await showRace(page, preparedRace({ length: null }))
    await openRace(page, stage)
  }),
  watching('race-running', { shows: 'Stop 3:00.' }, async (page, stage) => {
    const moved = { number: 4, driverId: null, lengthMs: 77 * minuteMs }
    const entries = running(60)
    await respondWith(page, 'laps.list', lapsOf(entries))
    await showRunning(page, stage, { ...entries, plan: { ...prepared, stints: [moved] } })
    await openRace(page, stage)
    await page.getByText('A stop costs 2:45, under yellow 2:36.').waitFor()
    await page.getByText('17 min over the limit').waitFor()
  }),
  watching('race-pits', { shows: 'In pits since' }, async (page, stage) => {
    const stop = { startedAt: Date.now() - 20_000, endedAt: null, stoppedAt: null, leftAt: null }
    const entries = running(70)
    await respondWith(page, 'laps.list', lapsOf(entries))
    await showRunning(page, stage, { ...entries, phone: { visits: [stop] } })
    await openRace(page, stage)
  }),
  watching('race-stop-missing', { shows: '3 stops missing' }, (page, stage) =>
    showRequired(page, stage, 158),
  ),
  watching('race-finished', { shows: '2 stops were made, 5 are required.' }, (page, stage) =>
    showRequired(page, stage, 150),
  ),
  watching('race-over', async (page, stage) => {
    await showOver(page, stage)
    await openRace(page, stage)
    await page.getByText('Best lap', { exact: true }).first().waitFor()
  }),
  watching('team-home-over', { atOnce: keysOfBoard }, async (page, stage) => {
    await showOver(page, stage)
    await openTeamPage(page, stage, '')
    await page.getByRole('region', { name: 'Zolder 6 hours' }).getByText('Best lap').waitFor()
  }),
  watching('race-failed', async (page, stage) => {
    await refuse(page, 'races.list', 'too-many')
    await openRace(page, stage)
    await page.getByRole('alert').waitFor()
  }),
  watching(
    'team-home-planned',
    { shows: 'First in the cars', atOnce: keysOfBoard },
    async (page, stage) => {
      await showRace(page, preparedRace())
      await openTeamPage(page, stage, '')
    },
  ),
  watching(
    'team-home-fuel',
    { shows: 'Fuel at the start', atOnce: keysOfBoard },
    async (page, stage) => {
      const race = preparedRace()
      const { id: sessionId } = await stage.startSession('Zolder 6 hours')
      await showRaces(page, [race])
      await routeCall(page, 'carRaces.ofRace', route => {
        const car =
          route.url.searchParams.get('carId') === car17.id
            ? car17
            : { ...car44, tankL: null, burnL: null }
        return route.fulfill({ json: raceOf(sessionId, { race, car, drivers }) })
      })
      await openTeamPage(page, stage, '')
    },
  ),
  watching('team-home-unanswered', { shows: 'The race can start once' }, async (page, stage) => {
    await showRace(page, preparedRace({ length: null, startsAt: null }))
    await openTeamPage(page, stage, '')
  }),
  watching('team-home-pits', { shows: 'Marta Lindqvist · In pits' }, async (page, stage) => {
    const stop = { startedAt: Date.now() - 20_000, endedAt: null, stoppedAt: null, leftAt: null }
    await showRunning(page, stage, { ...running(70), phone: { visits: [stop] } })
    await openTeamPage(page, stage, '')
  }),
  watching(
    'team-home-running',
    { shows: 'Next stop', atOnce: keysOfBoard },
    async (page, stage) => {
      const entries = running(70)
      await respondWith(page, 'laps.list', lapsOf(entries))
      await showRunning(page, stage, entries)
      await openTeamPage(page, stage, '')
    },
  ),
  watching(
    'team-home-time-up',
    { shows: 'Race over', atOnce: keysOfBoard },
    async (page, stage) => {
      const { race, ...entries } = running(70)
      const length = { in: 'time' as const, ms: 60 * minuteMs }
      await respondWith(page, 'laps.list', lapsOf(entries))
      await showRunning(page, stage, { ...entries, race: race ? { ...race, length } : null })
      await openTeamPage(page, stage, '')
    },
  ),
  watching('team-home-many', { shows: '5 stops missing', atOnce: keysOfBoard }, showTen),
]

const minStop = { ms: 3 * minuteMs, counts: 'lane' as const, onlyWithFuel: false }
const prepared = { driverIds: [], stopMs: 3 * minuteMs, lapMs: 112_000, stints: [] }

const car17 = exampleCar({ id: carId, tankL: 95, reserveL: 3, burnL: 1.87 })
const car44 = { ...car17, id: exampleId(13), number: '44', tankL: 120, burnL: 1.9 }
const drivers = exampleDrivers(names)

/** A race of six hours that starts in some hours, at a whole one. */
export function preparedRace(values: Partial<Race> = {}): Race {
  return exampleRace({
    id: raceId,
    startsAt: Math.ceil(Date.now() / hourMs) * hourMs + 4 * hourMs,
    rules: {
      ...noRules,
      name: 'Club endurance 2026',
      maxStintMs: 120 * minuteMs,
      maxDriverMs: 180 * minuteMs,
      minStop,
    },
    carIds: [car17.id, car44.id],
    ...values,
  })
}

export async function showRaces(page: Page, races: readonly Race[]) {
  await respondWith(page, 'races.list', races)
  await respondWith(page, 'roster.get', { cars: [car17, car44], drivers })
}

/** Shows a race that no session has joined. */
async function showRace(page: Page, race: Race) {
  await showRaces(page, [race])
  await routeCall(page, 'carRaces.ofRace', route => {
    const car = [car17, car44].find(({ id }) => id === route.url.searchParams.get('carId')) ?? null
    const driverIds = (car?.number === '44' ? ids.toReversed() : ids).slice(0, 3)
    const plan = { ...prepared, driverIds }
    const stored = storedCarRace({ car, race, plan, drivers })
    return route.fulfill({ json: { ...stored, phones: [], runs: [], stints: [] } })
  })
}

/** Shows a race that Théo's session drives. */
export async function showRunning(page: Page, stage: Stage, entries: RaceOfPhone) {
  const { id } = await stage.startSession('Zolder 6 hours')
  const shown = { ...entries, drivers, car: car17 }
  if (entries.race) await showRaces(page, [entries.race])
  await respondWithRace(page, () => shown)
  await routeCall(page, 'carRaces.ofRace', route => route.fulfill({ json: raceOf(id, shown) }))
}

/** Shows a race of this many minutes that requires five stops, with two made after 156 minutes. */
async function showRequired(page: Page, stage: Stage, minutes: number) {
  const { race, ...entries } = running(70)
  if (!race) return
  const length = { in: 'time' as const, ms: minutes * minuteMs }
  const rules: RaceRules = { ...race.rules, stops: { kind: 'count', count: 5 } }
  await respondWith(page, 'laps.list', lapsOf(entries))
  await showRunning(page, stage, { ...entries, race: { ...race, length, rules } })
  await openRace(page, stage)
}

/** Shows ten cars that all have more to do than there is time for. */
async function showTen(page: Page, stage: Stage) {
  const { race, ...entries } = running(40)
  if (!race) return
  const cars = Array.from({ length: 10 }, (_, index) => ({
    ...car17,
    id: exampleId(31 + index),
    number: String(97 + index),
    burnL: 5,
  }))
  const length = { in: 'time' as const, ms: 158 * minuteMs }
  const rules: RaceRules = { ...race.rules, stops: { kind: 'count', count: 7 } }
  const all = { ...race, length, rules, carIds: cars.map(({ id }) => id) }
  await respondWith(page, 'laps.list', lapsOf(entries))
  await showRunning(page, stage, { ...entries, race: all })
  await respondWith(page, 'roster.get', { cars, drivers })
  await openTeamPage(page, stage, '')
}

/** Shows a race that is over, in which the second car is two laps behind, and a stop is missing. */
async function showOver(page: Page, stage: Stage) {
  const entries = running(70)
  const { race } = entries
  if (!race) return
  const { laps } = lapsOf(entries)
  const rules: RaceRules = { ...race.rules, stops: { kind: 'count', count: 3 } }
  const over = { ...race, rules, endedAt: Date.now() - minuteMs, carIds: [car17.id, car44.id] }
  const shown = { ...entries, race: over, drivers }
  const { id } = await stage.startSession('Zolder 6 hours')
  await showRaces(page, [over])
  await routeCall(page, 'carRaces.ofRace', route => {
    const isFirst = route.url.searchParams.get('carId') === car17.id
    const phone = { ...entries.phone, laps: isFirst ? laps : laps.slice(0, -2) }
    const json = raceOf(id, { ...shown, car: isFirst ? car17 : car44, phone })
    return route.fulfill({ json })
  })
}

/** Two stints are driven and the third one is underway, in a race of six hours. */
export function running(maxStintMinutes: number): RaceOfPhone {
  const startedAt = Date.now() - 156 * minuteMs
  const at = (minutes: number) => startedAt + minutes * minuteMs
  return {
    stints: exampleStints(startedAt, [ids[0], 0, 54], [ids[1], 57, 111], [ids[2], 114, null]),
    race: exampleRace({
      id: raceId,
      rules: {
        ...noRules,
        name: 'Zolder',
        maxStintMs: maxStintMinutes * minuteMs,
        maxDriverMs: 150 * minuteMs,
        minStop,
      },
      carIds: [car17.id],
      startedAt,
    }),
    plan: prepared,
    phone: {
      visits: [{ startedAt: at(53), endedAt: at(56), stoppedAt: at(53.5), leftAt: at(55.5) }],
    },
  }
}

/** Laps of 1:52 until now. The 29th contains the stop, the 41st is slow under FCY. */
export function lapsOf({ stints }: RaceOfPhone): LapTable {
  const slow = new Map([
    [28, { timeMs: prepared.lapMs + 165_000, kind: 'pit' as const }],
    [40, { timeMs: 180_000, yellow: true, yellowMessage: 'FCY' as const }],
  ])
  const laps: Lap[] = []
  let startedAt = stints?.[0]?.from ?? 0
  while (startedAt < Date.now() - prepared.lapMs) {
    const number = laps.length
    const timeMs = prepared.lapMs
    const lap = exampleLap(number, { kind: 'full', startedAt, timeMs, ...slow.get(number) })
    laps.push(lap)
    startedAt += lap.timeMs
  }
  return exampleLaps(laps)
}

function openRace(page: Page, stage: Stage) {
  return openTeamPage(page, stage, `races/${raceId}`)
}

export function openTeamPage(page: Page, { team }: Stage, path: string) {
  return page.goto(`/teams/${team.id}/${path}`)
}
