import type { Page } from '@playwright/test'
import type { StoredCarRace } from '#contract/carRaces.ts'
import type { SessionCircuit } from '#contract/circuits.ts'
import type { Lap, LapTable } from '#contract/laps.ts'
import type { ListedSession } from '#contract/sessions.ts'
import { spaFrancorchamps } from '#contract/shared/circuits/spa-francorchamps.ts'
import type { LapKind } from '#contract/shared/lapKinds.ts'
import { exampleDrivers, exampleLap, exampleLaps, exampleStints } from '#testing/exampleRace.ts'
import { routeCall } from '../callRoutes.ts'
import { respondWith } from '../mockApi.ts'
import { raceOf, respondWithLaps } from '../raceAnswers.ts'
import { press, watch } from './messageStates.ts'
import { becomeViewer } from './network.ts'
import { closeOverlay } from './overlays.ts'
import type { Stage } from './stage.ts'
import { asTheo, type State, shared, unloaded, watching } from './state.ts'
import { phoneOf, showTwoPhones } from './twoPhones.ts'
import { visit } from './visit.ts'

/** Two stints with a stop, an FCY, and a gap in reception. */
const driven = exampleLaps(
  lapsOf(
    ['out', 131.2],
    ['full', 112.1],
    ['full', 111.8],
    ['full', 112.7],
    ['full', 112.4],
    ['full', 150.9, { yellow: true, yellowMessage: 'FCY' }],
    ['full', 151.2, { yellow: true, yellowFlag: 'Yellow' }],
    ['full', 113.1],
    ['pit', 298.6],
    ['full', 112.9],
    ['full', 112.3, { isSeen: false }],
    ['full', 112.6],
    ['full', 113.3],
    ['full', 112.4],
  ),
)

/** The newest stint with three of its laps. */
const threeLaps = '[aria-label=Laps] tbody:nth-of-type(1) tr:nth-child(-n + 4)'

export const lapStates: readonly State[] = [
  watching('laps', { ...shared, atOnce: threeLaps }, async (page, stage) => {
    await showLaps(page, driven)
    await openLaps(page, stage)
    await page.locator('canvas').waitFor()
  }),
  watching('laps-many-marks', { ...shared, shows: 'FCY' }, async (page, stage) => {
    const { laps } = driven
    const [last] = laps.slice(-1).map(lap => ({ ...lap, kind: 'in' as const, isSeen: false }))
    await showLaps(page, {
      ...driven,
      gpsPoor: true,
      laps: [...laps.slice(0, -1), { ...last!, yellow: true, yellowFlag: 'Code 60' }],
    })
    await openLaps(page, stage)
  }),
  watching('laps-no-link', { ...shared, shows: '10–12' }, async (page, stage) => {
    const over = driven.laps.map(lap =>
      lap.number === 12
        ? {
            ...lap,
            kind: 'incomplete' as const,
            isSeen: false,
            endsAtLine: true as const,
            startedAt: lap.startedAt - 225_200,
            timeMs: lap.timeMs + 225_200,
          }
        : lap,
    )
    const laps = over.filter(({ number }) => number < 10 || number > 11)
    await showLaps(page, { ...driven, laps })
    const offAt = (laps.find(({ number }) => number === 12)?.startedAt ?? 0) + 60_000
    await respondWith(page, 'sessions.dataLinkLog', [
      { dataLink: false, at: offAt, by: 'Ana Winter' },
      { dataLink: true, at: offAt + 150_000, by: 'Ana Winter' },
    ])
    await openLaps(page, stage)
    await page.locator('canvas').waitFor()
  }),
  watching('laps-first-lap', { ...shared, shows: 'on lap 8' }, async (page, stage) => {
    const table = { ...driven, laps: driven.laps.slice(0, 8) }
    await respondWithLaps(page, () => table, driversOf(driven))
    await openLaps(page, stage)
    await page.locator('canvas').waitFor()
  }),
  watching('laps-marked', shared, async (page, stage) => {
    await showLaps(page, { ...driven, laps: driven.laps.map(markedIf(11)) })
    await openLaps(page, stage)
    await page.getByRole('button', { name: 'Mark lap 11 yellow', pressed: true }).waitFor()
  }),
  watching('laps-phones', { shows: "Théo's phone" }, async (page, stage) => {
    const stopAt = driven.laps.findIndex(({ kind }) => kind === 'pit')
    const [before, after] = [driven.laps.slice(0, stopAt), driven.laps.slice(stopAt)]
    const takeoverAt = after[0]?.startedAt ?? 0
    const { theo } = await showTwoPhones(page, stage, ({ noor, theo: next }) => ({
      phones: [phoneOf(noor, { laps: before }), phoneOf(next, { laps: after })],
      race: null,
      runs: [
        { sessionId: noor.id, from: 0, until: takeoverAt, decidedBy: 'moved' },
        { sessionId: next.id, from: takeoverAt, until: null, decidedBy: 'moved' },
      ],
    }))
    await routeCall(page, 'laps.list', route => {
      const isNext = route.url.searchParams.get('sessionId') === theo.id
      return route.fulfill({ json: { ...driven, laps: isNext ? after : before } })
    })
    await visit(page, `/teams/${theo.teamId}/${theo.id}/laps`)
  }),
  watching('laps-viewer', async (page, stage) => {
    await becomeViewer(page)
    await showLaps(page, driven)
    await openLaps(page, stage)
    await page.locator('canvas').waitFor()
  }),
  watching('laps-compared', shared, async (page, stage) => {
    await showLaps(page, driven)
    await showSessions(page)
    await openLaps(page, stage, `?with=${others.map(({ id }) => id).join(',')}`)
    await page.getByRole('heading', { name: 'Lap by lap' }).waitFor()
    await page.locator('canvas').waitFor()
  }),
  watching('laps-compared-failed', async (page, stage) => {
    await showLaps(page, driven)
    await openLaps(page, stage, `?with=${others[0]?.id}`)
    await page.getByRole('alert').waitFor()
  }),
  watching('laps-choose', shared, async (page, stage) => {
    await showLaps(page, driven)
    await showSessions(page)
    await openLaps(page, stage, `?with=${others[0]?.id}`)
    await page.getByRole('button', { name: 'Compare sessions' }).click()
    await page.getByRole('dialog').getByLabel('Race, second half').waitFor()
  }),
  watching(
    'laps-choose-none',
    { from: 'laps', leave: closeOverlay, shows: 'Your team has no other session on this circuit.' },
    page => page.getByRole('button', { name: 'Compare sessions' }).click(),
  ),
  watching('laps-chart-failed', { shows: 'The chart did not load' }, async (page, stage) => {
    await page.route('**/assets/Plot-*.js', route => route.abort())
    await showLaps(page, driven)
    await openLaps(page, stage)
  }),
  ...unloaded('laps', { ...shared, call: 'laps.list', loading: 'Loading laps', open: openLaps }),
  watching('laps-poor', { ...shared, shows: 'GPS too poor' }, async (page, stage) => {
    await showLaps(page, {
      ...driven,
      circuit: { name: null, lengthM: 4010 },
      gpsPoor: true,
    })
    await openLaps(page, stage)
  }),
  watching('laps-stopped', shared, async (page, stage) => {
    await showLaps(page, { ...driven, stopped: 'failed' })
    await openLaps(page, stage)
    await page.getByRole('button', { name: 'Time again' }).waitFor()
    await page.locator('canvas').waitFor()
  }),
  watching('laps-none', { ...shared, shows: 'No laps yet' }, openLaps),
  watching('laps-off', { from: 'laps-none', shows: 'Lap timing is off' }, async page => {
    await openSettings(page)
    await page.getByLabel('No lap timing').click()
  }),
  watching('laps-target', { ...shared, shows: 'Enter a time' }, async (page, stage) => {
    await showLaps(page, driven)
    await openLaps(page, stage)
    await openSettings(page)
    await page.getByLabel("Driver's lap is compared with").selectOption('Target')
    await page.getByLabel('Target lap').fill('fast')
    await page.getByRole('button', { name: 'Set target' }).click()
  }),
  watching('laps-turn-off', { from: 'laps', leave: closeOverlay }, async page => {
    await openSettings(page)
    await page.getByLabel('No lap timing').click()
    await page.getByText('Turn lap timing off?').waitFor()
  }),
  watching('laps-older-stint', { from: 'laps', shows: 'FCY' }, page =>
    page.getByRole('button', { name: /Stint 1/ }).click(),
  ),
  asTheo('log-delete-positions', async (page, stage) => {
    const { teamId, id } = await stage.startSession()
    await page.goto(`/teams/${teamId}/${id}/log`)
    await page.getByRole('button', { name: 'Delete positions' }).click()
    await page.getByLabel('Delete the lap times too').waitFor()
  }),
  watching('message-laps', shared, async (page, stage) => {
    await respondWithLaps(page, () => driven)
    await showCircuit(page)
    await openBoard(page, stage)
    await page.getByText('faster').waitFor()
    await page.getByRole('meter', { name: 'Position on the lap' }).waitFor()
  }),
  watching('message-laps-stopped', shared, async (page, stage) => {
    await respondWithLaps(page, () => ({ ...driven, stopped: 'laps-too-short' }))
    await openBoard(page, stage)
    await page.getByText('Lap timing stopped').waitFor()
  }),
  watching('message-laps-poor', { ...shared, shows: '~1:52' }, async (page, stage) => {
    await respondWithLaps(page, () => ({ ...driven, gpsPoor: true }))
    await openBoard(page, stage)
  }),
]

/** Shows these laps of every session, of two drivers who change at the stop. */
function showLaps(page: Page, table: LapTable) {
  return respondWithLaps(page, () => table, driversOf(table))
}

function driversOf({ laps }: LapTable): Pick<StoredCarRace, 'drivers' | 'stints'> {
  const names = ['Noor Haddad', 'Théo Garnier']
  const drivers = exampleDrivers(names, 10)
  const changeAt = laps.find(({ kind }) => kind === 'pit')?.startedAt ?? 0
  const [noor, theo] = drivers.map(({ id }) => id)
  return { drivers, stints: exampleStints(changeAt + 1, [noor, -60, 0], [theo, 0, null]) }
}

/** Every session is timed on Spa, where the phone drives. */
function showCircuit(page: Page) {
  const { id, name, attribution, lengthM, direction, startFinish, outline } = spaFrancorchamps
  const circuit: SessionCircuit = {
    id,
    name,
    version: 1,
    outline: [...outline],
    line: startFinish,
    pitLane: null,
    lengthM: Math.round(lengthM),
    direction,
    attribution,
  }
  return respondWith(page, 'circuits.ofSession', circuit)
}

async function openLaps(page: Page, stage: Stage, search = '') {
  const { teamId, id } = await stage.startSession()
  await visit(page, `/teams/${teamId}/${id}/laps${search}`)
}

/** Sessions that are compared: one of the same driver, one of another. */
const others: readonly ListedSession[] = [
  {
    id: '00000000-0000-4000-8000-000000000001',
    name: 'Race, second half',
    driver: { id: 'noor', firstName: 'Noor', lastName: 'Haddad', email: null },
  },
  {
    id: '00000000-0000-4000-8000-000000000002',
    name: 'Qualifying with a long name that needs two lines on a phone',
    driver: { id: 'noor', firstName: 'Noor', lastName: 'Haddad', email: null },
  },
].map(session => ({
  ...session,
  car: null,
  currentDriver: null,
  startedAt: Date.UTC(2026, 4, 1, 9),
  endedAt: Date.UTC(2026, 4, 1, 11),
  circuit: 'Circuit Zolder',
  laps: 13,
  bestLapMs: 111_400,
  imported: false,
}))

/** Lists the other sessions, and responds to calls for them. */
async function showSessions(page: Page) {
  await respondWith(page, 'sessions.list', { sessions: others, next: null })
  await routeCall(page, 'sessions.get', async route => {
    const other = others.find(({ id }) => route.url.href.includes(id))
    if (!other) return route.fallback()
    const opened = new URL(page.url()).pathname.split('/')[3] ?? ''
    const response = await route.fetch(route.url.href.replace(other.id, opened))
    return route.fulfill({ json: { ...(await response.json()), ...other } })
  })
  const otherLaps = (index: number) => driven.laps.map(slower(index))
  await routeCall(page, 'laps.list', route => {
    const index = others.findIndex(({ id }) => route.url.href.includes(id))
    if (index < 0) return route.fallback()
    return route.fulfill({ json: { ...driven, laps: otherLaps(index) } })
  })
  await routeCall(page, 'carRaces.ofSession', route => {
    const index = others.findIndex(({ id }) => route.url.href.includes(id))
    const other = others[index]
    if (!other) return route.fallback()
    const phone = { startedAt: 0, person: 'Noor Haddad', laps: otherLaps(index) }
    return route.fulfill({ json: raceOf(other.id, { phone }) })
  })
}

/** Laps of another session, with other times. */
function slower(index: number) {
  return (lap: Lap): Lap => ({
    ...lap,
    timeMs: lap.timeMs + 350 * (index + 1) * ((lap.number % 4) - 1),
  })
}

function markedIf(number: number) {
  return (lap: Lap): Lap => (lap.number === number ? { ...lap, yellow: true, marked: true } : lap)
}

async function openBoard(page: Page, stage: Stage) {
  await watch(page, stage, 'shows')
  await press(page, 'PUSH', 'Shown after')
}

function lapsOf(...times: [LapKind, number, Partial<Lap>?][]): Lap[] {
  const allS = times.reduce((sum, [, seconds]) => sum + seconds, 0)
  let startedAt = Date.now() - Math.round(allS * 1000)
  return times.map(([kind, seconds, values], number) => {
    const timeMs = Math.round(seconds * 1000)
    const lap = exampleLap(number, { startedAt, timeMs, kind, ...values })
    startedAt += timeMs
    return lap
  })
}

/** Opens the settings at the foot of the laps. */
async function openSettings(page: Page) {
  const settings = page.locator('details').filter({ hasText: 'Race settings' })
  if ((await settings.getAttribute('open')) === null) await settings.locator('summary').click()
}
