import { randomBytes } from 'node:crypto'
import { expect, type Locator, type Page } from '@playwright/test'
import { memberPhotoName } from '#contract/shared/fileRules.ts'
import { pictures } from '#testing/files/pictures.ts'
import { createTeam } from '#testing/people/createTeam.ts'
import { signIn, test } from '../fixtures.ts'
import { hold, refuse } from '../mockApi.ts'

test('photo and logo replace the three letters for the whole team', async ({
  pit,
  car,
  server,
  person,
}) => {
  const [ana, leo] = [await person('Ana', 'Lindqvist'), await person('Leo', 'Garnier')]
  await signIn(pit.context(), ana, server.url)
  await signIn(car.page.context(), leo, server.url)
  const { id: teamId } = await createTeam(ana, [leo])
  await ana.call.sessions.start({ teamId, name: 'Friday practice 1' })
  const phone = car.page
  await pit.goto(`/teams/${teamId}/members`)
  const dialog = pit.getByRole('dialog')
  const own = pit.getByRole('listitem').filter({ hasText: 'Ana Lindqvist' })

  await test.step('a file that is not a picture is refused and stays selected', async () => {
    await expect(own).toContainText('LIN')
    await pit.getByRole('button', { name: 'Your photo' }).click()
    await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled()
    await choose(pit, { name: 'portrait.png', mimeType: 'image/png', buffer: Buffer.from('Text') })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog.getByRole('alert')).toHaveText('Use a PNG, JPEG or WebP picture.')
    await expect(dialog).toContainText('portrait.png')
    await expect(dialog.getByRole('button', { name: 'Try again' })).toBeEnabled()
  })

  await test.step('a file above 5 MB is refused', async () => {
    const buffer = randomBytes(6 * 2 ** 20)
    await choose(pit, { name: 'large.png', mimeType: 'image/png', buffer })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog.getByRole('alert')).toHaveText('Use a file of at most 5 MB.')
    expect(await ana.call.files.list({ teamId })).toEqual([])
  })

  await test.step('without a network the selection is kept, and a retry uploads it', async () => {
    await choose(pit, await photoOf(pit, 2000, 1500))
    await expectPicture(dialog)
    await pit.route('**/api/files.upload', route => route.abort())
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog.getByRole('alert')).toContainText('The server did not respond.')
    await pit.unroute('**/api/files.upload')
    await dialog.getByRole('button', { name: 'Try again' }).click()
    await expect(pit.getByText('Picture saved')).toBeVisible()
    await expect(dialog).toBeHidden()
  })

  await test.step('a large photo is resized before the upload', async () => {
    await expectPicture(own, { width: 512, height: 384 })
    const [photo] = await ana.call.files.list({ teamId })
    expect(photo).toMatchObject({ name: memberPhotoName(ana.id), contentType: 'image/jpeg' })
    expect(photo!.sizeBytes).toBeLessThan(100_000)
  })

  await test.step('the team gets a logo', async () => {
    await pit.getByRole('button', { name: 'Team logo' }).click()
    await choose(pit, { name: 'logo.png', mimeType: 'image/png', buffer: pictures.png })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toBeHidden()
    await expectPicture(pit.getByRole('button', { name: 'Team logo' }), { width: 3, height: 2 })
  })

  await test.step('the other member sees both on every plate', async () => {
    await phone.goto('/teams')
    await expectPicture(phone.getByRole('link', { name: 'Northline Racing' }))
    await phone.getByRole('link', { name: 'Northline Racing' }).click()
    await expectPicture(phone.getByRole('main'))
    await expectPicture(phone.getByRole('link', { name: /Friday practice 1/ }))
    await phone.getByRole('link', { name: 'Members' }).click()
    const members = phone.getByRole('listitem')
    await expectPicture(members.filter({ hasText: 'Ana Lindqvist' }))
    await expect(members.filter({ hasText: 'Leo Garnier' }).locator('img')).toHaveCount(0)
    await expect(members.filter({ hasText: 'Ana' }).getByRole('button')).toHaveCount(0)
  })

  await test.step('the profile shows the photo', async () => {
    await pit.goto('/teams')
    await expectPicture(pit.getByRole('button', { name: 'Your profile' }))
  })

  await test.step('without the photo the letters are shown again', async () => {
    await pit.goto(`/teams/${teamId}/members`)
    await expectPicture(own)
    await pit.getByRole('button', { name: 'Your photo' }).click()
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await expect(pit.getByText('Picture removed')).toBeVisible()
    await expect(own.locator('img')).toHaveCount(0)
    await expect(own).toContainText('LIN')
  })
})

test('Cancel aborts an upload, but not a removal', async ({ open, person }) => {
  const ana = await person('Ana', 'Lindqvist')
  const { id: teamId } = await ana.call.teams.create({ name: 'Northline Racing' })
  const page = await open(ana)
  await page.goto(`/teams/${teamId}/members`)
  const dialog = page.getByRole('dialog')
  const uploads: string[] = []
  await page.route('**/api/files.upload', route => void uploads.push(route.request().method()))
  const logo = { name: 'logo.png', mimeType: 'image/png', buffer: pictures.png }
  for (const leave of [
    () => dialog.getByRole('button', { name: 'Cancel' }).click(),
    () => page.keyboard.press('Escape'),
  ]) {
    await page.getByRole('button', { name: 'Team logo' }).click()
    await choose(page, logo)
    const sent = page.waitForRequest('**/api/files.upload')
    const stopped = page.waitForEvent('requestfailed', request =>
      /files\.upload/.test(request.url()),
    )
    await dialog.getByRole('button', { name: 'Save' }).click()
    await sent
    await leave()
    expect((await stopped).failure()?.errorText).toBe('net::ERR_ABORTED')
    await expect(dialog).toBeHidden()
  }
  expect(uploads).toHaveLength(2)
  await page.unroute('**/api/files.upload')

  await page.getByRole('button', { name: 'Team logo' }).click()
  await choose(page, logo)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Picture saved')).toBeVisible()
  await page.getByRole('button', { name: 'Team logo' }).click()
  await refuse(page, 'files.delete', 'server-error')
  const release = await hold(page, 'files.delete')
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeDisabled()
  await page.keyboard.press('Escape')
  await release()
  await expect(dialog.getByRole('alert')).toHaveText('The server could not do that. Try again.')
})

interface Chosen {
  name: string
  mimeType: string
  buffer: Buffer
}

async function choose(page: Page, file: Chosen) {
  const fileChooser = page.waitForEvent('filechooser')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Choose/ })
    .click()
  await (await fileChooser).setFiles(file)
}

/** Returns a JPEG of this size, like a photo of a phone's camera. */
async function photoOf(page: Page, width: number, height: number): Promise<Chosen> {
  const url = await page.evaluate(
    size => {
      const canvas = Object.assign(document.createElement('canvas'), size)
      const context = canvas.getContext('2d')!
      context.fillStyle = 'teal'
      context.fillRect(0, 0, size.width / 2, size.height)
      return canvas.toDataURL('image/jpeg')
    },
    { width, height },
  )
  const buffer = Buffer.from(url.slice(url.indexOf(',') + 1), 'base64')
  return { name: 'IMG_0001.jpg', mimeType: 'image/jpeg', buffer }
}

/** Expects a picture that was decoded, of this size if given. */
async function expectPicture(place: Locator, size?: { width: number; height: number }) {
  const picture = place.locator('img').first()
  await expect(picture).toBeVisible()
  await expect(picture).toHaveAttribute('alt', '')
  const real = () =>
    picture.evaluate((img: HTMLImageElement) => ({
      width: img.naturalWidth,
      height: img.naturalHeight,
    }))
  if (size) await expect.poll(real).toEqual(size)
  else await expect.poll(async () => (await real()).width).toBeGreaterThan(0)
}
