import { expect, type Locator, type Page, type Route } from '@playwright/test'
import { Refusal } from '#contract/refusal.ts'
import { advanceUntil, waitForPaint } from '../drive/driveScreen.ts'
import { test } from '../fixtures.ts'
import { refuse } from '../mockApi.ts'
import { errorOn, successOn } from '../toasts.ts'

function advanceUntilVisible(page: Page, text: string) {
  return advanceUntil(page, () => expect(page.getByText(text)).toBeVisible({ timeout: 100 }))
}

function advanceUntilEnabled(page: Page, button: Locator) {
  return advanceUntil(page, () => expect(button).toBeEnabled({ timeout: 100 }))
}

// spec: NO-1 NO-2 NO-3 NO-4 CO-5
test('success and error toasts disappear after 5 s or when closed', async ({ open, person }) => {
  const page = await open(await person('Ana'))
  await page.clock.install()
  await page.goto('/teams/create')
  const add = page.getByRole('button', { name: 'Add', exact: true })
  await page.getByLabel('Team Name').fill('Northline Racing')
  await expect(add).toBeEnabled()
  await page.clock.pauseAt(Date.now() + 60_000)

  const restore = await refuse(page, 'teams.create', 'server-error')
  await add.click()
  await advanceUntilVisible(page, 'There was an error creating the team. Please try again.')
  const error = errorOn(page)
  await expect(error).toContainText('Error')
  await expect(error).toHaveCSS('color', await colourOf(page, '--err'))
  await page.clock.runFor(4000)
  await expect(error).toBeVisible()
  await page.clock.runFor(1100)
  await expect(error).toBeHidden()
  await advanceUntilEnabled(page, add)
  await add.click()
  await advanceUntilVisible(page, 'There was an error creating the team. Please try again.')
  await error.getByRole('button', { name: 'Close' }).click()
  await expect(error).toBeHidden()

  restore()
  await advanceUntilEnabled(page, add)
  await add.click()
  await advanceUntilVisible(page, 'Team Northline Racing created successfully!')
  const success = successOn(page)
  await expect(success).toContainText('Success')
  await expect(success).toHaveCSS('color', await colourOf(page, '--ok'))
  await expect(success.getByRole('button', { name: 'Close' })).toBeVisible()
  await page.clock.runFor(4000)
  await expect(success).toBeVisible()
  await page.clock.runFor(1100)
  await expect(success).toBeHidden()
})

// spec: NO-4 NO-5 CO-5
test('a toast stays 5 s through changes of screen, and none covers the drive screen', async ({
  open,
  person,
}) => {
  const ana = await person('Ana')
  const team = await ana.call.teams.create({ name: 'Night Owls' })
  await ana.call.sessions.start({ teamId: team.id, name: 'Stint 1' })
  const page = await open(ana)
  await page.clock.install()
  await page.goto(`/teams/${team.id}/members/invite`)
  await page.getByLabel('First Name').fill('Leo')
  await page.getByLabel('Last Name').fill('Garnier')
  await page.getByLabel('Email').fill('leo@example.com')
  const allow = await refuse(page, 'teams.invite', 'server-error')
  const invite = page.getByRole('button', { name: 'Invite', exact: true })
  await page.clock.pauseAt(Date.now() + 60_000)
  await invite.click()
  await advanceUntilVisible(page, 'Invite not sent')
  await page.clock.runFor(1500)
  await page.getByRole('link', { name: 'Back' }).click()
  await expect(page.getByRole('heading', { name: 'Your Team' })).toBeVisible()
  await page.clock.runFor(2500)
  await expect(errorOn(page)).toContainText('Invite not sent')
  await page.clock.runFor(1100)
  await expect(errorOn(page)).toBeHidden()
  allow()

  await page.clock.resume()
  await page.goto(`/teams/${team.id}`)
  const { status, body } = new Refusal('server-error')
  const held: Route[] = []
  const fail = (route: Route) => route.fulfill({ status, json: body })
  await page.route(/\/api\/sessions\.end$/, route => void held.push(route))
  const end = async () => {
    await page.getByRole('button', { name: 'End Session' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'End Session' }).click()
  }
  const drive = page.getByRole('link', { name: /Enter your existing Race Session/ })
  await end()
  await expect.poll(() => held.length).toBe(1)
  await fail(held[0] as Route)
  await expect(errorOn(page)).toContainText('Session not ended')
  await drive.click()
  await expect(page.getByText('No GPS')).toBeVisible()
  await expect(errorOn(page)).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(drive).toBeVisible()
  await expect(errorOn(page)).toBeHidden()

  await end()
  await expect.poll(() => held.length).toBe(2)
  await drive.click()
  await expect(page.getByText('No GPS')).toBeVisible()
  const answered = page.waitForResponse(/\/api\/sessions\.end$/)
  await fail(held[1] as Route)
  await answered
  await waitForPaint(page)
  await expect(errorOn(page)).toBeHidden()
  // The toast is shown on the next screen.
  await page.keyboard.press('Escape')
  await expect(errorOn(page)).toContainText('Session not ended')
})

/** Returns the computed value of a colour of tokens.css. */
function colourOf(page: Page, token: string): Promise<string> {
  return page.evaluate(name => {
    const probe = document.createElement('i')
    probe.style.color = `var(${name})`
    document.body.append(probe)
    const { color } = getComputedStyle(probe)
    probe.remove()
    return color
  }, token)
}
