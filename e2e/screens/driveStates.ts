import { expect, type Page } from '@playwright/test'
import type { Lap, LapTable } from '#contract/laps.ts'
import type { MessageType } from '#contract/messages.ts'
import { zolder } from '#contract/shared/circuits/zolder.ts'
import { messageTypes } from '#contract/shared/messageTypes.ts'
import { exampleLap, exampleLaps } from '#testing/exampleRace.ts'
import { goOffline } from '../goOffline.ts'
import { changeFrames } from '../liveFrames.ts'
import { hold, respondWith, stubLiveConnection } from '../mockApi.ts'
import { keepShown } from './keepShown.ts'
import { closeOverlay } from './overlays.ts'
import { onTrack, type Stage } from './stage.ts'
import { driving, type State, watching } from './state.ts'

export const driveStates: readonly State[] = [
  driving('drive-loading', { shows: 'Loading session' }, async (page, stage) => {
    const session = await stage.startSession()
    await hold(page, 'sessions.get')
    await stubLiveConnection(page)
    await page.goto(pathOf(session))
  }),
  driving('drive-no-gps', { shows: 'Online' }, async (page, stage) =>
    page.goto(pathOf(await stage.startSession())),
  ),
  driving('drive-leave', stopCar),
  driving('drive-leave-message', async (page, stage) => {
    await keepShown(page, 5000)
    await drive(page, stage, { speedKmh: 0 })
    await stage.send('SC')
    await page.getByRole('alert').getByText('SC').click()
    await tapUntilLeave(page)
  }),
  driving('drive-leave-question', { from: 'drive-leave', leave: closeOverlay }, async page => {
    await page.getByRole('button', { name: 'Leave' }).click()
    await page.getByRole('alertdialog').waitFor()
  }),
  driving('drive-offline-before-start', { from: 'drive-leave', shows: 'Offline' }, goOffline),
  driving('drive-data-link-off', { shows: 'Data link off by the rules' }, async (page, stage) => {
    const { id } = await drive(page, stage)
    await stage.people.theo.call.sessions.setDataLink({ sessionId: id, dataLink: false })
  }),
  driving('drive-ready', { shows: 'Get ready' }, (page, stage) =>
    drive(page, stage, { speedKmh: 0, query: '?checks' }),
  ),
  driving('drive-ready-link-off', { shows: 'no PROBLEM' }, async (page, stage) => {
    const { id } = await drive(page, stage, { speedKmh: 0, query: '?checks' })
    await stage.people.theo.call.sessions.setDataLink({ sessionId: id, dataLink: false })
  }),
  driving('drive-practice', { from: 'drive-ready', shows: 'Tap anywhere: Copy' }, page =>
    page.getByRole('button', { name: 'Practise' }).click(),
  ),
  driving('drive-practice-hold', { from: 'drive-practice', shows: 'Now hold anywhere' }, page =>
    page.getByText('Tap anywhere: Copy').click(),
  ),
  driving('drive-ready-voice', async (page, stage) => {
    await page.addInitScript(() => {
      // A headless browser has no voices.
      const voices = [
        { name: 'Google UK English Female', lang: 'en-GB' },
        { name: 'Thomas', lang: 'fr-FR' },
      ].map(each => ({ ...each, voiceURI: each.name, localService: true, default: false }))
      const engine = Object.assign(new EventTarget(), {
        getVoices() {
          return voices
        },
        cancel() {},
        speak(utterance: SpeechSynthesisUtterance) {
          utterance.onstart?.(new SpeechSynthesisEvent('start', { utterance }))
        },
      })
      Object.defineProperty(window, 'speechSynthesis', { value: engine })
    })
    await drive(page, stage, { speedKmh: 0, query: '?checks' })
    await page.getByRole('button', { name: 'Voice', exact: true }).click()
    await page.getByRole('combobox').waitFor()
  }),
  driving('drive-ready-red', { shows: 'Not allowed' }, async (page, stage) => {
    const session = await stage.startSession()
    await page.context().clearPermissions()
    await page.goto(`${pathOf(session)}?checks`)
    await page.getByText('things to do').or(page.getByText('thing to do')).waitFor()
  }),
  driving('drive-no-gps-denied', { shows: 'Location is' }, async (page, stage) => {
    const session = await stage.startSession()
    await page.context().clearPermissions()
    await page.goto(pathOf(session))
  }),
  ...messageTypes.flatMap(type => [
    driving(`drive-${type.toLowerCase()}`, (page, stage) => driveWith(page, stage, type)),
    driving(
      `drive-${type.toLowerCase()}-hollow`,
      { from: `drive-${type.toLowerCase()}` },
      async page => {
        // Reduced motion freezes the flash in its solid phase. This sets the dark phase.
        await page.emulateMedia({ reducedMotion: 'no-preference' })
        await page.evaluate(() => {
          document.documentElement.dataset.phase = 'b'
          return Promise.all(document.getAnimations().map(({ finished }) => finished))
        })
      },
    ),
  ]),
  driving('drive-by-plan', { shows: 'by plan' }, async (page, stage) => {
    await changeFrames(page, text => text.replace('"type":"Pit"', '"byPlan":true,$&'), null)
    await driveWith(page, stage, 'Pit')
  }),
  driving('drive-copy', { shows: 'Copy' }, async (page, stage) => {
    await keepShown(page, 2000)
    await driveWith(page, stage, 'Push')
    await page.getByRole('main').click()
  }),
  driving('drive-offline', { shows: 'Offline' }, async (page, stage) => {
    await driveWith(page, stage, 'FCY')
    await goOffline(page)
  }),
  driving('drive-laps', (page, stage) => driveLaps(page, stage, timed)),
  driving('drive-laps-slower', (page, stage) =>
    driveLaps(page, stage, { ...timed, laps: [...timed.laps.slice(0, -1), lap(9, 113.1)] }),
  ),
  driving('drive-laps-first', (page, stage) =>
    driveLaps(page, stage, { ...timed, laps: timed.laps.slice(0, 3) }),
  ),
  driving('drive-laps-fcy', (page, stage) => {
    const fcy = lap(9, 151.8, { yellow: true, yellowMessage: 'FCY' })
    return driveLaps(page, stage, { ...timed, laps: [...timed.laps.slice(0, -1), fcy] })
  }),
  driving('drive-laps-stopped', (page, stage) =>
    driveLaps(page, stage, { ...timed, stopped: 'laps-too-short' }),
  ),
  driving('drive-laps-poor', (page, stage) =>
    driveLaps(page, stage, { ...timed, gpsPoor: true }, { accuracyM: 32 }),
  ),
  driving('drive-laps-offline', { from: 'drive-laps', shows: 'Offline' }, goOffline),
  driving('drive-laps-leave', async (page, stage) => {
    await keepShown(page, 5000)
    await driveLaps(page, stage, timed, { speedKmh: 0 })
    await tapUntilLeave(page)
  }),
  driving('drive-line', { shows: 'Line moved 41' }, async (page, stage) => {
    await respondWith(page, 'circuits.setGate', {
      circuit: { id: 'zolder', version: 3 },
      movedM: 41,
    })
    await openLinePanel(page, stage)
  }),
  driving('drive-line-refused', { shows: 'Not set.' }, openLinePanel),
  driving('drive-ended', { shows: 'This session has ended.' }, async (page, stage) => {
    const session = await stage.startSession()
    await page.goto(pathOf(session))
    await page.getByText('Online').waitFor()
    await stage.people.theo.call.sessions.end({ sessionId: session.id })
  }),
  {
    ...watching('drive-not-the-driver', async (page, stage) => {
      await page.goto(pathOf(await stage.startSession()))
      await page.getByText('Only the driver of this session can do that.').waitFor()
    }),
    black: true,
  },
]

function pathOf({ teamId, id }: { teamId: string; id: string }): string {
  return `/teams/${teamId}/${id}/drive`
}

/** Taps the glass until it shows Leave and Checks: the car has to stand for 10 s. */
export async function tapUntilLeave(page: Page) {
  await expect(async () => {
    await page.getByRole('main').click({ position: { x: 150, y: 150 } })
    await page.getByRole('button', { name: 'Leave' }).waitFor({ timeout: 200 })
  }).toPass({ timeout: 30_000 })
}

/** Opens the drive screen in a stationary car. */
async function stopCar(page: Page, stage: Stage) {
  await keepShown(page, 5000)
  await drive(page, stage, { speedKmh: 0 })
  await tapUntilLeave(page)
}

/** Opens the drive screen on the track. */
export async function drive(
  page: Page,
  stage: Stage,
  { speedKmh = 187, accuracyM = 4, lapTiming = true, query = '' } = {},
) {
  await page.context().grantPermissions(['geolocation', 'screen-wake-lock'])
  const devtools = await page.context().newCDPSession(page)
  const { latitude, longitude } = onTrack
  const receive = () =>
    devtools.send('Emulation.setGeolocationOverride', {
      ...(latitude !== null && longitude !== null && { latitude, longitude }),
      accuracy: accuracyM,
      speed: speedKmh / 3.6,
    })
  await receive()
  const session = await stage.startSession()
  if (!lapTiming)
    await stage.people.theo.call.sessions.setLapTiming({ sessionId: session.id, lapTiming })
  await page.goto(`${pathOf(session)}${query}`)
  await page.getByText('Online').waitFor()
  if (query !== '') return session
  // Poor GPS is shown in place of the speed.
  const shown = accuracyM < 15 ? new RegExp(`^${speedKmh}( km/h)?$`) : /^GPS ±/
  // A page that loads slowly shows the only fix as lost already.
  await expect(async () => {
    await receive()
    await page.getByText(shown).filter({ visible: true }).first().waitFor({ timeout: 2000 })
  }).toPass()
  return session
}

const timed = exampleLaps([
  lap(0, 131, { kind: 'out' }),
  ...[118.7, 113.1, 112.8, 112.7, 112.9, 112.7, 112.4].map((s, n) => lap(n + 1, s)),
  lap(9, 112.4),
])

/** Opens the drive screen with these laps. */
async function driveLaps(
  page: Page,
  stage: Stage,
  table: LapTable,
  { speedKmh = 187, accuracyM = 4 } = {},
) {
  await respondWith(page, 'laps.list', table)
  await drive(page, stage, { speedKmh, accuracyM })
  await page.getByRole('region', { name: 'Laps' }).waitFor()
}

/** Taps where the line is. */
async function openLinePanel(page: Page, stage: Stage) {
  const { id, name, outline, startFinish: line, lengthM, direction, attribution } = zolder
  const circuit = { id, name, version: 2, outline, line, lengthM, direction, attribution }
  await respondWith(page, 'circuits.ofSession', { ...circuit, pitLane: null })
  await keepShown(page, 5000)
  await driveLaps(page, stage, timed, { speedKmh: 0 })
  await tapUntilLeave(page)
  await page.getByRole('button', { name: 'Line', exact: true }).click()
  await page.getByRole('button', { name: 'Line is here' }).click()
}

function lap(number: number, seconds: number, values: Partial<Lap> = {}): Lap {
  const startedAt = Date.UTC(2026, 4, 2, 14) + number * 120_000
  return exampleLap(number, {
    kind: 'full',
    startedAt,
    timeMs: Math.round(seconds * 1000),
    ...values,
  })
}

async function driveWith(page: Page, stage: Stage, type: MessageType) {
  await drive(page, stage)
  await stage.send(type)
  await page.getByRole('alert').getByText(type, { exact: true }).waitFor()
}
