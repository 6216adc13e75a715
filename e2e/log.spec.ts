import { randomUUID } from 'node:crypto'
import { expect } from '@playwright/test'
import type { LoggedMessage } from '#contract/messages.ts'
import { mostLogged } from '#contract/messageTypes.ts'
import { answer } from './answers.ts'
import { test } from './crew.ts'

test("after the race the team's page leads to the log, and the log back to the team", async ({
  open,
  person,
}) => {
  const ana = await person('Ana', 'Lindqvist')
  const { id: teamId } = await ana.call.teams.create({ name: 'Northline Racing' })
  const page = await open(ana)
  await page.goto(`/teams/${teamId}`)
  await expect(page.getByText('No Active Sessions')).toBeVisible()
  const last = page.getByRole('region', { name: 'Last sessions' })
  await expect(last).toHaveCount(0)

  const { id: sessionId } = await ana.call.sessions.start({ teamId, name: 'Friday practice 1' })
  await ana.call.messages.set({ sessionId, type: 'Push', commandId: randomUUID() })
  await expect(page.getByRole('region', { name: 'Message' })).toContainText('Friday practice 1')
  await expect(last).toHaveCount(0)
  await ana.call.sessions.end({ sessionId })
  const row = last.getByRole('link', { name: /Friday practice 1/ })
  await expect(row).toContainText('Ana Lindqvist')
  await row.click()

  await expect(page).toHaveURL(`/teams/${teamId}/${sessionId}/log`)
  const log = page.getByRole('region', { name: 'Messages' })
  await expect(log).toContainText('Friday practice 1')
  await expect(log.getByRole('listitem')).toContainText('PUSH by Ana Lindqvist')
  await page.getByRole('link', { name: 'Team', exact: true }).click()
  await expect(page).toHaveURL(`/teams/${teamId}`)
})

test('a log that is longer than what is shown says so', async ({ open, person }) => {
  const ana = await person('Ana')
  const { id: teamId } = await ana.call.teams.create({ name: 'Northline Racing' })
  const { id: sessionId } = await ana.call.sessions.start({ teamId, name: 'Friday practice 1' })
  const line: LoggedMessage = {
    version: 1,
    type: 'Go',
    pressedAt: 1,
    sentAt: 1,
    reachedAt: null,
    shownAt: null,
    copiedAt: null,
    expiresAt: null,
    sentBy: null,
  }
  const log = Array.from({ length: mostLogged }, (_, index) => ({ ...line, version: index + 1 }))
  const page = await open(ana)
  await answer(page, 'messages.log', log.slice(1))
  await page.goto(`/teams/${teamId}/${sessionId}/log`)
  const hint = page.getByText('These are the newest 2,000 messages. The file has all of them.')
  await expect(page.getByRole('listitem')).toHaveCount(mostLogged - 1)
  await expect(hint).toHaveCount(0)
  await answer(page, 'messages.log', log)
  await page.reload()
  await expect(hint).toBeVisible()
})
