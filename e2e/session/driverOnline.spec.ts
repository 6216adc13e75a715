import { expect } from '@playwright/test'
import { test } from '../fixtures.ts'
import { respondWith, stubLiveConnection } from '../mockApi.ts'

// spec: MS-12 MS-13
test('the online state of the driver is checked every 2.5 s, even without events', async ({
  scene,
  open,
  session,
  messageUrl,
}) => {
  const pit = await open(scene.ana)
  await stubLiveConnection(pit)
  const stopAt = Date.now() + 60_000
  await respondWith(pit, 'sessions.get', { ...session, lastDriverContactAt: stopAt - 1000 })
  await pit.clock.install()
  await pit.goto(messageUrl)
  const online = pit.getByRole('img', { name: 'Driver online' })
  await expect(online).toBeVisible()

  // The page's clock is paused from here on and advances only by runFor.
  await pit.clock.pauseAt(stopAt)
  await pit.clock.runFor(3999)
  await expect(online).toBeVisible()
  await pit.clock.runFor(2501)
  await expect(pit.getByRole('img', { name: 'Driver offline' })).toBeVisible()

  // The shown age is updated by each check. Slower checks would leave it unchanged once.
  const age = pit.getByText(/^Last contact \d+ s ago$/)
  for (let checks = 0; checks < 3; checks++) {
    const before = await age.innerText()
    await pit.clock.runFor(2500)
    await expect(age).not.toHaveText(before)
  }
})
