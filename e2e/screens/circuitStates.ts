import type { Page } from '@playwright/test'
import type { ListedCircuit, TeamCircuit } from '#contract/circuits.ts'
import type { Session } from '#contract/sessions.ts'
import { zolder } from '#contract/shared/circuits/zolder.ts'
import { refuse, respondWith } from '../mockApi.ts'
import { becomeViewer } from './network.ts'
import { closeOverlay } from './overlays.ts'
import type { Stage } from './stage.ts'
import { type State, shared, unloaded, watching } from './state.ts'
import { visit } from './visit.ts'

const at = (index: number) => zolder.outline[index] ?? zolder.startFinish

const learned: TeamCircuit = {
  id: 'b3b6a0b4-6a0e-4b7e-9d0c-1f6f8f6f2a11',
  name: 'Zolder',
  version: 7,
  outline: zolder.outline.map(({ latitude, longitude }) => ({ latitude, longitude })),
  line: { latitude: zolder.startFinish.latitude, longitude: zolder.startFinish.longitude },
  pitLane: { in: at(210), out: at(8) },
  lengthM: 4002,
  direction: 'clockwise',
  attribution: null,
  source: 'learned',
  laps: 6,
  errorM: 2.8,
  lineSource: 'tapped',
  lineErrorM: 3.2,
  pitIn: at(210),
  pitOut: at(8),
  plusMinusMs: 190,
  canUndo: true,
}

const oval = [
  { x: 20, y: 30 },
  { x: 80, y: 30 },
  { x: 100, y: 50 },
  { x: 80, y: 70 },
  { x: 20, y: 70 },
  { x: 0, y: 50 },
]
const listed: ListedCircuit[] = [
  listedAs(learned.id, 'Zolder', 'learned', { laps: 6, lengthM: 4002, distanceM: 3 }),
  listedAs('genk', 'Genk karting', 'learned', {
    laps: 12,
    lengthM: 1354,
    distanceM: 17_200,
    direction: 'anticlockwise',
  }),
  listedAs('spa-francorchamps', 'Circuit de Spa-Francorchamps', 'shipped', {
    lengthM: 7004,
    distanceM: 71_000,
  }),
  listedAs('mettet', 'Mettet', 'imported', { lengthM: 2310, distanceM: 88_000 }),
  listedAs('new', null, 'learned', {
    laps: 1,
    lengthM: 980,
    distanceM: 140_000,
    learned: { at: Date.UTC(2026, 10, 14, 12), near: 'Genk karting' },
  }),
]

export const circuitStates: readonly State[] = [
  watching('circuits-list', { shows: '2.5 km driven' }, async (page, stage) => {
    await respondWith(page, 'circuits.list', listed)
    await respondWith(page, 'circuits.ofSession', null)
    await respondWith(page, 'circuits.driven', { path: learned.outline.slice(0, 120), wayM: 2480 })
    await openCircuits(page, stage)
  }),
  watching('circuits', shared, async (page, stage) => {
    await openKnown(page, stage)
  }),
  watching('circuits-pit-lane', shared, async (page, stage) => {
    await openKnown(page, stage)
    await page.getByRole('button', { name: 'Pit lane' }).click()
    await page.getByText('enters the pit lane').waitFor()
  }),
  watching('circuits-placing', { ...shared, shows: '1,200' }, async (page, stage) => {
    await openKnown(page, stage)
    await page.getByRole('button', { name: 'Set the line on the map' }).click()
    await page.getByRole('slider', { name: 'Place of the line' }).fill('1200')
  }),
  watching('circuits-learning', { shows: '2.5 km driven' }, async (page, stage) => {
    await showCircuits(page)
    await respondWith(page, 'circuits.ofSession', null)
    await respondWith(page, 'circuits.driven', {
      path: learned.outline.slice(0, 120),
      wayM: 2480,
    })
    await openCircuits(page, stage, session => session.id)
  }),
  watching('circuits-shipped', { shows: 'No car is on this circuit now' }, (page, stage) =>
    page.goto(`/teams/${stage.quietTeam.id}/circuits/zolder`),
  ),
  ...unloaded('circuits', {
    call: 'circuits.list',
    loading: 'Loading circuits',
    open: (page, stage) => openCircuits(page, stage),
  }),
  watching('circuits-one-failed', async (page, stage) => {
    await showCircuits(page)
    await respondWith(page, 'circuits.ofSession', learned)
    await refuse(page, 'circuits.get', 'not-found')
    await openCircuits(page, stage, () => learned.id)
    await page.getByRole('alert').waitFor()
  }),
  watching('circuits-viewer', { shows: 'Members set the line' }, async (page, stage) => {
    await becomeViewer(page)
    await openKnown(page, stage)
  }),
  watching('circuits-menu', { from: 'circuits', leave: closeOverlay }, async page => {
    await page.getByRole('button', { name: 'Change this circuit' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).waitFor()
  }),
  watching('circuits-delete', { from: 'circuits', leave: closeOverlay }, async page => {
    await page.getByRole('button', { name: 'Change this circuit' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByText('Delete Zolder?').waitFor()
  }),
  watching('circuits-import', { from: 'circuits-list', leave: closeOverlay }, async page => {
    await page.getByRole('button', { name: 'Import a file' }).click()
    await page.getByLabel('File', { exact: true }).setInputFiles({
      name: 'mettet.gpx',
      mimeType: 'application/gpx+xml',
      buffer: Buffer.from('<gpx></gpx>'),
    })
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByRole('alert').waitFor()
  }),
  watching('circuits-tapped', { from: 'circuits', shows: 'Line moved 41 m' }, async page => {
    await respondWith(page, 'circuits.setGate', { circuit: learned, movedM: 41 })
    await page.getByRole('button', { name: 'Line is here' }).click()
  }),
  watching('message-map-learned', async (page, stage) => {
    await showCircuits(page)
    await respondWith(page, 'circuits.ofSession', learned)
    const session = await stage.startSession()
    await stage.phone(session, 'shows', { ...at(100), speedKmh: 140 })
    await page.goto(`/teams/${session.teamId}/${session.id}/message?view=map`)
    await page.locator('[data-car][data-shown="true"]').waitFor()
  }),
]

function listedAs(
  id: string,
  name: string | null,
  source: ListedCircuit['source'],
  values: Partial<ListedCircuit>,
): ListedCircuit {
  return {
    id,
    name,
    source,
    lengthM: 1000,
    direction: 'clockwise',
    laps: null,
    distanceM: null,
    shape: oval,
    ...values,
  }
}

async function showCircuits(page: Page) {
  await respondWith(page, 'circuits.list', listed)
  await respondWith(page, 'circuits.get', learned)
}

/** The page with a car on the learned circuit. */
async function openKnown(page: Page, stage: Stage) {
  await showCircuits(page)
  await respondWith(page, 'circuits.ofSession', learned)
  await openCircuits(page, stage, () => learned.id)
  await page.locator('[data-car]').first().waitFor()
}

/** Opens the list, or the page of the circuit with an id. */
async function openCircuits(page: Page, stage: Stage, idOf?: (session: Session) => string) {
  const session = await stage.startSession()
  await stage.phone(session, 'shows', { ...at(100), speedKmh: 140 })
  await visit(page, `/teams/${session.teamId}/circuits${idOf ? `/${idOf(session)}` : ''}`)
}
