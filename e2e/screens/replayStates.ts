import type { Page } from '@playwright/test'
import type { Answer, AnswerKind } from '#contract/answers.ts'
import type { ShownFlag } from '#contract/glass.ts'
import type { LoggedMessage, MessageType } from '#contract/messages.ts'
import { zolder } from '#contract/shared/circuits/zolder.ts'
import { exampleLap, exampleLaps } from '#testing/exampleRace.ts'
import { routeCall } from '../callRoutes.ts'
import { respondWith } from '../mockApi.ts'
import { respondWithLaps } from '../raceAnswers.ts'
import type { Stage } from './stage.ts'
import { type State, shared, unloaded, watching } from './state.ts'
import { visit } from './visit.ts'

const startedAt = Date.UTC(2026, 4, 2, 14)
const lapMs = 112_000
const lapCount = 9
/** The data link is off between these times, in laps since the start. */
const linkOff = { from: 6.2, to: 7.3 }

export const replayStates: readonly State[] = [
  watching(
    'replay',
    { ...shared, shows: 'Shown after 0.3 s', atOnce: 'figure, main button' },
    async (page, stage) => {
      await showDrive(page)
      await open(page, stage)
      await seek(page, 4.3)
    },
  ),
  watching('replay-empty-glass', { from: 'replay', shows: 'No message' }, page => seek(page, 1.2)),
  watching('replay-lap-board', { from: 'replay-empty-glass' }, async page => {
    await seek(page, 4.1)
    await page.getByRole('region', { name: 'Laps' }).getByText('Lap 3').waitFor()
  }),
  watching('replay-stop', { from: 'replay-lap-board', shows: 'The pit stop' }, page =>
    seek(page, 4.5),
  ),
  watching('replay-problem', { from: 'replay-stop', shows: 'PROBLEM.' }, page => seek(page, 5.35)),
  watching('replay-gap', { from: 'replay-problem', shows: 'saw is not known' }, page =>
    seek(page, 6.5),
  ),
  watching('replay-gap-end', { from: 'replay-gap', shows: 'Green' }, page => seek(page, 7.6)),
  watching('replay-flag', { from: 'replay-gap-end' }, page => seek(page, 8.3)),
  watching('replay-flag-hand', { from: 'replay-flag', shows: 'by hand' }, page => seek(page, 8.8)),
  watching('replay-without-laps', shared, async (page, stage) => {
    await showDrive(page, false)
    await open(page, stage)
    await seek(page, 4.3)
  }),
  ...unloaded('replay', {
    ...shared,
    call: 'positions.list',
    loading: 'Loading the replay',
    open,
  }),
  watching('import-recording', shared, async (page, stage) => {
    await importFile(page, stage)
    await page.getByRole('dialog').getByRole('alert').waitFor()
  }),
  watching('import-recording-day', shared, async (page, stage) => {
    await importFile(page, stage, 'File created on 05/06/2026 at 10:00:00')
    await page.getByRole('dialog').getByText('is read as').waitFor()
    await page.getByRole('dialog').getByRole('alert').waitFor()
  }),
  watching('import-recording-sending', async (page, stage) => {
    await page.route('**/recordings?*', () => {})
    await importFile(page, stage)
    await page.getByRole('dialog').getByRole('status').waitFor()
  }),
  watching('replay-none', { ...shared, shows: 'No positions' }, open),
]

async function open(page: Page, stage: Stage) {
  const { teamId, id } = await stage.startSession()
  await visit(page, `/teams/${teamId}/${id}/laps/replay`)
}

/** Moves the replay to a time, in laps since the start. */
async function seek(page: Page, laps: number) {
  const slider = page.getByRole('slider', { name: 'Time' })
  await slider.waitFor()
  await slider.fill(String(Math.round(laps * lapMs)))
  await page.locator('[data-car]').waitFor({ state: 'attached' })
}

/** Shows a drive at Zolder, with messages and a gap, in every session. */
async function showDrive(page: Page, lapTiming = true) {
  const drive = driveFixes()
  await routeCall(page, 'positions.list', route => {
    const query = route.url.searchParams
    const from = Number(query.get('from') ?? 0)
    const until = Number(query.get('until') ?? Number.POSITIVE_INFINITY)
    const fixes = drive.filter(({ at }) => at >= from && at < until)
    const differences = (values: number[]) =>
      values.map((value, index) => value - (values[index - 1] ?? 0))
    return route.fulfill({
      json: {
        span: { first: startedAt, last: drive.at(-1)?.at },
        at: differences(fixes.map(({ at }) => at)),
        latitudeE6: differences(fixes.map(({ latitude }) => Math.round(latitude * 1e6))),
        longitudeE6: differences(fixes.map(({ longitude }) => Math.round(longitude * 1e6))),
        speedKmh: fixes.map(({ speedKmh }) => speedKmh),
        next: null,
      },
    })
  })
  const numbers = Array.from({ length: lapTiming ? lapCount : 0 }, (_, number) => number)
  // One lap goes over the gap, which hides the end of the sixth.
  const laps = numbers
    .filter(number => number !== 6)
    .map(number =>
      exampleLap(number, {
        startedAt: startedAt + (number === 7 ? 6 : number) * lapMs,
        timeMs: lapMs,
        ...(number === 7 && { timeMs: 2 * lapMs, ...overGap }),
        ...(number === lapCount - 1 && { yellow: true, yellowFlag: 'Yellow' }),
      }),
    )
  const at = (laps: number) => startedAt + laps * lapMs
  const visit = { startedAt: at(4.35), stoppedAt: at(4.38), leftAt: at(4.6), endedAt: at(4.65) }
  await respondWithLaps(page, () => exampleLaps(laps, { lapTiming }), {}, [visit])
  await respondWith(page, 'messages.log', log)
  await respondWith(page, 'glass.log', { flags, changes: [] })
  await respondWith(page, 'sessions.dataLinkLog', [
    { dataLink: false, at: at(linkOff.from), by: 'Ana Winter' },
    { dataLink: true, at: at(linkOff.to), by: 'Ana Winter' },
  ])
}

const overGap = { kind: 'incomplete', isSeen: false, endsAtLine: true } as const

const log: LoggedMessage[] = [
  message(6, null, 5.6),
  { ...message(5, 'Abort', 5.2), answers: [report('Problem', 5.25), report('PitThisLap', 5.3)] },
  message(4, 'Fuel', 4.9, false),
  message(3, 'Pit', 4.2),
  message(2, null, 3),
  message(1, 'Push', 2.1),
]

const flags: ShownFlag[] = [
  { flag: 'Green', at: startedAt, shownAt: startedAt + 800 },
  { flag: 'Yellow', at: startedAt + 8.2 * lapMs, shownAt: startedAt + 8.2 * lapMs + 900 },
  {
    flag: 'Code 60',
    at: startedAt + 8.7 * lapMs,
    shownAt: startedAt + 8.7 * lapMs + 700,
    byHand: 'Sam Tester',
  },
]

function report(kind: AnswerKind, laps: number): Answer {
  const at = startedAt + laps * lapMs
  return { id: crypto.randomUUID(), number: 1, kind, version: 5, at, receivedAt: at }
}

function message(
  version: number,
  type: MessageType | null,
  laps: number,
  isShown = true,
): LoggedMessage {
  const sentAt = startedAt + laps * lapMs
  return {
    version,
    type,
    pressedAt: sentAt,
    sentAt,
    reachedAt: isShown ? sentAt + 200 : null,
    shownAt: isShown ? sentAt + 300 : null,
    copiedAt: isShown && type ? sentAt + 4100 : null,
    expiresAt: null,
    sentBy: null,
  }
}

function driveFixes() {
  const { outline } = zolder
  return Array.from({ length: (lapCount * lapMs) / 1000 }, (_, second) => {
    const share = ((second * 1000) % lapMs) / lapMs
    const place = share * (outline.length - 1)
    const [from, to] = [outline[Math.floor(place)], outline[Math.ceil(place)]]
    const along = place - Math.floor(place)
    return {
      at: startedAt + second * 1000,
      latitude: (from?.latitude ?? 0) * (1 - along) + (to?.latitude ?? 0) * along,
      longitude: (from?.longitude ?? 0) * (1 - along) + (to?.longitude ?? 0) * along,
      speedKmh: Math.round(140 + 60 * Math.sin(share * 31) + 15 * Math.sin(share * 67)),
    }
  }).filter(({ at }) => {
    const laps = (at - startedAt) / lapMs
    return laps < linkOff.from || laps > linkOff.to
  })
}

/** Imports a file that is not a recording. */
async function importFile(page: Page, stage: Stage, content = 'x') {
  await visit(page, `/teams/${stage.team.id}/sessions`)
  await page.getByRole('button', { name: 'Import a recording' }).click()
  const dialog = page.getByRole('dialog')
  await dialog
    .getByLabel('File', { exact: true })
    .setInputFiles({ name: 'Spring race.csv', mimeType: 'text/csv', buffer: Buffer.from(content) })
  await dialog.getByRole('button', { name: 'Import' }).click()
}
