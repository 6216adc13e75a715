import { randomUUID } from 'node:crypto'
import { expect } from '@playwright/test'
import { drivenFixes, uploadFixes } from '#testing/live/drivenLaps.ts'
import { addMember } from '#testing/people/addMember.ts'
import { test } from '../fixtures.ts'

test('a replay shows the car, and the driver’s screen by what was painted', async ({
  open,
  person,
}) => {
  const [ana, leo] = [await person('Ana'), await person('Leo')]
  const { id: teamId } = await ana.call.teams.create({ name: 'Northline Racing' })
  await addMember(ana, teamId, leo)
  const session = await leo.call.sessions.start({ teamId, name: 'Friday practice 1' })
  const sessionId = session.id
  // The car has been driven for some seconds, with fixes four times a second from before the message on.
  const firstAt = session.startedAt - 4000
  const fixes = drivenFixes(0, { laps: 1 })
    .slice(20, 120)
    .map((fix, index) => ({ ...fix, at: firstAt + index * 250 }))
  const phone = (await leo.connect()).keepAlive()
  phone.send({ t: 'drive', session: sessionId })
  await phone.next('snapshot')
  // Reported before the first message.
  phone.send({ t: 'answer', id: randomUUID(), kind: 'Problem', version: 0, at: Date.now() })
  await phone.next('answer')
  const { version, sentAt } = await ana.call.messages.set({
    sessionId,
    type: 'Pit',
    commandId: randomUUID(),
  })
  await phone.next('message')
  const shownAt = (sentAt ?? 0) + 1500
  await expect.poll(() => Date.now()).toBeGreaterThan(shownAt)
  phone.send({ t: 'receipt', version, stage: 'shown', at: shownAt })
  await expect
    .poll(async () => (await ana.call.sessions.get({ sessionId })).message.shownAt)
    .toBe(shownAt)
  const stored = fixes.filter(({ at }) => at <= Date.now() + 4000)
  await uploadFixes(leo, sessionId, stored)
  await leo.call.sessions.end({ sessionId })

  const page = await open(ana)
  await page.goto(`/teams/${teamId}/${sessionId}/laps`)
  await page.getByRole('link', { name: 'Replay' }).click()
  const slider = page.getByRole('slider', { name: 'Time' })
  const glass = page.getByRole('region', { name: "Driver's screen" })
  const car = page.locator('[data-car]')
  await expect(glass).toContainText(String(fixes[0]?.speedKmh))
  await expect(car).toHaveAttribute('data-latitude', (fixes[0]?.latitude ?? 0).toFixed(6))
  await expect(glass).toContainText('No message')

  // Sent, but not painted yet.
  const problem = glass.getByText('PROBLEM', { exact: true })
  await slider.fill(String(shownAt - 100 - firstAt))
  await expect(problem).toBeVisible()
  await slider.fill(String(shownAt - firstAt))
  await expect(glass.getByText('Pit', { exact: true })).toBeVisible()
  // The ribbon of the problem stays above the order, and each has its own line.
  await expect(problem).toBeVisible()
  await expect(glass.getByText('PROBLEM.', { exact: true })).toBeVisible()
  await expect(glass.getByText(/^PIT: Shown after 1\.\d s\.$/)).toBeVisible()

  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('PageDown')
  await expect(slider).toHaveValue('0')
  await page.keyboard.press('PageUp')
  await expect(slider).not.toHaveValue('0')
  await slider.fill(String(shownAt - firstAt))
  await page.keyboard.press('ArrowLeft')
  await expect(glass.getByText('Pit', { exact: true })).toBeHidden()
  await expect(problem).toBeVisible()
  await expect(slider).toHaveAttribute('aria-valuetext', /\d\d?:\d\d:\d\d/)
  await page.keyboard.press('Home')
  await expect(slider).toHaveValue('0')
  await page.getByRole('button', { name: 'Speed of the replay, 1 times' }).click()
  await page.getByRole('button', { name: 'Play', exact: true }).press('Space')
  await expect(glass.getByText('Pit', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible()

  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export the session' }).click()
  await page.getByRole('menuitem', { name: 'GPX' }).click()
  expect((await downloading).suggestedFilename()).toMatch(/^Friday-practice-1-.*-track\.gpx$/)

  await leo.call.sessions.deletePositions({ sessionId })
  await expect(page.getByRole('heading', { name: 'No positions' })).toBeVisible()
})

test('an open replay of a driven session shows a problem that is reported', async ({
  open,
  person,
}) => {
  const [ana, leo] = [await person('Ana'), await person('Leo')]
  const { id: teamId } = await ana.call.teams.create({ name: 'Northline Racing' })
  await addMember(ana, teamId, leo)
  const { id: sessionId, startedAt } = await leo.call.sessions.start({
    teamId,
    name: 'Friday practice 1',
  })
  const phone = (await leo.connect()).keepAlive()
  phone.send({ t: 'drive', session: sessionId })
  await phone.next('snapshot')
  const fixes = drivenFixes(0, { laps: 1 }).slice(20, 40)
  await uploadFixes(
    leo,
    sessionId,
    fixes.map((fix, index) => ({ ...fix, at: startedAt - 5000 + index * 250 })),
  )
  const page = await open(ana)
  await page.goto(`/teams/${teamId}/${sessionId}/laps/replay`)
  const glass = page.getByRole('region', { name: "Driver's screen" })
  await expect(glass).toContainText('No message')
  phone.send({ t: 'answer', id: randomUUID(), kind: 'Problem', version: 0, at: startedAt - 5000 })
  await phone.next('answer')
  await expect(glass).toContainText('PROBLEM', { timeout: 20_000 })
})
