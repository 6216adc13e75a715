import type { Page } from '@playwright/test'
import type { CarPhone, Run, StoredCarRace } from '#contract/carRaces.ts'
import { minuteMs } from '#contract/shared/durations.ts'
import { noRules } from '#contract/shared/raceRules.ts'
import {
  exampleCar,
  exampleDrivers,
  exampleId,
  exampleRace,
  exampleStints,
} from '#testing/exampleRace.ts'
import { carPhone, storedCarRace } from '#testing/storedCarRace.ts'
import { routeCall } from '../callRoutes.ts'
import { refuse, respondWith } from '../mockApi.ts'
import { drive } from './driveStates.ts'
import { becomeViewer } from './network.ts'
import { closeOverlay } from './overlays.ts'
import type { Stage } from './stage.ts'
import { driving, type State, shared, watching } from './state.ts'
import { visit } from './visit.ts'

const lapMs = 112_000
const names = ['Ben Okoye', 'Marta Lindqvist', 'Ana Winter']

/** The phones of a car: on the page of its race, and on the screen of one that is not in it. */
export const phoneStates: readonly State[] = [
  watching('plan-phones', shared, openPlan),
  watching('plan-phones-correct', { from: 'plan-phones', leave: closeOverlay }, openCorrection),
  watching('plan-phones-refused', { from: 'plan-phones', leave: closeOverlay }, async page => {
    await refuse(page, 'carRaces.correctRuns', 'too-many')
    await openCorrection(page)
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'One second later' }).click()
    await dialog.getByRole('button', { name: 'Correct', exact: true }).click()
    await dialog.getByRole('alert').waitFor()
  }),
  watching('plan-phones-put', { from: 'plan-phones', leave: closeOverlay }, async page => {
    await page.getByRole('button', { name: /^Put Mia/ }).click()
    await page.getByRole('dialog').getByText('Before').waitFor()
  }),
  watching('plan-phones-viewer', async (page, stage) => {
    await becomeViewer(page)
    await openPlan(page, stage)
  }),
  driving('drive-takeover', { shows: "Mia's phone is in the car now." }, (page, stage) =>
    openDrive(page, stage, takenOver),
  ),
  driving('drive-takeover-failed', { from: 'drive-takeover' }, async page => {
    await refuse(page, 'carRaces.correctRuns', 'too-many')
    await page.getByRole('button', { name: 'I am in car 17' }).click()
    await page.getByText('Not taken over.').waitFor()
  }),
  driving('drive-beside', { shows: "Car 17 is driven by Mia's phone." }, (page, stage) =>
    openDrive(page, stage, beside),
  ),
  driving('drive-waiting', { shows: 'This phone waits' }, async (page, stage) => {
    await respond(page, beside)
    await drive(page, stage)
  }),
  driving('drive-waiting-order', { shows: 'SC' }, async (page, stage) => {
    const { call } = stage.people.marta
    const active = await call.sessions.listActive({ teamId: stage.team.id })
    const { id = '' } = active.find(({ driver }) => driver.firstName === 'Noor') ?? {}
    await respond(page, sessionId => beside(sessionId, id))
    await drive(page, stage)
    await call.messages.set({ sessionId: id, type: 'SC', commandId: crypto.randomUUID() })
  }),
]

function respond(page: Page, race: (sessionId: string) => StoredCarRace) {
  return routeCall(page, 'carRaces.ofSession', route =>
    route.fulfill({ json: race(route.url.searchParams.get('sessionId') ?? '') }),
  )
}

async function openPlan(page: Page, stage: Stage) {
  await respond(page, swapped)
  const { teamId, id } = await stage.startSession('Zolder 6 hours')
  const shown = swapped(id)
  await respondWith(page, 'races.list', [shown.race])
  await respondWith(page, 'carRaces.ofRace', shown)
  await respondWith(page, 'roster.get', { cars: [shown.car], drivers: shown.drivers })
  await visit(page, `/teams/${teamId}/races/${shown.race?.id}`)
  await page.getByText('Never moved, counts nowhere').waitFor()
}

async function openCorrection(page: Page) {
  await page.getByRole('button', { name: /^Correct Ana's phone/ }).click()
  await page.getByRole('dialog').getByText('Before').waitFor()
}

async function openDrive(page: Page, stage: Stage, race: (sessionId: string) => StoredCarRace) {
  await respond(page, race)
  const { teamId, id } = await stage.startSession()
  await page.goto(`/teams/${teamId}/${id}/drive`)
}

function run(sessionId: string, from: number, until: number | null, more: Partial<Run> = {}): Run {
  return { sessionId, from, until, decidedBy: 'moved', ...more }
}

/** Laps of 1:52 between two times. */
function laps(from: number, until: number): CarPhone['laps'] {
  return Array.from({ length: Math.floor((until - from) / lapMs) }, (_, index) => ({
    number: index + 1,
    startedAt: from + index * lapMs,
    timeMs: lapMs,
    kind: 'full',
    isSeen: true,
    yellow: false,
  }))
}

/** Three drivers have driven with their own phones, the last one with that of the session. */
function swapped(sessionId: string): StoredCarRace {
  const startedAt = Date.now() - 155 * minuteMs
  const at = (minutes: number) => startedAt + minutes * minuteMs
  const [ben, marta, mia] = [exampleId(1), exampleId(2), exampleId(3)]
  const drivers = exampleDrivers(names, 11)
  const inPits = (from: number, to: number) => ({
    startedAt: at(from),
    endedAt: at(to),
    stoppedAt: at(from + 0.6),
    leftAt: at(to - 0.4),
  })
  return storedCarRace({
    ...raceOf17(startedAt),
    drivers,
    phones: [
      carPhone({
        sessionId: ben,
        name: 'Zolder, first phone',
        person: 'Ben Okoye',
        startedAt: at(-12),
        endedAt: at(58),
        leftPitsAt: [at(0)],
        laps: laps(at(0), at(50)),
        visits: [inPits(50.2, 53.2)],
      }),
      carPhone({
        sessionId: marta,
        name: 'Zolder 6 hours',
        person: 'Marta Lindqvist',
        startedAt: at(38),
        leftPitsAt: [at(53.2)],
        laps: laps(at(54), at(111)),
        visits: [inPits(111.2, 114.5)],
      }),
      carPhone({
        sessionId: mia,
        name: 'Zolder, spare phone',
        person: 'Mia Herbst',
        startedAt: at(20),
      }),
      carPhone({
        sessionId,
        name: 'Zolder, last phone',
        person: 'Ana Winter',
        startedAt: at(104),
        leftPitsAt: [at(114.5)],
        laps: laps(at(115), at(155)),
      }),
    ],
    runs: [
      run(ben, at(0), at(53.2)),
      run(marta, at(53.2), at(114.5), {
        decidedBy: 'person',
        correctionId: exampleId(31),
        by: 'Mia',
      }),
      run(sessionId, at(114.5), null),
    ],
    stints: exampleStints(
      startedAt,
      [exampleId(11), 0, 53.2, ben],
      [exampleId(12), 53.2, 114.5, marta],
      [exampleId(13), 114.5, null, sessionId],
    ),
  })
}

function raceOf17(startedAt: number): Pick<StoredCarRace, 'car' | 'race' | 'plan'> {
  return {
    car: exampleCar(),
    race: exampleRace({
      rules: { ...noRules, name: 'Zolder', maxStintMs: 90 * minuteMs },
      startedAt,
    }),
    plan: { driverIds: [], stopMs: 3 * minuteMs, lapMs, stints: [] },
  }
}

/** Mia's phone is in the car now, after that of the session or beside it. */
function withMia(
  sessionId: string,
  runs: (from: number) => Run[],
  miaId = exampleId(3),
): StoredCarRace {
  const startedAt = Date.now() - 90 * minuteMs
  return storedCarRace({
    ...raceOf17(startedAt),
    phones: [
      carPhone({ sessionId, person: 'Théo Garnier', startedAt }),
      carPhone({ sessionId: miaId, person: 'Mia Herbst', startedAt }),
    ],
    runs: runs(startedAt),
    stints: exampleStints(startedAt, [null, 0, null, miaId]),
  })
}

function takenOver(sessionId: string): StoredCarRace {
  return withMia(sessionId, from => [
    run(sessionId, from, from + 60 * minuteMs),
    run(exampleId(3), from + 60 * minuteMs, null),
  ])
}

function beside(sessionId: string, miaId = exampleId(3)): StoredCarRace {
  return withMia(sessionId, from => [run(miaId, from, null)], miaId)
}
