import { expect } from '@playwright/test'
import { spaFrancorchamps } from '#contract/shared/circuits/spa-francorchamps.ts'
import { fromColumns } from '#contract/shared/positionColumns.ts'
import { waitForController, withServiceWorker } from '../app/installed.ts'
import { test } from '../fixtures.ts'
import { goOffline } from '../goOffline.ts'
import { phoneOptions, waitForPaint } from './driveScreen.ts'
import { addFixes, countFixes, fixTimes } from './unsentFixes.ts'

test.use(withServiceWorker)

const here = spaFrancorchamps.startFinish
const fix = { ...here, speedKmh: 144, accuracyM: 4 }

// rules: F7
test('fixes are queued without a network and uploaded once it is back (F7)', async ({
  phone,
  gps,
  scene,
  session,
}) => {
  await waitForController(phone)
  await gps({ ...here, speed: 40 })
  await expect(phone.getByText('144')).toBeVisible()
  await goOffline(phone)
  await expect(phone.getByText('Offline')).toBeVisible()
  const before = await countFixes(phone)
  await expect.poll(() => countFixes(phone)).toBeGreaterThanOrEqual(before + 4)
  const queued = await fixTimes(phone)

  await phone.reload()
  await expect(phone.getByText('Offline')).toBeVisible()
  expect(await fixTimes(phone)).toEqual(expect.arrayContaining(queued))
  // Their times are corrected before the upload: the page has not synchronised its clock.
  await expect.poll(() => countFixes(phone)).toBeGreaterThanOrEqual(queued.length + 3)

  await phone.context().setOffline(false)
  await expect.poll(() => countFixes(phone)).toBe(0)
  const missing = async () => {
    const stored = fromColumns(await scene.leo.call.positions.list({ sessionId: session.id }))
    // A clock that was synchronised again differs by a few milliseconds.
    return queued.filter(at => !stored.some(each => Math.abs(each.at - at) < 100))
  }
  // Not all in uploads: the connection may have delivered the first ones before it was lost.
  await expect.poll(missing).toEqual([])
})

// rules: F7
test('600 unsent fixes (ten minutes) are all uploaded, in batches (F7)', async ({
  phone,
  gps,
  scene,
  session,
}) => {
  const sent: number[] = []
  let calls = 0
  phone.on('response', response => {
    if (!response.url().endsWith('/api/sessions.storeFixes') || !response.ok()) return
    sent.push(
      ...response
        .request()
        .postDataJSON()
        .fixes.map((fix: { at: number }) => fix.at),
    )
    calls += 1
  })
  await gps({ ...here, speed: 40 })
  await expect(phone.getByText('144')).toBeVisible()
  await goOffline(phone)
  await expect.poll(() => countFixes(phone)).toBeGreaterThanOrEqual(1)
  // One fix per millisecond instead of per second, so that the test need not drive for ten minutes.
  const now = Date.now()
  const fixes = Array.from({ length: 600 }, (_, n) => ({ ...fix, at: now - n }))
  await addFixes(phone, { userId: scene.leo.id, sessionId: session.id }, fixes)
  expect(await countFixes(phone)).toBeGreaterThanOrEqual(600)

  await phone.context().setOffline(false)
  await expect.poll(() => countFixes(phone)).toBe(0)
  await expect.poll(() => fixes.filter(({ at }) => !sent.includes(at))).toEqual([])
  expect(calls).toBeGreaterThanOrEqual(2)
})

test('a phone whose clock is 10 min off reports right times and shows messages', async ({
  scene,
  open,
  driveUrl,
  messageUrl,
}) => {
  const tenMinutes = 10 * 60_000
  const phone = await open(scene.leo, phoneOptions)
  await phone.clock.install({ time: Date.now() + tenMinutes })
  await phone.goto(driveUrl)
  const pit = await open(scene.ana)
  await pit.clock.install({ time: Date.now() - tenMinutes })
  await pit.goto(messageUrl)
  await expect(pit.getByRole('img', { name: 'Driver online' })).toBeVisible()
  await pit.getByRole('button', { name: 'FUEL' }).click()
  await expect(phone.getByRole('alert')).toHaveText('Fuel')
  const receipt = pit.getByRole('region', { name: 'Current message' })
  await expect(receipt).toContainText(/Shown after \d\d?(\.\d)? s/)
  await expect(phone.getByText('Online')).toBeVisible()
})

// rules: F4 F7
test('fixes taken before the clock was ever synchronised have the right times (F4)', async ({
  phone,
  gps,
  scene,
  session,
}) => {
  await waitForController(phone)
  await goOffline(phone)
  await expect(phone.getByText('Offline')).toBeVisible()
  await phone.evaluate(() => localStorage.removeItem('pitboard.clock'))
  await phone.clock.install({ time: Date.now() + 10 * 60_000 })
  await gps({ ...here, speed: 40 })
  await phone.reload()
  await expect.poll(() => countFixes(phone)).toBeGreaterThanOrEqual(3)

  const onlineAt = Date.now()
  await phone.context().setOffline(false)
  await expect.poll(() => countFixes(phone)).toBe(0)
  const stored = async () => {
    const positions = await scene.leo.call.positions.list({ sessionId: session.id })
    return fromColumns(positions).map(({ at }) => at)
  }
  // The phone's clock is ten minutes ahead: uncorrected, no time would be before this one.
  const taken = async () => (await stored()).filter(at => at < onlineAt).length
  await expect.poll(taken).toBeGreaterThanOrEqual(3)
  const times = await stored()
  expect(times.filter(at => at < session.startedAt || at > Date.now() + 1000)).toEqual([])
})

// rules: S4
test('a message painted before the network was lost is reported after a reload (S4)', async ({
  scene,
  open,
  driveUrl,
  messageUrl,
  send,
}) => {
  const phone = await open(scene.leo, phoneOptions)
  let dropsReceipts = true
  await phone.routeWebSocket(/\/live$/, socket => {
    const server = socket.connectToServer()
    socket.onMessage(frame => {
      if (!dropsReceipts || !String(frame).includes('"receipt"')) server.send(frame)
    })
  })
  await phone.goto(driveUrl)
  await waitForController(phone)
  await expect(phone.getByText('Online')).toBeVisible()
  await send('Pit')
  await expect(phone.getByRole('alert')).toHaveText('Pit')
  await waitForPaint(phone)
  await goOffline(phone)
  await expect(phone.getByText('Offline')).toBeVisible()
  await phone.reload()
  await expect(phone.getByRole('alert')).toHaveText('Pit')

  const pit = await open(scene.ana)
  await pit.goto(messageUrl)
  const receipt = pit.getByRole('region', { name: 'Current message' })
  await expect(receipt).toContainText('Sent')
  await expect(receipt).not.toContainText('Shown after')
  dropsReceipts = false
  await phone.context().setOffline(false)
  await expect(receipt).toContainText('Shown after')
  await expect(phone.getByRole('alert')).toHaveText('Pit')
})
