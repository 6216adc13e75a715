import { expect } from '@playwright/test'
import { createTeam } from '#testing/people/createTeam.ts'
import { test } from '../fixtures.ts'
import { hold, recordCalls, refuse } from '../mockApi.ts'
import { errorOn, successOn } from '../toasts.ts'

// spec: IN-1 IN-2 IN-3 IN-4 IN-5 IN-6 IN-7
test('a user is invited by name and email, and listed among the members', async ({
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
  const calls = recordCalls(page, 'teams.invite')
  const first = page.getByLabel('First Name')
  const last = page.getByLabel('Last Name')
  const email = page.getByLabel('Email')
  const invite = page.getByRole('button', { name: 'Invite' })

  await test.step('an incomplete or invalid form cannot be sent', async () => {
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
test('a failed invitation shows an error, keeps the input and can be retried', async ({
  open,
  person,
}) => {
  const ana = await person('Ana', 'Lindqvist')
  const { id: teamId } = await ana.call.teams.create({ name: 'Northline Racing' })
  const page = await open(ana)
  await page.goto(`/teams/${teamId}/members/invite`)
  const restore = await refuse(page, 'teams.invite', 'mail-not-sent')
  await page.getByLabel('First Name').fill('Leo')
  await page.getByLabel('Last Name').fill('Garnier')
  await page.getByLabel('Email').fill(`new-${ana.email}`)
  const invite = page.getByRole('button', { name: 'Invite' })
  await invite.click()
  const toast = errorOn(page)
  await expect(toast).toContainText('Invite not sent')
  await expect(toast).toContainText('The email could not be sent. Try again.')
  await expect(invite).toBeEnabled()
  await expect(page.getByLabel('Last Name')).toHaveValue('Garnier')

  restore()
  await invite.click()
  await expect(page).toHaveURL(`/teams/${teamId}/members`)
  await expect(toast).toHaveCount(0)
})

// spec: MB-6
test('a new member sees the members and may invite', async ({ open, person, server }) => {
  const ana = await person('Ana', 'Lindqvist')
  const leo = await person('Leo', 'Garnier')
  const { id: teamId } = await createTeam(ana, [leo])
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
test('without a team id there is no form, and nothing is sent', async ({ open, person }) => {
  const page = await open(await person('Ana'))
  const calls = recordCalls(page, 'teams.invite')
  for (const path of ['/teams/members/invite', '/teams//members/invite']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Select a Team')
    await expect(page.getByRole('textbox')).toHaveCount(0)
  }
  expect(calls).toEqual([])
})

// spec: MB-8 TL-7
test('a mistyped invitation gives a stranger no access and can be withdrawn', async ({
  open,
  person,
  server,
}) => {
  const [ana, eve] = [await person('Ana', 'Lindqvist'), await person('Eve', 'Fremd')]
  const { id: teamId } = await ana.call.teams.create({ name: 'Northline Racing' })
  const pit = await open(ana)
  await pit.goto(`/teams/${teamId}/members/invite`)
  await pit.getByLabel('First Name').fill('Leo')
  await pit.getByLabel('Last Name').fill('Garnier')
  await pit.getByLabel('Email').fill(eve.email)
  await pit.getByRole('button', { name: 'Invite' }).click()
  const row = pit.getByRole('listitem').filter({ hasText: 'Leo Garnier' })
  await expect(row).toContainText('Invited')
  await expect(row).toContainText(eve.email)
  expect((await server.mails.next(eve.email)).subject).toBe(
    'Ana Lindqvist invited you to Northline Racing',
  )

  const stranger = await open(eve)
  await stranger.goto('/teams')
  const invitation = stranger
    .getByRole('region', { name: 'Invitations' })
    .getByRole('listitem')
    .filter({ hasText: 'Northline Racing' })
  await expect(invitation).toContainText('Ana Lindqvist invited you')
  await expect(invitation.getByRole('link')).toHaveCount(0)
  const peeking = await open(eve)
  await peeking.goto(`/teams/${teamId}`)
  await expect(peeking.getByRole('heading', { name: 'Not your team' })).toBeVisible()

  await row.getByRole('button', { name: 'Actions for Leo Garnier' }).click()
  await pit.getByRole('menuitem', { name: 'Withdraw' }).click()
  await expect(row).toHaveCount(0)
  await expect(invitation).toHaveCount(0)
  await expect(stranger.getByRole('heading', { name: 'No Teams' })).toBeVisible()
})

test('an invitation can be sent again, up to the mail limit of the address', async ({
  open,
  person,
  server,
}) => {
  const ana = await person('Ana', 'Lindqvist')
  const { id: teamId } = await ana.call.teams.create({ name: 'Northline Racing' })
  const email = `new-${ana.email}`
  await ana.call.teams.invite({ teamId, firstName: 'Leo', lastName: 'Garnier', email })
  await server.mails.next(email)
  const page = await open(ana)
  await page.goto(`/teams/${teamId}/members`)
  const sendAgain = async () => {
    await page.getByRole('button', { name: 'Actions for Leo Garnier' }).click()
    await page.getByRole('menuitem', { name: 'Send again' }).click()
  }
  for (let n = 0; n < 2; n++) {
    await sendAgain()
    await expect(successOn(page).first()).toContainText('Leo Garnier will get an email.')
    expect((await server.mails.next(email)).subject).toContain('Northline Racing')
  }
  await sendAgain()
  await expect(page.getByText('Invited without an email')).toBeVisible()
})
