import { expect, type Locator, type Page } from '@playwright/test'
import { spaFrancorchamps } from '#contract/shared/circuits/spa-francorchamps.ts'
import { test } from '../fixtures.ts'
import { goOffline } from '../goOffline.ts'
import {
  boxOf,
  landscape,
  pauseClock,
  phoneOptions,
  portrait,
  showLeave,
  waitForPaint,
  wordOn,
} from './driveScreen.ts'

const here = spaFrancorchamps.startFinish

// spec: DR-33
test('a stationary driver can leave; the session stays active', async ({
  scene,
  open,
  driveUrl,
  session,
  send,
  subscriber,
}) => {
  const phone = await open(scene.leo, phoneOptions)
  await phone.clock.install()
  const receiver = await phone.context().newCDPSession(phone)
  const setSpeed = (speed: number) =>
    receiver.send('Emulation.setGeolocationOverride', { ...here, accuracy: 4, speed })
  await setSpeed(20)
  await phone.goto(driveUrl)
  const leave = phone.getByRole('button', { name: 'Leave' })
  await expect(phone.getByText(/^72\s*km\/h$/)).toBeVisible()
  // The part of the screen that sends it also counts the standstill, and loads after the speed.
  await subscriber.next('fix')
  await pauseClock(phone)
  await phone.clock.runFor(9500)
  await tapGlass(phone)
  await expect(leave).toBeHidden()

  await setSpeed(1)
  await expect(phone.getByText(/^4\s*km\/h$/)).toBeVisible()
  await phone.clock.runFor(9900)
  await tapGlass(phone)
  await expect(leave).toBeHidden()
  await phone.clock.runFor(200)
  await expect(phone.getByRole('button')).toHaveCount(0)
  await showLeave(phone)
  await expect(phone.getByRole('button', { name: 'Checks' })).toBeVisible()
  await phone.clock.runFor(5100)
  await expect(leave).toBeHidden()
  const box = await boxOf(await showLeave(phone))
  expect(box.height).toBeGreaterThanOrEqual(48)
  expect(Math.max(box.x, box.y)).toBeLessThan(24)

  await test.step('a message hides the button and its dialog', async () => {
    await phone.clock.resume()
    await (await showLeave(phone)).tap()
    await expect(phone.getByRole('alertdialog')).toContainText('Stop driving?')
    await expect(phone.getByRole('alertdialog')).toContainText('Your team will see you as offline.')
    await send('Pit')
    await expect(wordOn(phone)).toHaveText('Pit')
    await expect(phone.getByRole('alertdialog')).toBeHidden()
    await expect(leave).toBeHidden()
  })

  await test.step('a read message does not keep the driver in the car', async () => {
    await waitForPaint(phone)
    // If the machine pauses for half a second, the tap is a long touch, which does nothing.
    await expect(async () => {
      await tapGlass(phone)
      await expect(phone.getByText('Copy')).toBeVisible({ timeout: 1000 })
    }).toPass()
    await (await showLeave(phone)).tap()
    await expect(phone.getByRole('alertdialog')).toContainText('Stop driving?')
    await phone.getByRole('button', { name: 'Keep driving' }).tap()
    await expect(phone.getByRole('button', { name: 'Checks' })).toHaveCount(0)
    await send(null)
    await expect(wordOn(phone)).toHaveCount(0)
  })

  await (await showLeave(phone)).tap()
  await phone.getByRole('button', { name: 'Keep driving' }).tap()
  await expect(phone.getByRole('alertdialog')).toBeHidden()
  await (await showLeave(phone)).tap()
  await phone.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).tap()
  await expect(phone).toHaveURL(`/teams/${session.teamId}`)
  await expect(phone.getByRole('link', { name: /Enter your existing Race Session/ })).toBeVisible()
  const { status } = await scene.ana.call.sessions.get({ sessionId: session.id })
  expect(status).toBe('Active')
})

// spec: DR-33
test('a driver without GPS can leave', async ({ scene, open, driveUrl, session }) => {
  const phone = await open(scene.leo, { ...phoneOptions, permissions: [] })
  await phone.goto(driveUrl)
  await expect(phone.getByText('No GPS')).toBeVisible()
  await (await showLeave(phone)).tap()
  await phone.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).tap()
  await expect(phone).toHaveURL(`/teams/${session.teamId}`)
})

for (const size of [portrait, landscape]) {
  test(`buttons do not overlap "Offline" at ${size.width} px`, async ({ phone }) => {
    await phone.setViewportSize(size)
    await goOffline(phone)
    const offline = phone.getByText('Offline')
    await expect(offline).toBeVisible()
    const leave = await showLeave(phone)
    const checks = phone.getByRole('button', { name: 'Checks' }).locator('span')
    expect(await overlap(offline, checks)).toBe(false)
    expect(await overlap(leave, phone.getByText('No GPS'))).toBe(false)
  })
}

async function tapGlass(phone: Page) {
  await phone.getByRole('main').click({ position: { x: 195, y: 195 } })
}

/** Whether two elements overlap. */
async function overlap(one: Locator, other: Locator): Promise<boolean> {
  const [a, b] = [await boxOf(one), await boxOf(other)]
  const nextTo = a.x + a.width <= b.x || b.x + b.width <= a.x
  const apart = nextTo || a.y + a.height <= b.y || b.y + b.height <= a.y
  return !apart
}
