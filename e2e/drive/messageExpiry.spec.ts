import { expect } from '@playwright/test'
import { spaFrancorchamps } from '#contract/circuits/spa-francorchamps.ts'
import { patience } from '#testing/patience.ts'
import { goOffline } from '../goOffline.ts'
import { boardOf, phoneOptions, setHidden, test } from './driveFixture.ts'

const here = spaFrancorchamps.startFinish

// rules: M6
// spec: MS-23
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
  await expect(boardOf(pit)).toContainText("On driver's screen")
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

// rules: P1
test('the team sees why the car is offline or has no position, and for how long (P1)', async ({
  scene,
  open,
  driveUrl,
  messageUrl,
  phone,
  gps,
}) => {
  const pit = await open(scene.ana)
  await pit.goto(messageUrl)
  await gps({ ...here, speed: 30 })
  await expect(boardOf(pit)).toContainText('108')
  await expect(boardOf(pit)).not.toContainText('No GPS')

  await gps({ ...here, accuracy: 900 })
  await expect(boardOf(pit)).toContainText(/GPS worse than 300 m \d+ s/)
  await setHidden(phone, true)
  await expect(boardOf(pit)).toContainText(/Screen off or another app \d+ s/)
  await setHidden(phone, false)
  await expect(boardOf(pit)).not.toContainText('Screen off')

  await phone.goto('/teams')
  await expect(boardOf(pit)).toContainText(
    /Driver left the drive screen \d+ s\. Last contact \d+ s ago/,
  )
  await phone.close()

  const denied = await open(scene.leo, { ...phoneOptions, permissions: [] })
  await denied.goto(driveUrl)
  await expect(boardOf(pit)).toContainText(/Location not allowed \d+ s/)
})

test("the log lists a session's messages live, with a download and the expiry setting", async ({
  scene,
  open,
  phone,
  send,
  messageUrl,
}) => {
  const pit = await open(scene.ana)
  await pit.goto(messageUrl)
  await pit.getByRole('link', { name: 'Message log' }).click()
  await expect(pit.getByRole('heading', { level: 1, name: 'Message log' })).toBeFocused()
  await expect(pit.getByText('No messages have been sent yet.')).toBeVisible()
  await send('Fuel')
  const row = pit.getByRole('listitem').filter({ hasText: 'FUEL' })
  await expect(row).toContainText('by Ana Lindqvist')
  await expect(row).toContainText(/Sent .* · On phone .* · On screen /)
  await expect(pit.getByText(/median \d+\.\d s, 95 % within \d+\.\d s \(1 shown\)/)).toBeVisible()
  await phone.getByRole('main').tap()
  await expect(row).toContainText('Acknowledged')

  const download = pit.waitForEvent('download')
  await pit.getByRole('link', { name: 'Download as CSV' }).click()
  expect((await download).suggestedFilename()).toBe('messages.csv')
  // A reload would abort the request.
  const saved = pit.waitForResponse('**/api/sessions.setExpiry')
  await pit.getByLabel('Messages expire after').selectOption('30')
  expect((await saved).ok()).toBe(true)
  await pit.reload()
  await expect(pit.getByLabel('Messages expire after')).toHaveValue('30')
})
