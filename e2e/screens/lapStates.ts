import type { Page } from '@playwright/test'
import type { Lap, LapTable } from '#contract/laps.ts'
import type { LapKind } from '#contract/shared/lapKinds.ts'
import { refuseCall, stallCall } from './network.ts'
import type { Stage } from './stage.ts'
import type { State } from './state.ts'

const nothing = { lapTiming: true, circuit: null, gpsPoor: false, laps: [], pending: false }

/** Two stints with a stop, an FCY, and a gap in reception. */
const driven: LapTable = {
  ...nothing,
  circuit: { name: 'Circuit Zolder', lengthM: 4010 },
  laps: lapsOf(
    ['out', 131.2],
    ['full', 112.1],
    ['full', 111.8],
    ['full', 112.7],
    ['full', 112.4],
    ['full', 150.9, { yellow: true, yellowMessage: 'FCY' }],
    ['full', 151.2, { yellow: true, yellowMessage: 'FCY' }],
    ['full', 113.1],
    ['pit', 298.6],
    ['full', 112.9],
    ['full', 112.3, { isSeen: false }],
    ['full', 112.6],
    ['full', 113.3],
    ['full', 112.4],
  ),
}

export const lapStates: readonly State[] = [
  watching('laps', async (page, stage) => {
    await showLaps(page, driven)
    await openLaps(page, stage)
    await page.getByText('Stint 2').waitFor()
  }),
  watching('laps-loading', async (page, stage) => {
    await stallCall(page, 'laps.list')
    await openLaps(page, stage)
    await page.getByLabel('Loading laps').waitFor()
  }),
  watching('laps-failed', async (page, stage) => {
    await refuseCall(page, 'laps.list', 'too-many')
    await openLaps(page, stage)
    await page.getByRole('alert').waitFor()
  }),
  watching('laps-poor', async (page, stage) => {
    await showLaps(page, {
      ...driven,
      circuit: { name: null, lengthM: 4010 },
      gpsPoor: true,
    })
    await openLaps(page, stage)
    await page.getByText('GPS too poor').waitFor()
  }),
  watching('laps-none', async (page, stage) => {
    await openLaps(page, stage)
    await page.getByText('No laps yet').waitFor()
  }),
  watching('laps-off', async (page, stage) => {
    await openLaps(page, stage)
    await page.getByLabel('No lap timing').click()
    await page.getByText('Lap timing is off').waitFor()
  }),
  watching('laps-turn-off', async (page, stage) => {
    await showLaps(page, driven)
    await openLaps(page, stage)
    await page.getByLabel('No lap timing').click()
    await page.getByText('Turn lap timing off?').waitFor()
  }),
  {
    name: 'log-delete-positions',
    viewer: 'theo',
    open: async (page, stage) => {
      const { teamId, id } = await stage.startSession()
      await page.goto(`/teams/${teamId}/${id}/log`)
      await page.getByRole('button', { name: 'Delete positions' }).click()
      await page.getByLabel('Delete the lap times too').waitFor()
    },
  },
  watching('message-laps', async (page, stage) => {
    await showLaps(page, driven)
    await openBoard(page, stage)
    await page.getByText('faster').waitFor()
  }),
  watching('message-laps-poor', async (page, stage) => {
    await showLaps(page, { ...driven, gpsPoor: true })
    await openBoard(page, stage)
    await page.getByText('~1:52').first().waitFor()
  }),
]

function watching(name: string, open: State['open']): State {
  return { name, viewer: 'marta', open }
}

/** Shows these laps of every session. */
function showLaps(page: Page, table: LapTable) {
  return page.route('**/api/laps.list*', route => route.fulfill({ json: table }))
}

async function openLaps(page: Page, stage: Stage) {
  const { teamId, id } = await stage.startSession()
  await page.goto(`/teams/${teamId}/${id}/laps`)
}

async function openBoard(page: Page, stage: Stage) {
  const session = await stage.startSession()
  await stage.phone(session, 'shows')
  await page.goto(`/teams/${session.teamId}/${session.id}/message`)
  await page.getByRole('img', { name: 'Driver online' }).waitFor()
  await page.getByRole('button', { name: 'PUSH', exact: true }).click()
  await page.getByRole('status').filter({ hasText: "On driver's screen" }).waitFor()
}

function lapsOf(...times: [LapKind, number, Partial<Lap>?][]): Lap[] {
  let startedAt = Date.UTC(2026, 4, 2, 14)
  return times.map(([kind, seconds, values], number) => {
    const timeMs = Math.round(seconds * 1000)
    const lap: Lap = {
      number,
      startedAt,
      timeMs,
      plusMinusMs: 180,
      kind,
      isSeen: true,
      yellow: false,
      yellowMessage: null,
      marked: false,
    }
    startedAt += timeMs
    return { ...lap, ...values }
  })
}
