import { expect } from '@playwright/test'
import { practiceMs } from '#contract/shared/practice.ts'
import { createTeam } from '#testing/people/createTeam.ts'
import { test } from '../fixtures.ts'

test('a crew tries the wall with a practice car, which ends by itself', async ({
  open,
  person,
}) => {
  const ana = await person('Ana', 'Lindqvist')
  const leo = await person('Leo', 'Garnier')
  const { id: teamId } = await createTeam(ana, [leo])
  const page = await open(ana, { viewport: { width: 1440, height: 900 } })
  await page.clock.install()
  await page.goto(`/teams/${teamId}`)
  await expect(page.getByRole('button', { name: 'Practice car' })).toHaveCount(1)
  await page
    .getByRole('region', { name: 'Message' })
    .getByRole('button', { name: 'Practice car' })
    .click()
  const lane = page.getByRole('article', { name: 'Practice car' })
  await expect(lane).toContainText('PRACTICE')
  await expect(lane).toContainText('Online')
  await expect(page.getByText(/, \d+ cars?$/)).toHaveCount(0)
  const dot = page.locator('[data-car]:not([data-elsewhere])')
  await expect(dot).toBeVisible()
  // Another member sees the same car.
  const watcher = await open(leo, { viewport: { width: 390, height: 844 } })
  await watcher.goto(`/teams/${teamId}`)
  await watcher.getByRole('link', { name: /PRACTICE/ }).click()
  await expect(watcher.getByRole('heading', { name: /PRACTICE/ })).toBeVisible()

  await page.keyboard.press('9')
  await expect(lane).toHaveAttribute('aria-current', 'true')
  await page.keyboard.press('p')
  await expect(lane).toContainText('PIT')
  await expect(lane).toContainText(/Copied after 3/)
  await page.keyboard.press('Shift+G')
  await expect(lane).toContainText('YES')
  // It goes on after a reload, where it would be by now.
  await page.reload()
  await expect(lane).toContainText('Online')
  await page.keyboard.press('9')
  await page.keyboard.press('u')
  await expect(lane).toContainText('PUSH')
  await expect(lane).toContainText(/Copied after 3/)

  await page.clock.fastForward(practiceMs)
  await expect(page.getByRole('heading', { name: 'No car is driving.' })).toBeVisible()
  await expect(watcher.getByRole('status')).toHaveText('This session has ended.')
  await expect(page.getByRole('button', { name: 'Practice car' })).toBeVisible()
})

test('a real car keeps its digit and orders to all do not reach the practice car', async ({
  open,
  person,
}) => {
  const [ana, leo] = [await person('Ana', 'Lindqvist'), await person('Leo', 'Garnier')]
  const { id: teamId } = await createTeam(ana, [leo])
  const page = await open(ana, { viewport: { width: 1440, height: 900 } })
  await page.goto(`/teams/${teamId}/wall`)
  await page.getByRole('button', { name: 'Practice car' }).click()
  const practice = page.getByRole('article', { name: 'Practice car' })
  await expect(practice.locator('kbd').first()).toHaveText('9')
  for (const { call } of [ana, leo]) {
    await call.sessions.start({ teamId, name: 'Six hours' })
    await expect(page.getByRole('article')).toHaveCount(call === ana.call ? 2 : 3)
  }
  const real = page.getByRole('article', { name: /Lindqvist|Garnier/ })
  await expect(real).toHaveCount(2)
  await expect(page.getByRole('article').last()).toHaveAccessibleName('Practice car')
  await expect(real.locator('kbd')).toHaveText(['1', '2'])
  await page.keyboard.press('0')
  await page.keyboard.press('y')
  await expect(real.first()).toContainText('FCY')
  await expect(real.last()).toContainText('FCY')
  await expect(practice).toContainText('No message')
})
