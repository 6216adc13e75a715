import { expect } from '@playwright/test'
import { addMember } from '#testing/people/addMember.ts'
import { createTeam } from '#testing/people/createTeam.ts'
import { test } from '../fixtures.ts'
import { hold, refuse, stubLiveConnection } from '../mockApi.ts'
import { successOn } from '../toasts.ts'

// spec: MB-1 MB-2 MB-3 MB-4
test('members are listed by name and email; a new one appears without reloading', async ({
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
  await expect(members.last()).toContainText('Leo Garnier')
  await expect(members.last()).toContainText('Invited')
  await expect(members.last()).toContainText(`new-${ana.email}`)

  const kim = await person('Kim', 'Okafor')
  await addMember(ana, teamId, kim)
  const newest = members.filter({ hasText: 'Kim Okafor' })
  await expect(newest).toContainText(kim.email)
  await expect(newest).not.toContainText('Invited')

  await page.getByRole('link', { name: 'Invite - Add a member to your team' }).click()
  await expect(page).toHaveURL(`/teams/${teamId}/members/invite`)
})

// spec: MB-5 MB-7 CO-4 ER-3
test('loading members shows four rows; a failure shows an error and can be retried', async ({
  open,
  person,
}) => {
  const ana = await person('Ana', 'Lindqvist')
  const { id: teamId } = await ana.call.teams.create({ name: 'Northline Racing' })
  const page = await open(ana)
  await stubLiveConnection(page)
  const releaseTeam = await hold(page, 'teams.get')
  const restore = await refuse(page, 'teams.members', 'too-many')
  await page.goto(`/teams/${teamId}/members`)
  const failure = page.getByRole('alert')
  await expect(failure).toContainText('The members did not load')

  // The rest of the screen also reads the members, so that it requests them again.
  const release = await hold(page, 'teams.members')
  await releaseTeam()
  await expect(page.getByRole('button', { name: 'Leave team' })).toBeVisible()
  const retry = failure.getByRole('button', { name: 'Try again' })
  await expect(retry).toHaveAttribute('aria-busy', 'true')
  await release()
  await expect(retry).not.toHaveAttribute('aria-busy')
  await expect(failure).toContainText('The members did not load')

  restore()
  const releaseRetry = await hold(page, 'teams.members')
  await retry.click()
  await expect(retry).toHaveAttribute('aria-busy', 'true')
  await expect(retry).toBeFocused()
  await releaseRetry()
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
test('a team that failed to load shows an error, its members, and can be retried', async ({
  open,
  person,
}) => {
  const ana = await person('Ana', 'Lindqvist')
  const { id: teamId } = await ana.call.teams.create({ name: 'Northline Racing' })
  const page = await open(ana)
  // A live connection would load the team again on its own.
  await stubLiveConnection(page)
  const restore = await refuse(page, 'teams.get', 'too-many')
  await page.goto(`/teams/${teamId}/members`)
  const failure = page.getByRole('alert')
  await expect(failure).toContainText('The team did not load')
  await expect(page.getByText('Ana Lindqvist')).toBeVisible()
  await expect(page.getByText('Team logo')).toHaveCount(0)

  // Code that loads later requests the team once more.
  await page.waitForLoadState('networkidle')
  restore()
  await failure.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('button', { name: 'Leave team' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Team logo' })).toBeVisible()
  await expect(failure).toBeHidden()
})

test('the owner removes a member after a confirmation', async ({ open, person }) => {
  const [ana, leo] = [await person('Ana', 'Lindqvist'), await person('Leo', 'Garnier')]
  const { id: teamId } = await createTeam(ana, [leo])
  const page = await open(ana)
  await page.goto(`/teams/${teamId}/members`)
  await expect(page.getByRole('listitem').filter({ hasText: 'Ana Lindqvist' })).toContainText(
    'Owner',
  )
  const row = page.getByRole('listitem').filter({ hasText: 'Leo Garnier' })
  const theirs = await open(leo)
  await theirs.goto('/teams')
  await expect(theirs.getByRole('link', { name: 'Northline Racing' })).toBeVisible()

  const choose = async (answer: string) => {
    await row.getByRole('button', { name: 'Actions for Leo Garnier' }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Remove Leo Garnier from the team?' })
    await dialog.getByRole('button', { name: answer }).click()
    await expect(dialog).toBeHidden()
  }
  await choose('Keep')
  await expect(row).toBeVisible()
  await choose('Remove')
  await expect(successOn(page)).toContainText('Leo Garnier is no longer in the team.')
  await expect(row).toHaveCount(0)
  await expect(theirs.getByRole('heading', { name: 'No Teams' })).toBeVisible()

  await test.step('the last member who leaves reads that the team is deleted', async () => {
    await page.getByRole('button', { name: 'Leave team' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Leave Northline Racing?' })
    await expect(dialog).toContainText('You are its only member, so the team is deleted')
    await dialog.getByRole('button', { name: 'Leave team' }).click()
    await expect(page).toHaveURL('/teams')
    await expect(page.getByRole('button', { name: 'Restore Northline Racing' })).toBeVisible()
  })
})

test('only the owner can remove members', async ({ open, person }) => {
  const [ana, leo] = [await person('Ana', 'Lindqvist'), await person('Leo', 'Garnier')]
  const { id: teamId } = await createTeam(ana, [leo])
  const page = await open(leo)
  await page.goto(`/teams/${teamId}/members`)
  await expect(page.getByRole('listitem').filter({ hasText: 'Ana Lindqvist' })).toContainText(
    'Owner',
  )
  await expect(page.getByRole('button', { name: /^Actions for/ })).toHaveCount(0)
})

for (const screen of ['', '/members']) {
  test(`an open page /teams/TEAM${screen} shows a removed member that they were removed`, async ({
    open,
    person,
  }) => {
    const [ana, leo] = [await person('Ana', 'Lindqvist'), await person('Leo', 'Garnier')]
    const { id: teamId } = await createTeam(ana, [leo])
    const page = await open(leo)
    await page.goto(`/teams/${teamId}${screen}`)
    await expect(page.getByText('Northline Racing').first()).toBeVisible()

    await ana.call.teams.removeMember({ teamId, userId: leo.id })
    await expect(page.getByRole('heading', { name: 'Not your team' })).toBeVisible()
    await expect(page.getByText('You are no longer in this team.')).toBeVisible()
    await expect(page.getByText('Northline Racing')).toHaveCount(0)
    await page.getByRole('link', { name: 'Go to your teams' }).click()
    await expect(page.getByRole('heading', { name: 'No Teams' })).toBeVisible()
  })
}
