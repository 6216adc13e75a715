import type { Page } from '@playwright/test'
import type { LapTable } from '#contract/laps.ts'
import { minuteMs } from '#contract/shared/durations.ts'
import type { GlassPart } from '#contract/shared/glassParts.ts'
import { noRules } from '#contract/shared/raceRules.ts'
import type { OfficialTiming } from '#contract/timing.ts'
import {
  exampleCar,
  exampleDrivers,
  exampleId,
  exampleLap,
  exampleLaps,
  exampleRace,
} from '#testing/exampleRace.ts'
import { refuse, respondWith } from '../mockApi.ts'
import { type RaceOfPhone, respondWithRace } from '../raceAnswers.ts'
import { answer, getProblem, reportProblem, sendQuestion } from './answerStates.ts'
import { drive } from './driveStates.ts'
import { showGlass } from './glassFrames.ts'
import { openMap, press, reportPhoneState } from './messageStates.ts'
import { becomeViewer, showProblem } from './network.ts'
import { officialTiming, timingByHand } from './officialTiming.ts'
import { closeOverlay } from './overlays.ts'
import { takeBack } from './pitStates.ts'
import type { Stage } from './stage.ts'
import { driving, type State, shared, watching } from './state.ts'
import { visit } from './visit.ts'
import { ownWords, sendWord } from './wordStates.ts'

const driverId = exampleId(11)
const lapMs = 112_400

/** Sixty laps of 1:52.4 until now, with two fills to full. */
export function race(): { entries: RaceOfPhone; table: LapTable } {
  const now = Date.now()
  const startedAt = now - 60 * lapMs - 20_000
  const lap = (number: number) => startedAt + number * lapMs
  const entries: RaceOfPhone = {
    car: exampleCar({ id: exampleId(12) }),
    drivers: exampleDrivers(['Marta Lindqvist'], 11),
    stints: [
      { id: driverId, number: 1, sessionId: '', driverId, from: now - 41 * minuteMs, to: null },
    ],
    phone: { startedAt },
    race: exampleRace({
      rules: { ...noRules, maxStintMs: 70 * minuteMs, maxDriverMs: 150 * minuteMs },
      startedAt,
    }),
    fills: [
      { id: exampleId(20), kind: 'start', at: startedAt, litres: 92 },
      { id: exampleId(21), kind: 'full', at: lap(19.5), litres: 36.5 },
      { id: exampleId(22), kind: 'full', at: lap(38.5), litres: 35 },
    ],
  }
  const laps = Array.from({ length: 60 }, (_, number) =>
    exampleLap(number, { startedAt: lap(number), timeMs: lapMs + ((number * 7) % 5) * 100 }),
  )
  return { entries, table: exampleLaps(laps) }
}

export const fuelStates: readonly State[] = [
  watching('message-stint', shared, async (page, stage) => {
    await openBoard(page, stage)
    await press(page, 'PUSH', 'Shown after')
  }),
  watching('message-stint-fault', { shows: 'Phone may go dark' }, async (page, stage) => {
    await openBoard(page, stage)
    await reportPhoneState(stage, stage.session, { problems: ['awake'] })
    await press(page, 'PUSH', 'Shown after')
  }),
  watching('message-stop-missing', { shows: '1 stop missing' }, (page, stage) =>
    openBoard(page, stage, raceOfLaps(61.5)),
  ),
  watching('wall-stop-missing', { from: 'message-stop-missing', shows: '1 stop missing' }, page =>
    page.goto(page.url().replace(/[^/]+\/message$/, 'wall')),
  ),
  watching('message-stint-none', (page, stage) => openBoard(page, stage)),
  watching('message-stint-pits', shared, async (page, stage) => {
    const { entries, table } = race()
    const startedAt = Date.now() - 72_000
    const visit = { startedAt, endedAt: null, stoppedAt: startedAt + 18_000, leftAt: null }
    const minStop = { ms: 3 * minuteMs, counts: 'lane' as const, onlyWithFuel: false }
    const inRace = entries.race && {
      ...entries.race,
      rules: { ...entries.race.rules, minStop },
    }
    const stopped = {
      ...entries,
      ...(inRace && { race: inRace }),
      phone: { ...entries.phone, visits: [visit] },
    }
    await openBoard(page, stage, { entries: stopped, table })
    await page.getByText('Done in').first().waitFor({ state: 'attached' })
  }),
  watching('map-stint-pits', { from: 'message-stint-pits' }, openMap),
  watching('message-flag', { shows: 'shown 0.9 s' }, async (page, stage) => {
    await showGlass(page, { flag: 'Yellow', tookMs: 900 })
    await openOfficial(page, stage, officialTiming, ['flag'])
  }),
  watching('message-flag-link-off', { shows: 'Switch on' }, async (page, stage) => {
    await showGlass(page, { flag: 'Yellow', tookMs: 900 })
    await openOfficial(page, stage, officialTiming, ['flag'])
    const sessionId = stage.session.id
    await stage.people.theo.call.sessions.setDataLink({ sessionId, dataLink: false })
  }),
  watching('message-stint-link-off', { shows: 'Switch on' }, async (page, stage) => {
    await openBoard(page, stage)
    const sessionId = stage.session.id
    await stage.people.theo.call.sessions.setDataLink({ sessionId, dataLink: false })
  }),
  watching('laps-glass', { from: 'message-flag' }, async (page, { session: { teamId, id } }) => {
    await visit(page, `/teams/${teamId}/${id}/laps`)
    await page.locator('summary', { hasText: 'Race settings' }).click()
    await page.getByText('No substitute for looking').scrollIntoViewIfNeeded()
  }),
  watching('message-flag-missing', async (page, stage) => {
    await showGlass(page, { flag: 'Red   ', tookMs: null })
    await openOfficial(page, stage, withFlag('Red   '), ['flag'])
    await page.getByText('not shown').waitFor()
  }),
  watching('message-flag-recorded', async (page, stage) => {
    const id = '5275a360-c5d8-4a2e-bc67-4d0895d09d36'
    const source = { kind: 'recorded' as const, id, speed: 10 }
    await openOfficial(page, stage, { ...officialTiming, source }, ['flag'])
    await page.getByText('Recorded').first().waitFor()
  }),
  watching('message-hand', async (page, stage) => {
    await showGlass(page, { flag: 'Yellow', tookMs: 900, byHand: 'Sam Tester' })
    await openOfficial(page, stage, timingByHand, ['flag'])
    await page.getByText('shown 0.9 s').waitFor()
  }),
  watching('message-flag-unknown', { shows: 'Flag not known' }, (page, stage) =>
    openOfficial(page, stage, { ...officialTiming, silentForMs: 42_000 }),
  ),
  watching('message-stint-viewer', async (page, stage) => {
    await becomeViewer(page)
    await openBoard(page, stage)
    await page.getByText('Pit in').first().waitFor({ state: 'attached' })
  }),
  watching('message-stint-untimed', shared, async (page, stage) => {
    const { entries, table } = race()
    await openBoard(page, stage, { entries, table: { ...table, lapTiming: false, laps: [] } })
    await page.getByText('Fuel at').first().waitFor({ state: 'attached' })
  }),
  watching('refuel', { from: 'message-stint', leave: closeOverlay }, async page => {
    await openRefuel(page)
  }),
  watching('refuel-failed', { from: 'message-stint', leave: closeOverlay }, async page => {
    await refuse(page, 'fills.add', 'too-many')
    await openRefuel(page)
    await page.getByRole('button', { name: 'Add litres' }).click()
    await page.getByRole('button', { name: 'Part of it' }).click()
    await page.getByRole('dialog').getByRole('alert').waitFor()
  }),
  watching('refuel-start', { from: 'message-stint', leave: closeOverlay }, async page => {
    await openRefuel(page)
    await page.getByRole('button', { name: 'Change the fuel at the start' }).click()
    await page.getByRole('button', { name: 'Assume full' }).waitFor()
  }),
  watching('more-stint', { from: 'message-stint', leave: closeOverlay }, page =>
    page.getByRole('button', { name: 'More' }).click(),
  ),
  watching('map-stint', { from: 'message-stint' }, openMap),
  watching('map-stint-fault', { from: 'map-stint', shows: 'Location not' }, (_page, stage) =>
    reportPhoneState(stage, stage.session, { gps: 'denied' }),
  ),
  watching('map-crowded', (page, stage) => openCrowdedMap(page, stage)),
  watching(
    'map-crowded-taken-back',
    { from: 'map-crowded', shows: /TAKEN BACK/ },
    async (_page, stage) => {
      await answer(stage, stage.session, 'Problem')
      await answer(stage, stage.session, 'TakenBack')
    },
  ),
  driving('drive-stint', { shows: 'PIT IN' }, (page, stage) => openDrive(page, stage, race())),
  driving('drive-stint-ask', { from: 'drive-stint', shows: 'YES' }, (_page, stage) =>
    stage.send('Pit', { ask: true }),
  ),
  driving('drive-stint-problem', { shows: 'Got it by Marta' }, async (page, stage) => {
    await openDrive(page, stage, race())
    await reportProblem(page)
    await getProblem(stage)
    await page.locator('[data-plate]').waitFor()
  }),
  driving('drive-stint-now', { shows: 'PIT NOW' }, async (page, stage) => {
    const { entries, table } = race()
    await openDrive(page, stage, {
      entries: { ...entries, fills: entries.fills?.slice(0, 1) ?? [] },
      table,
    })
  }),
  driving(
    'drive-stint-read',
    { from: 'drive-stint-now', shows: 'PIT NOW' },
    async (page, stage) => {
      await stage.send('SC')
      await page.getByRole('alert').getByText('SC').waitFor()
      await page.keyboard.press('Enter')
      await page.getByText('PIT NOW').waitFor()
    },
  ),
  driving('drive-stint-link-off', { shows: 'Data link off' }, async (page, stage) => {
    const { id } = await openDrive(page, stage, race())
    await page.getByText('PIT IN').waitFor()
    await stage.people.theo.call.sessions.setDataLink({ sessionId: id, dataLink: false })
  }),
  driving('drive-stint-first', { shows: 'PIT IN' }, async (page, stage) => {
    const { entries, table } = race()
    await openDrive(page, stage, { entries, table: { ...table, laps: [] } })
  }),
  driving('drive-stint-last', { shows: 'no stop' }, async (page, stage) => {
    const { entries, table } = race()
    const startedAt = Date.now() - 60 * lapMs - 20_000
    const ending = exampleRace({
      rules: { ...noRules, maxStintMs: 42 * minuteMs },
      length: { in: 'time', ms: 60 * lapMs + 90_000 },
      startedAt,
    })
    await openDrive(page, stage, { entries: { ...entries, race: ending }, table })
  }),
  driving('drive-stint-no-stop', { shows: 'laps, no stop' }, async (page, stage) => {
    const { entries, table } = race()
    const startedAt = Date.now() - 60 * lapMs - 20_000
    const ending = exampleRace({ length: { in: 'time', ms: 64 * lapMs }, startedAt })
    await openDrive(page, stage, { entries: { ...entries, race: ending }, table })
  }),
  driving('drive-stint-unknown', { shows: 'To go' }, async (page, stage) => {
    const { entries, table } = race()
    const { startedAt } = entries.race ?? {}
    const free = exampleRace({ startedAt: startedAt ?? null })
    const tank = exampleCar({ id: exampleId(12), burnL: null })
    await openDrive(page, stage, {
      entries: { ...entries, car: tank, race: free, fills: [] },
      table,
    })
  }),
  driving('drive-over', { shows: 'Zolder sprint is running' }, openOver),
  driving('drive-over-standing', { shows: 'End this session' }, (page, stage) =>
    openOver(page, stage, { speedKmh: 0, isOther: false }),
  ),
  driving('drive-over-problem', { from: 'drive-over-standing', leave: takeBack }, async page => {
    await reportProblem(page)
    await page.getByRole('button', { name: 'End this session' }).waitFor()
  }),
  driving('drive-over-message', { from: 'drive-over-standing' }, async (page, stage) => {
    await stage.send('Push')
    await page.getByRole('alert').getByText('Push').click()
    await page.getByRole('button', { name: 'End this session' }).waitFor()
    await waitForFinish(page)
  }),
  driving('drive-stop-missing', { shows: '1 stop missing' }, (page, stage) =>
    openDrive(page, stage, raceOfLaps(61.5)),
  ),
  driving('drive-finish-word', async (page, stage) => {
    await openDrive(page, stage, raceOfLaps(59))
    await sendWord(stage, ownWords[3]!)
    await waitForFinish(page)
  }),
  driving('drive-finish-ask', { from: 'drive-finish-word' }, async (page, stage) => {
    await sendQuestion(page, stage, 'Fuel')
    await waitForFinish(page)
  }),
  driving('drive-stint-untimed', async (page, stage) => {
    await openDrive(page, stage, { ...race(), lapTiming: false })
    await page.getByRole('region', { name: 'Stint' }).waitFor()
  }),
]

/** A race that ends after this many laps and requires a stop more than the car has made. */
export function raceOfLaps(count: number): ReturnType<typeof race> {
  const { entries, table } = race()
  const length = { in: 'time' as const, ms: count * lapMs }
  // The fills show one stop.
  const rules = { ...noRules, stops: { kind: 'count' as const, count: 2 } }
  const plan = { driverIds: [], stopMs: 180_000, lapMs, stints: [] }
  const inRace = entries.race && { ...entries.race, length, rules }
  return { entries: { ...entries, ...(inRace && { race: inRace }), plan }, table }
}

async function waitForFinish(page: Page) {
  await page.getByText('FINISH').filter({ visible: true }).last().waitFor()
}

export type Driven = ReturnType<typeof race> & { lapTiming?: boolean; speedKmh?: number }

/** Opens the drive screen with these entries. */
export async function openDrive(
  page: Page,
  stage: Stage,
  { entries, table, lapTiming = true, speedKmh = 187 }: Driven,
) {
  await respondWith(page, 'laps.list', table)
  await respondWithRace(page, () => entries)
  return drive(page, stage, { lapTiming, speedKmh })
}

/** Opens the drive screen after its race, while another one may run. */
async function openOver(page: Page, stage: Stage, { speedKmh = 62, isOther = true } = {}) {
  const { entries, table } = race()
  const endedAt = Date.now() - 40_000
  const over = entries.race && { ...entries.race, endedAt }
  const sprint = { ...exampleRace({ startedAt: endedAt }), name: 'Zolder sprint' }
  await respondWith(page, 'races.list', isOther ? [sprint] : [])
  await openDrive(page, stage, { entries: { ...entries, race: over ?? null }, table, speedKmh })
}

/** The map with an order in a word of the team, a fault of the phone, and a problem of another car. */
async function openCrowdedMap(page: Page, stage: Stage) {
  await showProblem(page, 'Shakedown')
  await openBoard(page, stage)
  await reportPhoneState(stage, stage.session, { problems: ['awake'] })
  await sendWord(stage, ownWords[0]!)
  await openMap(page)
  await page.getByText('Phone may go dark').waitFor()
  await page.getByText(/^Shown after/).waitFor()
}

export async function openBoard(page: Page, stage: Stage, { entries, table } = race()) {
  await respondWith(page, 'laps.list', table)
  await respondWithRace(page, () => entries)
  const { car } = entries
  if (car) await stage.people.marta.call.roster.saveCar({ teamId: stage.team.id, car })
  const session = await stage.startSession('Friday practice 1', car?.id)
  await stage.phone(session, 'shows')
  await visit(page, `/teams/${session.teamId}/${session.id}/message`)
  await page.getByRole('img', { name: 'Driver online' }).waitFor()
}

/** Opens the board of a car whose race has official timing, with a message. */
async function openOfficial(
  page: Page,
  stage: Stage,
  timing: OfficialTiming,
  glass: GlassPart[] = [],
) {
  const { entries, table } = race()
  await respondWith(page, 'timing.ofRace', timing)
  await openBoard(page, stage, { entries: { ...entries, officialTiming: true, glass }, table })
  await press(page, 'PUSH', 'Shown after')
}

function withFlag(flag: string): OfficialTiming {
  return { ...officialTiming, run: officialTiming.run && { ...officialTiming.run, flag } }
}

/** Low screens show no stint line. */
async function openRefuel(page: Page) {
  await page.getByRole('button', { name: /Refuel/ }).click()
  await page.getByRole('dialog').getByText('At the start').waitFor()
}
