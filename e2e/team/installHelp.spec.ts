import { expect } from '@playwright/test'
import { test } from '../fixtures.ts'
import { becomeIphone } from '../screens/teamHomeStates.ts'

const android =
  'Mozilla/5.0 (Linux; Android 15; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Mobile Safari/537.36'

test('a phone shows how to install the app, until that is hidden', async ({ open, person }) => {
  const ana = await person('Ana')
  const { id: teamId } = await ana.call.teams.create({ name: 'Northline Racing' })
  const install = (of: Awaited<ReturnType<typeof open>>) =>
    of.getByRole('button', { name: /^Install Pitboard/ })

  await test.step('written steps on an iPhone', async () => {
    const page = await open(ana)
    await becomeIphone(page)
    await page.goto(`/teams/${teamId}`)
    await install(page).click()
    const dialog = page.getByRole('dialog', { name: 'Install Pitboard on this phone' })
    await expect(dialog.getByRole('listitem')).toHaveCount(3)
    await expect(dialog).toContainText('Add to Home Screen')
    await dialog.getByRole('button', { name: "Don't show this again" }).click()
    await expect(install(page)).toBeHidden()
    await page.reload()
    await expect(page.getByRole('link', { name: 'Start a new Race Session' })).toBeVisible()
    await expect(install(page)).toBeHidden()
  })

  await test.step("the browser's own dialog on Android, if it offers one", async () => {
    const page = await open(ana, { userAgent: android })
    await page.goto(`/teams/${teamId}`)
    await expect(install(page)).toBeVisible()
    // The page listens once it is idle, so the event is repeated.
    await expect(async () => {
      const caught = await page.evaluate(() => {
        const offer = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), {
          prompt: () => {
            document.title = 'Prompted'
            return Promise.resolve()
          },
        })
        return !window.dispatchEvent(offer)
      })
      expect(caught).toBe(true)
    }).toPass()
    await install(page).click()
    await expect(page).toHaveTitle('Prompted')
  })

  await test.step('nothing on a computer', async () => {
    const page = await open(ana)
    await page.goto(`/teams/${teamId}`)
    await expect(page.getByRole('link', { name: 'Start a new Race Session' })).toBeVisible()
    await expect(install(page)).toBeHidden()
  })
})
