import { truncate, writeFile } from 'node:fs/promises'
import { expect, type Locator, type Page } from '@playwright/test'
import { maxRecordingUploadBytes } from '#contract/shared/recordingRules.ts'
import { drivenFixes } from '#testing/live/drivenLaps.ts'
import { test } from '../fixtures.ts'

test('a member imports a recording, and sees its laps', async ({ open, person }) => {
  const ana = await person('Ana')
  const { id: teamId } = await ana.call.teams.create({ name: 'Northline Racing' })
  const page = await open(ana)
  await page.goto(`/teams/${teamId}/sessions`)
  await page.getByRole('button', { name: 'Import a recording' }).click()
  const dialog = page.getByRole('dialog')
  const choose = (rows: string) =>
    dialog.getByLabel('File', { exact: true }).setInputFiles({
      name: 'Spring race.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`t_s,latitude_deg,longitude_deg,speed_kmh\n${rows}`),
    })
  await choose('hello')
  await expect(dialog.getByLabel('Name')).toHaveValue('Spring race')
  await dialog.getByRole('button', { name: 'Import' }).click()
  await expect(dialog.getByRole('alert')).toContainText(
    'the column “latitude_deg” is empty in row 2',
  )

  await choose(
    drivenFixes(0, { laps: 4 })
      .map(({ at, latitude, longitude, speedKmh }) =>
        [at / 1000, latitude, longitude, speedKmh].join(','),
      )
      .join('\n'),
  )
  await dialog.getByRole('button', { name: 'Import' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Enter the day')
  const day = new Date(Date.now() - 30 * 24 * 60 * 60 * 1000).toISOString().slice(0, 10)
  await dialog.getByLabel('Day').fill(day)
  await dialog.getByRole('button', { name: 'Import' }).click()
  await expect(page).toHaveURL(/\/laps$/)
  await expect(page.getByText('Spring race, Ana Tester.')).toBeVisible()
  await expect(page.getByText('Stint 1')).toBeVisible()
})

test('an ambiguous date is shown, and the entered day decides how it is read', async ({
  open,
  person,
}) => {
  const ana = await person('Ana')
  const { id: teamId } = await ana.call.teams.create({ name: 'Northline Racing' })
  const page = await open(ana)
  await page.goto(`/teams/${teamId}/sessions`)
  await page.getByRole('button', { name: 'Import a recording' }).click()
  const dialog = page.getByRole('dialog')
  // The name of a wrong file is replaced.
  const wrong = { name: 'Notes.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') }
  await dialog.getByLabel('File', { exact: true }).setInputFiles(wrong)
  await expect(dialog.getByLabel('Name')).toHaveValue('Notes')
  const rows = Array.from({ length: 9 }, (_, n) => `13000${n} +3000.${n} -300`)
  const head = ['[header]', '[column names]', 'time lat long', '[data]']
  await dialog.getByLabel('File', { exact: true }).setInputFiles({
    name: 'Race.vbo',
    mimeType: 'text/plain',
    buffer: Buffer.from(['File created on 05/06/2025 @ 10:00', ...head, ...rows].join('\n')),
  })
  await expect(dialog.getByText('05/06/2025 in the file is read as June 5, 2025')).toBeVisible()
  await expect(dialog.getByLabel('Name')).toHaveValue('Race')
  await dialog.getByLabel('Day').fill('2025-05-06')
  await dialog.getByRole('button', { name: 'Import' }).click()
  await expect(page).toHaveURL(/\/laps$/)
  const { sessions } = await ana.call.sessions.list({ teamId })
  expect(sessions.map(({ startedAt }) => startedAt)).toEqual([Date.UTC(2025, 4, 6, 13)])
})

test('a recording that is too large is refused before it is sent', async ({ open, person }) => {
  const ana = await person('Ana')
  const { id: teamId } = await ana.call.teams.create({ name: 'Northline Racing' })
  const page = await open(ana)
  await page.goto(`/teams/${teamId}/sessions`)
  await page.getByRole('button', { name: 'Import a recording' }).click()
  const dialog = page.getByRole('dialog')
  const sent: string[] = []
  page.on('request', request => sent.push(request.url()))
  // The content of a file without a path would be sent to the browser through its debugging protocol.
  const file = test.info().outputPath('Day.csv.gz')
  await writeFile(file, '')
  await truncate(file, maxRecordingUploadBytes + 1)
  await dialog.getByLabel('File', { exact: true }).setInputFiles(file)
  await dialog.getByRole('button', { name: 'Import' }).click()
  await expect(dialog.getByRole('alert')).toContainText('256 MB, and 24 MB compressed')
  expect(sent.filter(url => url.includes('/recordings'))).toEqual([])
})

test('on a phone the buttons stay on the screen below an error and progress', async ({
  open,
  person,
}) => {
  const ana = await person('Ana')
  const { id: teamId } = await ana.call.teams.create({ name: 'Northline Racing' })
  const page = await open(ana, { viewport: { width: 390, height: 844 } })
  const dialog = await chooseUnreadableFile(page, teamId)
  const expectButtons = async () => {
    for (const name of ['Cancel', 'Import'])
      await expect(dialog.getByRole('button', { name })).toBeInViewport({ ratio: 1 })
  }
  await dialog.getByRole('button', { name: 'Import' }).click()
  await expect(dialog.getByRole('alert')).toBeInViewport({ ratio: 1 })
  await expectButtons()
  await page.route('**/recordings?*', () => {})
  await dialog.getByRole('button', { name: 'Import' }).click()
  await expect(dialog.getByRole('status')).toBeInViewport({ ratio: 1 })
  await expectButtons()
})

test('on a phone in landscape the dialog scrolls to the progress and Cancel', async ({
  open,
  person,
}) => {
  const ana = await person('Ana')
  const { id: teamId } = await ana.call.teams.create({ name: 'Northline Racing' })
  const page = await open(ana, { viewport: { width: 844, height: 390 } })
  const dialog = await chooseUnreadableFile(page, teamId)
  await page.route('**/recordings?*', () => {})
  await dialog.getByLabel('Name').press('Enter')
  await expect(dialog.getByRole('status')).toBeInViewport({ ratio: 1 })
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeInViewport({ ratio: 1 })
})

test('a running import can be cancelled, and the page stays where it is', async ({
  open,
  person,
}) => {
  const ana = await person('Ana')
  const { id: teamId } = await ana.call.teams.create({ name: 'Northline Racing' })
  const page = await open(ana)
  const path = `/teams/${teamId}/sessions`
  await page.goto(path)
  await page.getByRole('button', { name: 'Import a recording' }).click()
  const dialog = page.getByRole('dialog')
  await dialog
    .getByLabel('File', { exact: true })
    .setInputFiles({ name: 'Race.csv', mimeType: 'text/csv', buffer: Buffer.from('x') })
  await page.route('**/recordings?*', () => {})
  await dialog.getByRole('button', { name: 'Import' }).click()
  await expect(dialog.getByRole('status')).toBeVisible()
  const aborted = page.waitForEvent('requestfailed', request =>
    request.url().includes('/recordings'),
  )
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await aborted
  await expect(dialog).toBeHidden()
  await expect(page).toHaveURL(path)
})

/** Opens the import dialog of a team, and chooses a file that is not a recording. */
async function chooseUnreadableFile(page: Page, teamId: string): Promise<Locator> {
  await page.goto(`/teams/${teamId}/sessions`)
  await page.getByRole('button', { name: 'Import a recording' }).click()
  const dialog = page.getByRole('dialog')
  await dialog
    .getByLabel('File', { exact: true })
    .setInputFiles({ name: 'Race.csv', mimeType: 'text/csv', buffer: Buffer.from('x') })
  return dialog
}
