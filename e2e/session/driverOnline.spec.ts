import { expect } from '@playwright/test'
import { fix } from '#testing/live/liveScene.ts'
import { test } from '../fixtures.ts'

// spec: MS-12 MS-13
test('the online state of the driver is checked again without events', async ({
  scene,
  open,
  session,
  messageUrl,
}) => {
  const pit = await open(scene.ana)
  await pit.goto(messageUrl)
  const car = await (await scene.leo.connect()).keepAlive().drive(session.id)
  car.send(fix())
  await expect(pit.getByRole('img', { name: 'Driver online' })).toBeVisible()

  // The phone sends nothing from here on.
  const offline = pit.getByRole('img', { name: 'Driver offline' })
  await expect(offline).toBeVisible({ timeout: 20_000 })
  const age = pit.getByText(/^Last contact \d+ s ago$/)
  for (let checks = 0; checks < 3; checks++) {
    const before = await age.innerText()
    await expect(age).not.toHaveText(before)
  }
})
