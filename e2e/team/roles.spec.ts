import { expect, type Page } from '@playwright/test'
import { createTeam } from '#testing/people/createTeam.ts'
import { openBoard } from '../drive/driveScreen.ts'
import { test } from '../fixtures.ts'
import { frameOn } from '../liveFrames.ts'
import { refuse } from '../mockApi.ts'
import { closeLive, holdLive, missEvents } from '../screens/network.ts'
import { errorOn, successOn } from '../toasts.ts'

async function choose(page: Page, name: string, item: string) {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

// spec: RO-4 RO-5
test('a viewer watches without buttons; a change of role shows without reloading', async ({
  open,
  person,
}) => {
  const ana = await person('Ana', 'Lindqvist')
  const leo = await person('Leo', 'Garnier')
  const { id: teamId } = await createTeam(ana, [leo])
  const session = await ana.call.sessions.start({ teamId, name: 'Friday practice 1' })
  const owner = await open(ana)
  await owner.goto(`/teams/${teamId}/members`)
  const watcher = await open(leo)
  await openBoard(watcher, `/teams/${teamId}/${session.id}/message`)
  const push = watcher.getByRole('button', { name: 'PUSH' })
  await expect(push).toBeEnabled()
  const row = owner.getByRole('region', { name: 'Members' }).getByRole('listitem').filter({
    hasText: 'Leo Garnier',
  })

  await test.step('the owner makes a member a viewer', async () => {
    const restore = await refuse(owner, 'teams.setRole', 'server-error')
    await choose(owner, 'Leo Garnier', 'Watch only')
    await expect(errorOn(owner)).toContainText('Role not changed')
    restore()
    await choose(owner, 'Leo Garnier', 'Watch only')
    await expect(successOn(owner)).toContainText('Leo Garnier can watch, and changes nothing.')
    await expect(row).toContainText('Viewer')
  })

  await test.step('the open message screen of the viewer loses its buttons', async () => {
    await expect(watcher.getByText('You can only watch.')).toBeVisible()
    await expect(push).toBeHidden()
    await ana.call.messages.set({
      sessionId: session.id,
      type: 'Pit',
      commandId: crypto.randomUUID(),
    })
    const board = watcher.getByRole('region', { name: 'Current message' })
    await expect(board).toContainText('Pit')
  })

  await test.step('the team and its members offer nothing to change', async () => {
    await watcher.goto(`/teams/${teamId}`)
    await expect(watcher.getByText('You watch this team.')).toBeVisible()
    await expect(watcher.getByRole('link', { name: 'Start a new Race Session' })).toBeHidden()
    await watcher.goto(`/teams/${teamId}/members`)
    await expect(watcher.getByText('You can watch this team.')).toBeVisible()
    await expect(watcher.getByRole('link', { name: /^Invite/ })).toBeHidden()
    await expect(watcher.getByRole('button', { name: /^Actions for/ })).toHaveCount(0)
  })

  await test.step('a member again', async () => {
    await choose(owner, 'Leo Garnier', 'Make a member')
    await expect(row).not.toContainText('Viewer')
    await expect(watcher.getByRole('link', { name: /^Invite/ })).toBeVisible()
  })
})

test('a role that changed without a connection shows after the reconnection', async ({
  open,
  person,
}) => {
  const ana = await person('Ana', 'Lindqvist')
  const leo = await person('Leo', 'Garnier')
  const { id: teamId } = await createTeam(ana, [leo])
  const watcher = await open(leo)
  await missEvents(watcher, 'team-changed')
  let connections = 0
  watcher.on('websocket', () => (connections += 1))
  // A later snapshot would show the change.
  const received = frameOn(watcher, '"of":"user"')
  await watcher.goto(`/teams/${teamId}/members`)
  await received
  const row = watcher.getByRole('listitem').filter({ hasText: 'Leo Garnier' })
  const invite = watcher.getByRole('link', { name: /^Invite/ })
  await expect(invite).toBeVisible()

  await ana.call.teams.setRole({ teamId, userId: leo.id, role: 'viewer' })
  await expect(row).toContainText('Viewer')
  // On a busy machine the page may have reconnected by itself.
  const hasOldRole = await invite.isVisible()
  expect(hasOldRole || connections > 1).toBe(true)
  await closeLive(watcher)

  await expect(watcher.getByText('You can watch this team.')).toBeVisible()
  await expect(invite).toBeHidden()
})

test('a role that changes before the first connection shows once it opens', async ({
  open,
  person,
}) => {
  const ana = await person('Ana', 'Lindqvist')
  const leo = await person('Leo', 'Garnier')
  const { id: teamId } = await createTeam(ana, [leo])
  const watcher = await open(leo)
  const release = await holdLive(watcher)
  await watcher.goto(`/teams/${teamId}/members`)
  await expect(watcher.getByRole('link', { name: /^Invite/ })).toBeVisible()

  await ana.call.teams.setRole({ teamId, userId: leo.id, role: 'viewer' })
  await release()

  await expect(watcher.getByText('You can watch this team.')).toBeVisible()
})

test('the owner hands the team over after a confirmation', async ({ open, person }) => {
  const ana = await person('Ana', 'Lindqvist')
  const leo = await person('Leo', 'Garnier')
  const { id: teamId } = await createTeam(ana, [leo])
  const owner = await open(ana)
  await owner.goto(`/teams/${teamId}/members`)
  const next = await open(leo)
  await next.goto(`/teams/${teamId}/members`)
  const actions = (page: Page) => page.getByRole('button', { name: /^Actions for/ })
  await expect(next.getByText('Ana Lindqvist')).toBeVisible()
  await expect(actions(next)).toHaveCount(0)

  const question = owner.getByRole('alertdialog')
  await choose(owner, 'Leo Garnier', 'Hand the team over')
  await expect(question).toContainText('Hand the team over to Leo Garnier?')
  await question.getByRole('button', { name: 'Keep it' }).click()
  await choose(owner, 'Leo Garnier', 'Hand the team over')
  await question.getByRole('button', { name: 'Hand the team over' }).click()

  await expect(successOn(owner)).toContainText('Leo Garnier owns the team now.')
  await expect(actions(owner)).toHaveCount(0)
  await expect(actions(next)).toHaveCount(1)
  await choose(next, 'Ana Lindqvist', 'Watch only')
  await expect(owner.getByText('You can watch this team.')).toBeVisible()
})

test('the owner renames the team; other open pages show it without reloading', async ({
  open,
  person,
}) => {
  const ana = await person('Ana', 'Lindqvist')
  const leo = await person('Leo', 'Garnier')
  const { id: teamId } = await createTeam(ana, [leo], 'Nigth Owls')
  const [owner, list, home] = [await open(ana), await open(leo), await open(leo)]
  await owner.goto(`/teams/${teamId}/members`)
  await list.goto('/teams')
  await expect(list.getByRole('link', { name: /Nigth Owls/ })).toBeVisible()
  await home.goto(`/teams/${teamId}`)
  await expect(home.getByRole('heading', { level: 1 })).toHaveText('Nigth Owls')

  await owner.getByRole('button', { name: /^Team name/ }).click()
  const dialog = owner.getByRole('dialog')
  const name = dialog.getByLabel('Team Name')
  await name.fill('Night Owls')
  const restore = await refuse(owner, 'teams.rename', 'server-error')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('alert')).toContainText('The server could not do that.')
  await expect(name).toHaveValue('Night Owls')
  restore()
  await dialog.getByRole('button', { name: 'Save' }).click()

  await expect(successOn(owner)).toContainText('The team is called Night Owls now.')
  await expect(list.getByRole('link', { name: /Night Owls/ })).toBeVisible()
  await expect(home.getByRole('heading', { level: 1 })).toHaveText('Night Owls')
  await home.goto(`/teams/${teamId}/members`)
  await expect(home.getByRole('region', { name: 'Members' })).toContainText('Leo Garnier')
  await expect(home.getByRole('button', { name: /^Team name/ })).toHaveCount(0)
})
