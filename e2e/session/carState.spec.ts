import { expect } from '@playwright/test'
import { spaFrancorchamps } from '#contract/shared/circuits/spa-francorchamps.ts'
import { boardOf, phoneOptions, setHidden } from '../drive/driveScreen.ts'
import { becomePhone } from '../fakePhone.ts'
import { test } from '../fixtures.ts'

const here = spaFrancorchamps.startFinish

// rules: P1
test('the team sees that the car lost GPS, and for how long, until it is back (P1)', async ({
  scene,
  open,
  messageUrl,
  gps,
}) => {
  const pit = await open(scene.ana)
  await pit.goto(messageUrl)
  await gps({ ...here, speed: 30 })
  await expect(boardOf(pit)).toContainText('108')
  await expect(boardOf(pit)).not.toContainText('No GPS')
  await gps(null)
  await expect(boardOf(pit)).toContainText(/No GPS \d+ s/)
  await gps({ ...here, speed: 30 })
  await expect(boardOf(pit)).not.toContainText('No GPS')
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

// rules: P1
test("the team sees that the phone's battery is low, until it is charging (P1)", async ({
  scene,
  open,
  driveUrl,
  messageUrl,
}) => {
  const pit = await open(scene.ana)
  await pit.goto(messageUrl)
  const phone = await open(scene.leo, phoneOptions)
  const { latitude, longitude } = here
  await phone.context().setGeolocation({ latitude, longitude, accuracy: 4 })
  await phone.addInitScript(() => {
    const battery = Object.assign(new EventTarget(), { level: 0.3, charging: false })
    Object.assign(navigator, { getBattery: async () => battery })
    addEventListener('battery', event => {
      Object.assign(battery, (event as CustomEvent<object>).detail)
      battery.dispatchEvent(new Event('levelchange'))
    })
  })
  const setBattery = (state: { level: number; charging: boolean }) =>
    phone.evaluate(detail => dispatchEvent(new CustomEvent('battery', { detail })), state)
  await phone.goto(driveUrl)
  await expect(pit.getByRole('img', { name: 'Driver online' })).toBeVisible()
  await expect(boardOf(pit)).not.toContainText('Phone battery')
  await setBattery({ level: 0.15, charging: false })
  await expect(boardOf(pit)).toContainText('Phone battery 15%')
  await setBattery({ level: 0.15, charging: true })
  await expect(boardOf(pit)).not.toContainText('Phone battery')
})

test('FCY and SC are labelled as sent by the team, not by race control', async ({
  scene,
  open,
  messageUrl,
}) => {
  const pit = await open(scene.ana)
  await pit.goto(messageUrl)
  for (const name of ['FCY', 'SC']) {
    const plate = pit.getByRole('button', { name, exact: true })
    await expect(plate).toHaveAccessibleDescription('From your team, not from race control')
    const seen = await plate.evaluate(element => getComputedStyle(element, '::after').content)
    expect(seen).toContain('"team info"')
  }
  await expect(pit.getByRole('button', { name: 'PIT' })).toHaveAccessibleDescription('')
})

// rules: P1
test('the team sees on message screen and wall what is to repair on the phone (P1)', async ({
  scene,
  open,
  driveUrl,
  messageUrl,
}) => {
  const pit = await open(scene.ana)
  await pit.goto(messageUrl)
  const wall = await open(scene.kim)
  await wall.goto(`/teams/${scene.team.id}/wall`)
  const phone = await open(scene.leo, phoneOptions)
  await becomePhone(phone, { position: { accuracyM: 2000 } })
  await phone.goto(driveUrl)
  await expect(boardOf(pit)).toContainText('Phone gives an approximate location')
  await expect(wall.getByRole('article')).toContainText('approximate location')
  // More has what the driver has to do.
  for (const page of [pit, wall]) {
    await page.getByRole('button', { name: 'More', exact: true }).click()
    const sheet = page.getByRole('dialog')
    await expect(sheet).toContainText('Say to Leo: Tap the icon left of the address')
    await page.keyboard.press('Escape')
  }

  await phone.close()
  const full = await open(scene.leo, phoneOptions)
  await becomePhone(full, { storage: { freeBytes: 0 } })
  await full.goto(driveUrl)
  await expect(boardOf(pit)).toContainText("Phone's storage is full")
  await expect(wall.getByRole('article')).toContainText('storage full')
})
