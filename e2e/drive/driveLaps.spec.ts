import { expect, type Page } from '@playwright/test'
import type { LapTable } from '#contract/laps.ts'
import { zolder } from '#contract/shared/circuits/zolder.ts'
import { kmhPerMps } from '#contract/shared/fix.ts'
import { driveAround, durationMs, sampleAt } from '#testing/drives.ts'
import { patience } from '#testing/patience.ts'
import { waitForController, withServiceWorker } from '../app/installed.ts'
import { test } from '../fixtures.ts'
import { goOffline } from '../goOffline.ts'
import { wordOn } from './driveScreen.ts'
import { addFixes } from './unsentFixes.ts'

test.use(withServiceWorker)

const lap = driveAround(zolder)
const lapMs = durationMs(lap)

/** Time until the car crosses the line: for a reload and the first readings. */
const untilLineMs = 12_000

test('a lap is shown offline, survives a reload, is corrected, and yields to messages', async ({
  phone,
  gps,
  scene,
  session,
  send,
}) => {
  const board = phone.getByRole('region', { name: 'Laps' })
  await waitForController(phone)
  await goOffline(phone)
  await expect(phone.getByText('Offline')).toBeVisible()

  // The car has driven four laps, and the phone could not send them.
  const startMs = Date.now() + untilLineMs - 4 * lapMs
  const fixes = Array.from({ length: Math.floor((Date.now() - startMs) / 1000) }, (_, second) => {
    const { latitude, longitude, speedMps } = sampleAt(lap, second * 1000)
    const speedKmh = Math.round(speedMps * kmhPerMps)
    return { at: Math.round(startMs + second * 1000), latitude, longitude, speedKmh, accuracyM: 4 }
  })
  await addFixes(phone, { userId: scene.leo.id, sessionId: session.id }, fixes)
  const driving = setInterval(() => {
    const { latitude, longitude, speedMps } = sampleAt(lap, Date.now() - startMs)
    void gps({ latitude, longitude, speed: speedMps })
  }, 1000)
  try {
    await phone.reload()
    await expect(board).toContainText('Lap 2')
    await expect(board).toContainText('Lap 3', { timeout: 30_000 * patience })
    await expect(phone.getByText('Offline')).toBeVisible()
  } finally {
    clearInterval(driving)
  }
  await phone.reload()
  await expect(board).toContainText('Lap 3')
  await expect(board).toContainText('1:3')

  await correctLastLap(phone, startMs)
  await phone.context().setOffline(false)
  await expect(board).toContainText('1:41.2')
  await send('Pit')
  await expect(wordOn(phone)).toHaveText('Pit')
  await expect(board).toBeHidden()
  await send(null)
  await expect(board).toContainText('1:41.2')

  await scene.ana.call.sessions.setLapTiming({ sessionId: session.id, lapTiming: false })
  await expect(board).toBeHidden()
  await expect.poll(() => phone.evaluate(() => localStorage.getItem('pitboard.laps'))).toBeNull()
})

test('a phone without a network learns an unknown circuit and times its laps', async ({
  phone,
  scene,
  session,
}) => {
  const board = phone.getByRole('region', { name: 'Laps' })
  await waitForController(phone)
  await goOffline(phone)
  await expect(phone.getByText('Offline')).toBeVisible()

  // Far from every circuit of the app.
  const startMs = Date.now() - 4.5 * lapMs
  const fixes = Array.from({ length: Math.floor((4.5 * lapMs) / 1000) }, (_, second) => {
    const { latitude, longitude, speedMps } = sampleAt(lap, second * 1000)
    return {
      at: Math.round(startMs + second * 1000),
      latitude: latitude - 1,
      longitude,
      speedKmh: Math.round(speedMps * kmhPerMps),
      accuracyM: 4,
    }
  })
  await addFixes(phone, { userId: scene.leo.id, sessionId: session.id }, fixes)
  await phone.reload()
  await expect(phone.getByText('Offline')).toBeVisible()
  await expect(board).toContainText(/Lap [34]/)
  await expect(board).toContainText('1:3')
})

/** Lets the server compute another time for lap 3. */
function correctLastLap(phone: Page, startMs: number) {
  const laps = [0, 1, 2, 3].map(number => ({
    number,
    startedAt: Math.round(startMs + number * lapMs),
    timeMs: number === 3 ? 101_200 : Math.round(lapMs),
    plusMinusMs: 200,
    kind: number === 0 ? ('out' as const) : ('full' as const),
    isSeen: true,
    yellow: false,
    yellowMessage: null,
    marked: false,
  }))
  const table: LapTable = { lapTiming: true, circuit: null, gpsPoor: false, laps, pending: false }
  return phone.route('**/api/laps.list*', route => route.fulfill({ json: table }))
}
