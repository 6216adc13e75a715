import { randomUUID } from 'node:crypto'
import { expect } from '@playwright/test'
import type { LoggedMessage } from '#contract/messages.ts'
import { pages } from '#contract/shared/storedBounds.ts'
import { routeCall } from '../callRoutes.ts'
import { test } from '../fixtures.ts'

test("the team's page links to the log of an ended session, and back", async ({ open, person }) => {
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
  await expect(log.getByRole('listitem')).toContainText(/PUSH.*by Ana Lindqvist/)
  await page.getByRole('link', { name: 'Team', exact: true }).click()
  await expect(page).toHaveURL(`/teams/${teamId}`)
})

test('a long log shows its newest messages and loads earlier ones on request', async ({
  open,
  person,
}) => {
  const ana = await person('Ana')
  const { id: teamId } = await ana.call.teams.create({ name: 'Northline Racing' })
  const { id: sessionId } = await ana.call.sessions.start({ teamId, name: 'Friday practice 1' })
  const count = pages.messages + 20
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
  let lastName = 'Lindqvist'
  const log = Array.from({ length: count }, (_, index) => ({ ...line, version: count - index }))
  const page = await open(ana)
  await routeCall(page, 'messages.log', route => {
    const before = route.url.searchParams.get('before')
    const from = before === null ? log : log.filter(({ version }) => version < Number(before))
    const sentBy = { id: ana.id, firstName: 'Ana', lastName, email: ana.email }
    const json = from.slice(0, pages.messages).map(each => ({ ...each, sentBy }))
    return route.fulfill({ json })
  })
  await page.goto(`/teams/${teamId}/${sessionId}/log`)
  const lines = page.getByRole('region', { name: 'Messages' }).getByRole('listitem')
  await expect(lines).toHaveCount(pages.messages)
  const earlier = page.getByRole('button', { name: 'Show earlier messages' })
  await earlier.click()
  await expect(lines).toHaveCount(count)
  await expect(earlier).toHaveCount(0)

  await expect(lines.last()).toContainText('Lindqvist')
  lastName = 'Winter'
  await ana.call.users.rename({ firstName: 'Ana', lastName })
  await expect(lines.last()).toContainText('Winter')
  await expect(lines.first()).toContainText('Winter')
})

test("the log lists a session's messages live, with a download and the expiry setting", async ({
  scene,
  open,
  phone,
  session,
  messageUrl,
}) => {
  const pit = await open(scene.ana)
  await pit.goto(messageUrl)
  await pit.getByRole('link', { name: 'Log', exact: true }).click()
  await expect(pit.getByRole('heading', { level: 1, name: 'Message log' })).toBeFocused()
  await expect(pit.getByText('No messages have been sent yet.')).toBeVisible()
  // A press that was queued on its page.
  const press = { type: 'Fuel' as const, pressedAt: Date.now() - 2000, commandId: randomUUID() }
  await scene.ana.call.messages.set({ sessionId: session.id, ...press })
  const row = pit.getByRole('listitem').filter({ hasText: 'FUEL' })
  await expect(row).toContainText('by Ana Lindqvist')
  await expect(row).toContainText(/Shown after \d+(\.\d)? s/)
  await row.getByText('FUEL').click()
  await expect(row).toContainText(/Pressed\d+:\d\d:\d\d\.\dSent\+\d.*On the phone\+/)
  const [, took = 'no time'] = /Shown after ([\d.]+ s)/.exec(await row.innerText()) ?? []
  await expect(row).toContainText(`On the glass+${took}`)
  await expect(
    pit.getByText(/half within \d+\.\d s, 95 % within \d+\.\d s \(1 shown\)/),
  ).toBeVisible()
  await phone.getByRole('main').tap()
  await expect(row).toContainText('Copied after')

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
