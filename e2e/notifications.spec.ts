import { expect, type Page } from '@playwright/test'
import { refuse } from './answers.ts'
import { test } from './crew.ts'
import { errorOn, successOn } from './told.ts'

/** Lets the page's stopped time go on in small steps until something is seen. */
async function untilSeen(page: Page, text: string) {
  await expect(async () => {
    await page.clock.runFor(20)
    await expect(page.getByText(text)).toBeVisible({ timeout: 100 })
  }).toPass()
}

// spec: NO-1 NO-2 NO-3 NO-4 CO-5
test('a success leaves after 5 s, an error when it is closed', async ({ open, person }) => {
  const page = await open(await person('Ana'))
  await page.clock.install()
  await page.goto('/teams/create')
  const add = page.getByRole('button', { name: 'Add', exact: true })
  await page.getByLabel('Team Name').fill('Northline Racing')
  await expect(add).toBeEnabled()
  await page.clock.pauseAt(Date.now() + 60_000)

  const mend = await refuse(page, 'teams.create', 'server-error')
  await add.click()
  await untilSeen(page, 'There was an error creating the team. Please try again.')
  const error = errorOn(page)
  await expect(error).toContainText('Error')
  await expect(error).toHaveCSS('color', await colourOf(page, '--err'))
  await page.clock.runFor(60_000)
  await expect(error).toBeVisible()
  await error.getByRole('button', { name: 'Close' }).click()
  await expect(error).toBeHidden()

  mend()
  await add.click()
  await untilSeen(page, 'Team Northline Racing created successfully!')
  const success = successOn(page)
  await expect(success).toContainText('Success')
  await expect(success).toHaveCSS('color', await colourOf(page, '--ok'))
  await expect(success.getByRole('button', { name: 'Close' })).toBeVisible()
  await page.clock.runFor(4900)
  await expect(success).toBeVisible()
  await page.clock.runFor(200)
  await expect(success).toBeHidden()
})

/** A colour of tokens.css as the browser computes it. */
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
