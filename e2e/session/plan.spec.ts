import { randomUUID } from 'node:crypto'
import { expect } from '@playwright/test'
import { createTeam } from '#testing/people/createTeam.ts'
import { test } from '../fixtures.ts'

test('a member enters a race, moves a stint by keyboard, and sees that it is too long', async ({
  open,
  person,
}) => {
  const [ana, leo] = [await person('Ana'), await person('Leo')]
  const { id: teamId } = await createTeam(ana, [leo])
  for (const name of ['Ana Winter', 'Leo Sommer'])
    await ana.call.roster.saveDriver({ teamId, driver: { id: randomUUID(), name, userId: null } })
  const session = await leo.call.sessions.start({ teamId, name: 'Zolder' })

  const page = await open(ana)
  await page.goto(`/teams/${teamId}/${session.id}/laps`)
  await page.getByRole('link', { name: 'Plan' }).click()
  await expect(page.getByRole('heading', { name: 'No plan yet' })).toBeVisible()
  await page.getByLabel('Race', { exact: true }).fill('Zolder 4 hours')
  await page.getByLabel('Race length').fill('4:00')
  await page.getByLabel('Longest stint').fill('70')
  await page.getByLabel('Minimum stop').fill('3:00')
  await page.getByRole('button', { name: 'Make a plan' }).click()

  const ends = page.getByRole('slider', { name: /^End of the stint/ })
  await expect(ends).toHaveCount(3)
  await ends.first().focus()
  await expect(ends.first()).toHaveAttribute('aria-valuetext', '58 min')
  for (let minute = 0; minute < 14; minute++) await page.keyboard.press('ArrowRight')
  await expect(ends.first()).toHaveAttribute('aria-valuetext', '72 min')
  await expect(page.getByText('2 min over the limit')).toBeVisible()

  await expect
    .poll(async () => (await ana.call.stints.ofSession({ sessionId: session.id })).plan?.stints)
    .toEqual([{ number: 1, driverId: null, lengthMs: 72 * 60_000 }])
  await page.getByRole('button', { name: 'Lay out again' }).click()
  await expect(page.getByText(/min over the limit/)).toHaveCount(0)
})
