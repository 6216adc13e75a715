import { expect } from '@playwright/test'
import { phoneOptions, waitForPaint } from '../drive/driveScreen.ts'
import { test } from '../fixtures.ts'

test('a drive screen with missing code stays usable, and reloads later', async ({
  scene,
  open,
  driveUrl,
  send,
}) => {
  const phone = await open(scene.leo, phoneOptions)
  await phone.clock.install()
  await phone.route(/\/assets\/SignedInNotices-/, route => route.abort('internetdisconnected'))
  const failed = phone.waitForEvent('requestfailed', request => isBackground(request.url()))
  await phone.goto(driveUrl)
  await failed
  await expect(phone.getByText('Online')).toBeVisible()
  await send('Pit')
  await expect(phone.getByRole('alert')).toHaveText('Pit')

  // The page may reload at any time from now on.
  const loaded = phone.waitForResponse(/\/assets\/SignedInNotices-/)
  await phone.unroute(/\/assets\/SignedInNotices-/)
  await phone.clock.fastForward(5000)
  await loaded
  await expect(phone.getByRole('alert')).toHaveText('Pit')
})

test('a page with missing code does not reload while a form is open', async ({ scene, open }) => {
  const page = await open(scene.leo)
  await page.clock.install()
  await page.route(/\/assets\/SignedInNotices-/, route => route.abort('internetdisconnected'))
  const failed = page.waitForEvent('requestfailed', request => isBackground(request.url()))
  await page.goto('/teams/create')
  await failed
  const reloads: string[] = []
  page.on('request', request => {
    if (request.isNavigationRequest()) reloads.push(request.url())
  })
  await page.getByLabel('Team Name').fill('Night Owls II')
  await page.unroute(/\/assets\/SignedInNotices-/)
  await page.clock.fastForward(20_000)
  await waitForPaint(page)
  await expect(page.getByLabel('Team Name')).toHaveValue('Night Owls II')
  expect(reloads).toEqual([])

  const loaded = page.waitForResponse(/\/assets\/SignedInNotices-/)
  await page.getByRole('link', { name: 'Back' }).click()
  await expect(page.getByRole('link', { name: 'Night Owls' })).toBeVisible()
  await page.clock.fastForward(5000)
  await loaded
})

function isBackground(url: string): boolean {
  return url.includes('/assets/SignedInNotices-')
}
