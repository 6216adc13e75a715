import { expect } from '@playwright/test'
import { test } from '../fixtures.ts'
import { hold, recordCalls, refuse, stubLiveConnection } from '../mockApi.ts'
import { errorOn, successOn } from '../toasts.ts'

// spec: TL-1 TL-4 TL-6 TL-7
test('the team list links each team; a new one appears without reloading', async ({
  open,
  person,
}) => {
  const [ana, leo] = [await person('Ana'), await person('Leo')]
  const team = await ana.call.teams.create({ name: 'Northline Racing' })
  const page = await open(leo)
  await page.goto('/teams')
  await expect(page.getByRole('heading', { name: 'Select a Team' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'No Teams' })).toBeVisible()

  await ana.call.teams.invite({ teamId: team.id, ...leo.details })
  const invitations = page.getByRole('region', { name: 'Invitations' })
  await expect(invitations.getByRole('listitem')).toContainText('Northline Racing')
  await page.getByRole('button', { name: 'Accept the invitation to Northline Racing' }).click()
  await expect(successOn(page)).toContainText('You are in Northline Racing now.')
  await expect(page).toHaveURL(`/teams/${team.id}`)
  await page.getByRole('link', { name: 'Teams', exact: true }).click()
  const link = page.getByRole('listitem').getByRole('link', { name: 'Northline Racing' })
  await expect(link).toBeVisible()
  await expect(invitations).toBeHidden()
  await expect(page.getByText('No Teams')).toBeHidden()
  await link.click()
  await expect(page).toHaveURL(`/teams/${team.id}`)
})

// spec: TL-7
test('a declined invitation disappears on both sides', async ({ open, person }) => {
  const [ana, leo] = [await person('Ana'), await person('Leo')]
  const team = await ana.call.teams.create({ name: 'Northline Racing' })
  await ana.call.teams.invite({ teamId: team.id, ...leo.details })
  const pit = await open(ana)
  await pit.goto(`/teams/${team.id}/members`)
  const row = pit.getByRole('listitem').filter({ hasText: 'Leo Tester' })
  await expect(row).toContainText('Invited')
  const page = await open(leo)
  await page.goto('/teams')
  const release = await refuse(page, 'teams.decline', 'server-error')
  const decline = page.getByRole('button', { name: 'Decline the invitation to Northline Racing' })
  await decline.click()
  await expect(errorOn(page)).toContainText('Invitation not answered')
  release()
  await decline.click()
  await expect(page.getByRole('heading', { name: 'No Teams' })).toBeVisible()
  await expect(row).toHaveCount(0)
})

// spec: TL-2 TL-3 CO-4
test('a loading team list shows four rows, an empty one a text', async ({ open, person }) => {
  const page = await open(await person('Leo'))
  await stubLiveConnection(page)
  const release = await hold(page, 'teams.list')
  await page.goto('/teams')
  const waiting = page.getByRole('status', { name: 'Loading teams' })
  await expect(waiting.locator('> *')).toHaveCount(4)
  await release()
  await expect(page.getByRole('heading', { name: 'No Teams' })).toBeVisible()
  await expect(
    page.getByText(
      'You have been invited to any teams yet. You need to have a Team Member to Invite you.',
    ),
  ).toBeVisible()
  await expect(waiting).toBeHidden()
})

// spec: TL-5 ER-3 ER-8 ER-9
test('a team list that failed to load is retried, shown as an error and logged', async ({
  open,
  person,
}) => {
  const page = await open(await person('Leo'))
  const logged: string[] = []
  page.on('console', message => logged.push(message.text()))
  await stubLiveConnection(page)
  const calls = recordCalls(page, 'teams.list')
  const restore = await refuse(page, 'teams.list', 'not-ready')
  await page.goto('/teams')
  const failure = page.getByRole('alert')
  await expect(failure).toContainText('Your teams did not load')
  await expect(failure).toContainText('The server is starting or stopping. Try again.')
  expect(calls).toHaveLength(3)
  await expect.poll(() => logged).toContain('teams.list: not-ready')

  restore()
  await failure.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('No Teams')).toBeVisible()
  await expect(failure).toBeHidden()
})

// spec: AT-1 AT-2 AT-3 AT-4 AT-5 AT-6 AT-8
test('a team is created by its name, and opens', async ({ open, person }) => {
  const page = await open(await person('Ana'))
  await page.goto('/teams/create')
  await expect(page.getByRole('heading', { name: 'Add Team' })).toBeVisible()
  await expect(page.getByText('Create a new team')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Back' })).toHaveAttribute('href', '/teams')
  const name = page.getByLabel('Team Name')
  await expect(page.getByRole('textbox')).toHaveCount(1)
  await expect(name).toHaveAttribute('placeholder', 'Enter team name')
  const add = page.getByRole('button', { name: 'Add', exact: true })
  await expect(add).toBeDisabled()
  await name.fill('   ')
  await name.blur()
  await expect(add).toBeDisabled()
  await expect(name).toHaveAccessibleDescription('Enter a team name.')

  await name.fill('Northline Racing')
  const release = await hold(page, 'teams.create')
  await add.click()
  await expect(add).toBeDisabled()
  await release()
  await expect(successOn(page)).toContainText('Team Northline Racing created successfully!')
  await expect(page).toHaveURL(/\/teams\/[\da-f-]{36}$/)
  await expect(page.getByRole('heading', { name: 'Northline Racing' })).toBeVisible()
})

// spec: AT-7 AT-9 ER-4
test('a team that failed to create keeps its name; a retry removes the error', async ({
  open,
  person,
}) => {
  const page = await open(await person('Ana'))
  await page.goto('/teams/create')
  const restore = await refuse(page, 'teams.create', 'server-error')
  const name = page.getByLabel('Team Name')
  await expect(name).toHaveAttribute('maxlength', '80')
  await name.fill('Northline Racing')
  const add = page.getByRole('button', { name: 'Add', exact: true })
  await add.click()
  const error = errorOn(page)
  await expect(error).toContainText('There was an error creating the team. Please try again.')
  await expect(add).toBeEnabled()
  await expect(name).toHaveValue('Northline Racing')

  restore()
  await add.click()
  await expect(page.getByRole('heading', { name: 'Northline Racing' })).toBeVisible()
  await expect(error).toHaveCount(0)
})
