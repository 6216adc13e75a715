import { expect, type Page } from '@playwright/test'
import type { Session } from '#contract/sessions.ts'
import { createRace } from '#testing/people/createRace.ts'
import { createTeam } from '#testing/people/createTeam.ts'
import { addCar } from '#testing/people/roster.ts'
import { test } from '../fixtures.ts'
import { frameOn } from '../liveFrames.ts'
import { hold, refuse, respondWith, stubLiveConnection } from '../mockApi.ts'
import { closeLive, missEvents } from '../screens/network.ts'
import { errorOn } from '../toasts.ts'

function driveCard(page: Page) {
  return page.getByRole('region', { name: 'Drive' })
}

function sessionList(page: Page) {
  return page.getByRole('region', { name: 'Message' })
}

// spec: TH-1 TH-2 TH-3 TH-4 TH-12 TH-13 CO-4
test("the team's page loads name and sessions, then offers to start a session", async ({
  open,
  person,
}) => {
  const ana = await person('Ana')
  const { id } = await ana.call.teams.create({ name: 'Northline Racing' })
  const page = await open(ana)
  await stubLiveConnection(page)
  const releaseTeam = await hold(page, 'teams.get')
  const releaseSessions = await hold(page, 'sessions.listActive')
  await page.goto(`/teams/${id}`)

  const title = page.getByRole('heading', { level: 1 })
  await expect(title).toHaveText('Loading team')
  const waiting = page.getByRole('status', { name: 'Loading sessions' })
  await expect(waiting.locator('> *')).toHaveCount(4)
  const start = driveCard(page).getByRole('link', { name: 'Start a new Race Session' })
  await expect(start).toBeDisabled()
  await start.click({ force: true })
  await expect(page).toHaveURL(`/teams/${id}`)
  await expect(page.getByRole('link', { name: 'Teams', exact: true })).toHaveAttribute(
    'href',
    '/teams',
  )
  await expect(page.getByRole('link', { name: 'Members' })).toHaveAttribute(
    'href',
    `/teams/${id}/members`,
  )

  await releaseTeam()
  await expect(title).toHaveText('Northline Racing')
  await releaseSessions()
  await expect(waiting).toBeHidden()
  await expect(sessionList(page)).toContainText(
    'No Active Sessions - Get started by creating a new race session above.',
  )
  await expect(driveCard(page).getByRole('button')).toHaveCount(0)
  await start.click()
  await expect(page).toHaveURL(`/teams/${id}/new`)
})

test('the cars are listed once, in their final order and place', async ({ open, person }) => {
  const [ana, leo, mia] = [await person('Ana'), await person('Leo'), await person('Mia')]
  const { id: teamId } = await createTeam(ana, [leo, mia])
  const [first, second] = [await addCar(ana, teamId, '7'), await addCar(ana, teamId, '12')]
  await createRace(ana, teamId, { hours: 1 })
  // Without the order of the team the newest session would be first.
  await leo.call.sessions.start({ teamId, name: 'Evening', carId: first.id })
  await mia.call.sessions.start({ teamId, name: 'Evening', carId: second.id })
  const page = await open(ana)
  const releases = [await hold(page, 'roster.get'), await hold(page, 'carRaces.ofRace')]
  await page.goto(`/teams/${teamId}`)
  const rows = sessionList(page).getByRole('link')
  const board = page.getByRole('region', { name: 'Zolder' })
  await expect(page.getByRole('status', { name: 'Loading sessions' })).toBeVisible()
  await expect(page.getByRole('status', { name: 'Loading the races' })).toBeVisible()
  await expect(rows).toHaveCount(0)
  await expect(board).toHaveCount(0)
  for (const release of releases) await release()
  await expect(rows.first()).toContainText('7')
  await expect(rows.last()).toContainText('12')
  await expect(board).toContainText('To go')
})

// spec: TH-10 TH-11 TH-15 TH-16 TH-17
test("sessions appear in the team's list and disappear without reloading", async ({
  open,
  person,
}) => {
  const [ana, leo] = [await person('Ana'), await person('Leo', 'Garnier')]
  const { id: teamId } = await createTeam(ana, [leo])
  const page = await open(ana)
  await page.goto(`/teams/${teamId}`)
  await expect(page.getByText('No Active Sessions')).toBeVisible()

  const session = await leo.call.sessions.start({ teamId, name: 'Friday practice 1' })
  expect(session.status).toBe('Active')
  const row = sessionList(page).getByRole('link', { name: /Friday practice 1/ })
  await expect(row).toContainText('Leo Garnier')
  await expect(row.getByRole('timer')).toHaveText(/^00:\d\d$/)
  await expect(row).toHaveAttribute('href', `/teams/${teamId}/${session.id}/message`)
  await expect(driveCard(page)).toContainText('Start a new Race Session')

  expect(await leo.call.sessions.end({ sessionId: session.id })).toMatchObject({
    status: 'Complete',
  })
  await expect(page.getByText('No Active Sessions')).toBeVisible()
  await expect(row).toBeHidden()
})

// spec: TH-7 TH-11 TH-14 CO-3
test('a session that ended without a connection is listed after the reconnection', async ({
  open,
  person,
}) => {
  const ana = await person('Ana')
  const { id: teamId } = await ana.call.teams.create({ name: 'Northline Racing' })
  const session = await ana.call.sessions.start({ teamId, name: 'Friday practice 1' })
  const page = await open(ana)
  await missEvents(page, 'session-ended')
  const subscribed = frameOn(page, '"of":"team"')
  await page.goto(`/teams/${teamId}`)
  await subscribed
  const active = sessionList(page).getByRole('link', { name: /Friday practice 1/ })
  await expect(active).toBeVisible()

  await ana.call.sessions.end({ sessionId: session.id })
  await closeLive(page)

  await expect(active).toBeHidden()
  const last = page.getByRole('region', { name: 'Last sessions' })
  await expect(last.getByRole('link', { name: /Friday practice 1/ })).toBeVisible()
})

test('elapsed times count seconds, and show hours from one hour on', async ({ open, person }) => {
  const ana = await person('Ana')
  const { id: teamId } = await ana.call.teams.create({ name: 'Northline Racing' })
  const own = await ana.call.sessions.start({ teamId, name: 'Friday practice 1' })
  const nowMs = Date.now()
  const sessions: Session[] = [
    { ...own, startedAt: nowMs + 60_000 - 3_598_000 },
    {
      ...own,
      id: `${own.id.slice(0, -4)}0000` as Session['id'],
      name: 'Saturday',
      driver: { ...own.driver, id: teamId as never, firstName: 'Leo', lastName: null },
      startedAt: nowMs + 60_000 - 71_999_000,
      lastDriverContactAt: nowMs,
    },
  ]
  const page = await open(ana)
  await stubLiveConnection(page)
  await respondWith(page, 'sessions.listActive', sessions)
  await respondWith(
    page,
    'teams.members',
    sessions.map(({ driver }) => ({ ...driver, role: 'member' })),
  )
  await page.clock.install({ time: nowMs })
  await page.goto(`/teams/${teamId}`)
  const ownTime = driveCard(page).getByRole('timer')
  await expect(ownTime).toBeVisible()

  // The page's clock is paused from here on and advances only by runFor.
  await page.clock.pauseAt(nowMs + 60_000)
  const saturday = sessionList(page).getByRole('link', { name: /Saturday/ })
  await expect(saturday).toContainText(ana.email)
  for (const [mine, theirs] of [
    ['59:58', '19:59:59'],
    ['59:59', '20:00:00'],
    ['01:00:00', '20:00:01'],
    ['01:00:01', '20:00:02'],
  ] as const) {
    await expect(ownTime).toHaveText(mine)
    await expect(saturday.getByRole('timer')).toHaveText(theirs)
    await page.clock.runFor(1000)
  }
})

// spec: TH-5 TH-6 TH-8 TH-9 TH-15 TH-19 ER-3 TH-20
test('a driver can re-enter an active session and end it', async ({ open, person }) => {
  const ana = await person('Ana')
  const { id: teamId } = await ana.call.teams.create({ name: 'Northline Racing' })
  const session = await ana.call.sessions.start({ teamId, name: 'Friday practice 1' })
  const page = await open(ana)
  await page.goto(`/teams/${teamId}`)
  const card = driveCard(page).getByRole('link')
  await expect(card).toContainText('Drive - Enter your existing Race Session')
  await expect(card.getByRole('timer')).toHaveText(/^00:\d\d$/)
  await expect(card).toHaveAttribute('href', `/teams/${teamId}/${session.id}/drive?checks`)

  const end = driveCard(page).getByRole('button', { name: 'End Session' })
  const confirm = page.getByRole('alertdialog').getByRole('button', { name: 'End Session' })
  await test.step('a failure is shown and can be retried', async () => {
    const restore = await refuse(page, 'sessions.end', 'server-error')
    await end.click()
    await confirm.click()
    const error = errorOn(page)
    await expect(error).toContainText('Session not ended')
    await expect(error).toContainText('The server could not do that. Try again.')
    await expect(end).toBeEnabled()
    restore()
  })

  await test.step('the button is disabled until the session has ended', async () => {
    const release = await hold(page, 'sessions.end')
    await end.click()
    await confirm.click()
    await expect(end).toBeDisabled()
    await expect(errorOn(page)).toHaveCount(0)
    await release()
    await expect(page.getByText('No Active Sessions')).toBeVisible()
    await expect(end).toBeHidden()
    await expect(page.getByRole('link', { name: 'Start a new Race Session' })).toBeEnabled()
  })
  expect(await ana.call.sessions.get({ sessionId: session.id })).toMatchObject({
    status: 'Complete',
  })
})

// spec: RO-3
test('a member ends a session whose phone has been silent for minutes', async ({
  open,
  person,
}) => {
  const ana = await person('Ana')
  const leo = await person('Leo')
  const { id: teamId } = await createTeam(ana, [leo])
  const session = await leo.call.sessions.start({ teamId, name: 'Friday practice 1' })
  const page = await open(ana)
  await stubLiveConnection(page)
  await respondWith(page, 'sessions.listActive', [
    { ...session, startedAt: session.startedAt - 12 * 60_000 },
  ])
  await page.goto(`/teams/${teamId}`)
  const list = sessionList(page)
  await expect(list).toContainText('Leo Tester · no contact for 12 min')
  await expect(list.getByRole('link', { name: /Friday practice 1/ })).toHaveAttribute(
    'href',
    `/teams/${teamId}/${session.id}/message`,
  )
  const end = list.getByRole('button', { name: 'End Session Friday practice 1' })
  const confirm = page.getByRole('alertdialog').getByRole('button', { name: 'End Session' })

  await test.step('the server refuses if the phone is in contact again', async () => {
    await end.click()
    await expect(page.getByRole('alertdialog')).toContainText('drives without a network')
    await confirm.click()
    await expect(errorOn(page)).toContainText('Session not ended')
    const { status } = await leo.call.sessions.get({ sessionId: session.id })
    expect(status).toBe('Active')
  })

  await test.step('the session disappears from the list', async () => {
    await respondWith(page, 'sessions.end', { ...session, status: 'Complete' })
    await end.click()
    await confirm.click()
    await expect(page.getByText('No Active Sessions')).toBeVisible()
  })
})

// spec: TH-18 ER-3
test('a team or sessions that failed to load show an error and can be retried', async ({
  open,
  person,
}) => {
  const ana = await person('Ana')
  const { id: teamId } = await ana.call.teams.create({ name: 'Northline Racing' })
  const page = await open(ana)
  await stubLiveConnection(page)
  const restoreTeam = await refuse(page, 'teams.get', 'too-many')
  const restoreSessions = await refuse(page, 'sessions.listActive', 'too-many')
  await page.goto(`/teams/${teamId}`)
  const teamFailure = page.getByRole('alert').filter({ hasText: 'The team did not load' })
  const sessionsFailure = sessionList(page).getByRole('alert')
  await expect(sessionsFailure).toContainText('The sessions did not load')
  await expect(driveCard(page).getByRole('link')).toBeDisabled()
  // Code that loads later requests the team once more.
  await page.waitForLoadState('networkidle')

  restoreTeam()
  await teamFailure.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'Northline Racing' })).toBeVisible()
  await expect(teamFailure).toBeHidden()
  restoreSessions()
  await sessionsFailure.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('No Active Sessions')).toBeVisible()
  await expect(driveCard(page).getByRole('link')).toBeEnabled()
})
