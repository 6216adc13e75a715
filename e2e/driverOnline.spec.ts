import { expect } from '@playwright/test'
import { test } from './driveFixture.ts'
import { answer, stubLiveConnection } from './mockApi.ts'

// spec: MS-12 MS-13
test('whether the driver is there is looked at every 2.5 s, also when nothing comes in', async ({
  scene,
  open,
  session,
  messageUrl,
}) => {
  const pit = await open(scene.ana)
  await stubLiveConnection(pit)
  const stopAt = Date.now() + 60_000
  await answer(pit, 'sessions.get', { ...session, lastDriverContactAt: stopAt - 1000 })
  await pit.clock.install()
  await pit.goto(messageUrl)
  const online = pit.getByRole('img', { name: 'Driver online' })
  await expect(online).toBeVisible()

  // From here on the page's time stands still, but for what is added.
  await pit.clock.pauseAt(stopAt)
  await pit.clock.runFor(3999)
  await expect(online).toBeVisible()
  await pit.clock.runFor(2501)
  await expect(pit.getByRole('img', { name: 'Driver offline' })).toBeVisible()

  // The age is as old as the last look. Slower looks would leave one of these as it was.
  const age = pit.getByText(/^Last contact \d+ s ago$/)
  for (let looks = 0; looks < 3; looks++) {
    const before = await age.innerText()
    await pit.clock.runFor(2500)
    await expect(age).not.toHaveText(before)
  }
})
