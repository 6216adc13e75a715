import { expect } from '@playwright/test'
import { patience } from '#testing/patience.ts'
import { test } from '../fixtures.ts'
import { goOffline } from '../goOffline.ts'
import { boardOf, openWithClock, pauseClock } from './driveScreen.ts'

// spec: MS-23
test('a message that the phone missed is shown when it is back', async ({
  phone,
  open,
  scene,
  messageUrl,
}) => {
  const pit = await open(scene.ana)
  await pit.goto(messageUrl)
  await expect(pit.getByRole('img', { name: 'Driver online' })).toBeVisible()
  await goOffline(phone)
  await expect(phone.getByText('Offline')).toBeVisible()
  await pit.getByRole('button', { name: 'PIT', exact: true }).click()
  await expect(boardOf(pit)).toContainText('Sent')
  await phone.context().setOffline(false)
  await expect(phone.getByRole('alert')).toHaveText('Pit')
  await expect(boardOf(pit)).toContainText('Shown after')
})

// rules: M6
test('an expired message is not delivered, never shown, and can be sent again (M6)', async ({
  scene,
  open,
  session,
  phone,
  messageUrl,
}) => {
  await scene.ana.call.sessions.setExpiry({ sessionId: session.id, expireAfterS: 10 })
  const pit = await open(scene.ana)
  await pit.goto(messageUrl)
  await expect(pit.getByRole('img', { name: 'Driver online' })).toBeVisible()
  await goOffline(phone)
  await expect(phone.getByText('Offline')).toBeVisible()
  await pit.getByRole('button', { name: 'PUSH' }).click()
  await expect(boardOf(pit)).toContainText('Sent')
  await expect(boardOf(pit)).toContainText('Not delivered', { timeout: 15_000 * patience })

  await phone.context().setOffline(false)
  await expect(phone.getByText('Online')).toBeVisible()
  await expect(phone.getByRole('main')).toHaveAttribute('data-version', '1')
  await expect(phone.getByRole('alert')).toBeEmpty()
  await expect(boardOf(pit)).toContainText('Not delivered')

  await boardOf(pit).getByRole('button', { name: 'Send again' }).click()
  await expect(phone.getByRole('alert')).toHaveText('Push')
  await expect(boardOf(pit)).toContainText('Shown after')
})

test('flags do not expire and are shown even if late (M6)', async ({
  scene,
  session,
  phone,
  send,
}) => {
  await scene.ana.call.sessions.setExpiry({ sessionId: session.id, expireAfterS: 10 })
  await goOffline(phone)
  await expect(phone.getByText('Offline')).toBeVisible()
  await send('Pit')
  await send('SC')
  await phone.context().setOffline(false)
  await expect(phone.getByRole('alert')).toHaveText('SC')
})

test('a message withheld after the clock was set is announced once, when shown (M6)', async ({
  scene,
  open,
  session,
  driveUrl,
  send,
}) => {
  await scene.ana.call.sessions.setExpiry({ sessionId: session.id, expireAfterS: 120 })
  const phone = await openWithClock(open, scene.leo, driveUrl)
  const root = phone.locator('html')
  await phone.evaluate(() => {
    navigator.vibrate = pattern => {
      const { dataset } = document.documentElement
      dataset.shakes = [dataset.shakes, JSON.stringify(pattern)].filter(Boolean).join(' ')
      return true
    }
  })
  // Without timers no heartbeat synchronises the clock again.
  await pauseClock(phone)
  await phone.evaluate(() => {
    const now = Date.now
    Date.now = () => now() + 5000
  })
  await send('Push')
  await expect(phone.getByRole('main')).toHaveAttribute('data-version', '1')
  await expect(phone.getByRole('alert')).toBeEmpty()
  await phone.clock.resume()
  await expect(phone.getByRole('alert')).toHaveText('Push')
  await expect(root).toHaveAttribute('data-shakes', '[200,100,200]')
})
