import { expect } from '@playwright/test'
import { callsOf, hold, refuse, silenceLive } from './answers.ts'
import { test } from './crew.ts'
import { errorOn } from './told.ts'

// spec: MB-1 MB-2 MB-3 MB-4
test('the members stand by name and e-mail, and a new one without reloading', async ({
  open,
  person,
}) => {
  const ana = await person('Ana', 'Lindqvist')
  const { id: teamId } = await ana.call.teams.create({ name: 'Northline Racing' })
  const page = await open(ana)
  await page.goto(`/teams/${teamId}/members`)
  await expect(page.getByRole('heading', { name: 'Your Team' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Back to Northline Racing' })).toHaveAttribute(
    'href',
    `/teams/${teamId}`,
  )
  const members = page.getByRole('region', { name: 'Members' }).getByRole('listitem')
  await expect(members).toHaveCount(1)
  await expect(members.first()).toContainText('Ana Lindqvist')
  await expect(members.first()).toContainText(ana.email)

  await ana.call.teams.invite({
    teamId,
    firstName: 'Leo',
    lastName: 'Garnier',
    email: `new-${ana.email}`,
  })
  await expect(members).toHaveCount(2)
  await expect(members.first()).toContainText('Leo Garnier')
  await expect(members.first()).toContainText(`new-${ana.email}`)

  await page.getByRole('link', { name: 'Invite - Add a member to your team' }).click()
  await expect(page).toHaveURL(`/teams/${teamId}/members/invite`)
})

// spec: MB-5 MB-7 CO-4 ER-3
test('members wait with four rows; that they did not load is told, and they can be asked for again', async ({
  open,
  person,
}) => {
  const ana = await person('Ana', 'Lindqvist')
  const { id: teamId } = await ana.call.teams.create({ name: 'Northline Racing' })
  const page = await open(ana)
  await silenceLive(page)
  const release = await hold(page, 'teams.members')
  const mend = await refuse(page, 'teams.members', 'too-many')
  await page.goto(`/teams/${teamId}/members`)
  const failure = page.getByRole('alert')
  await expect(failure).toContainText('The members did not load')

  mend()
  await failure.getByRole('button', { name: 'Try again' }).click()
  await release()
  await expect(page.getByText('Ana Lindqvist')).toBeVisible()
  await expect(failure).toBeHidden()

  const releaseNext = await hold(page, 'teams.members')
  await page.reload()
  const waiting = page.getByRole('status', { name: 'Loading members' })
  await expect(waiting.locator('> *')).toHaveCount(4)
  await releaseNext()
  await expect(page.getByText('Ana Lindqvist')).toBeVisible()
})

// spec: ER-3
test('that the team itself did not load is told beside its members, and it can be asked for again', async ({
  open,
  person,
}) => {
  const ana = await person('Ana', 'Lindqvist')
  const { id: teamId } = await ana.call.teams.create({ name: 'Northline Racing' })
  const page = await open(ana)
  const mend = await refuse(page, 'teams.get', 'too-many')
  await page.goto(`/teams/${teamId}/members`)
  const failure = page.getByRole('alert')
  await expect(failure).toContainText('The team did not load')
  await expect(page.getByText('Ana Lindqvist')).toBeVisible()
  await expect(page.getByText('Team logo')).toHaveCount(0)

  mend()
  await failure.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('button', { name: 'Leave team' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Team logo' })).toBeVisible()
  await expect(failure).toBeHidden()
})

// spec: IN-1 IN-2 IN-3 IN-4 IN-5 IN-6 IN-7
test('somebody is invited by name and e-mail, and stands among the members', async ({
  open,
  person,
  server,
}) => {
  const ana = await person('Ana', 'Lindqvist')
  const { id: teamId } = await ana.call.teams.create({ name: 'Northline Racing' })
  const page = await open(ana)
  await page.goto(`/teams/${teamId}/members/invite`)
  await expect(page.getByRole('heading', { name: 'Invite User' })).toBeVisible()
  await expect(page.getByText('Invite a new user to join your team')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Back to Your Team' })).toHaveAttribute(
    'href',
    `/teams/${teamId}/members`,
  )
  const calls = callsOf(page, 'teams.invite')
  const first = page.getByLabel('First Name')
  const last = page.getByLabel('Last Name')
  const email = page.getByLabel('Email')
  const invite = page.getByRole('button', { name: 'Invite' })

  await test.step('nothing is sent while something is missing or wrong', async () => {
    await expect(page.getByRole('textbox')).toHaveCount(3)
    await expect(invite).toBeDisabled()
    await first.fill('Leo')
    await email.fill(`new-${ana.email}`)
    await last.fill(' ')
    await last.blur()
    await expect(last).toHaveAccessibleDescription('Enter a last name.')
    await expect(invite).toBeDisabled()
    await last.fill('Garnier')
    await expect(invite).toBeEnabled()
    await first.fill('')
    await expect(invite).toBeDisabled()
    await first.fill('Leo')
    await email.fill('leo@')
    await expect(invite).toBeDisabled()
    await email.press('Enter')
    await expect(email).toHaveAccessibleDescription('Enter a complete email address.')
    await email.fill(`new-${ana.email}`)
    expect(calls).toEqual([])
  })

  const release = await hold(page, 'teams.invite')
  await invite.click()
  await expect(invite).toBeDisabled()
  await release()
  await expect(page).toHaveURL(`/teams/${teamId}/members`)
  await expect(page.getByRole('listitem').filter({ hasText: 'Leo Garnier' })).toBeVisible()
  expect(calls).toHaveLength(1)
  expect((await server.mails.next(`new-${ana.email}`)).text).toContain('Northline Racing')
})

// spec: IN-8 ER-3
test('an invitation that failed is told of, keeps what was typed and can be tried again', async ({
  open,
  person,
}) => {
  const ana = await person('Ana', 'Lindqvist')
  const { id: teamId } = await ana.call.teams.create({ name: 'Northline Racing' })
  const page = await open(ana)
  await page.goto(`/teams/${teamId}/members/invite`)
  const mend = await refuse(page, 'teams.invite', 'mail-not-sent')
  await page.getByLabel('First Name').fill('Leo')
  await page.getByLabel('Last Name').fill('Garnier')
  await page.getByLabel('Email').fill(`new-${ana.email}`)
  const invite = page.getByRole('button', { name: 'Invite' })
  await invite.click()
  const told = errorOn(page)
  await expect(told).toContainText('Invite not sent')
  await expect(told).toContainText('The email could not be sent. Try again.')
  await expect(invite).toBeEnabled()
  await expect(page.getByLabel('Last Name')).toHaveValue('Garnier')

  mend()
  await invite.click()
  await expect(page).toHaveURL(`/teams/${teamId}/members`)
  await expect(told).toHaveCount(0)
})

// spec: MB-6
test('who was invited sees the members and may invite as well', async ({
  open,
  person,
  server,
}) => {
  const ana = await person('Ana', 'Lindqvist')
  const leo = await person('Leo', 'Garnier')
  const { id: teamId } = await ana.call.teams.create({ name: 'Northline Racing' })
  await ana.call.teams.invite({ teamId, ...leo.details })
  const page = await open(leo)
  await page.goto(`/teams/${teamId}/members`)
  await expect(page.getByRole('listitem').filter({ hasText: 'Ana Lindqvist' })).toBeVisible()
  await page.getByRole('link', { name: 'Invite - Add a member to your team' }).click()
  await page.getByLabel('First Name').fill('Kim')
  await page.getByLabel('Last Name').fill('Okafor')
  await page.getByLabel('Email').fill(`kim-${leo.email}`)
  await page.getByRole('button', { name: 'Invite' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'Kim Okafor' })).toBeVisible()
  expect((await server.mails.next(`kim-${leo.email}`)).text).toContain('Northline Racing')
})

// spec: IN-7
test('without the id of a team there is no form, and nothing is sent', async ({ open, person }) => {
  const page = await open(await person('Ana'))
  const calls = callsOf(page, 'teams.invite')
  for (const path of ['/teams/members/invite', '/teams//members/invite']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Select a Team')
    await expect(page.getByRole('textbox')).toHaveCount(0)
  }
  expect(calls).toEqual([])
})
