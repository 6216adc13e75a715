import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import type { Stage } from './stage.ts'
import { type State, watching } from './state.ts'

const picture = join(import.meta.dirname, '../../web/public/icon-512.png')

/** Pictures that replace three letters, and the dialog to choose them. */
export const pictureStates: readonly State[] = [
  watching('picture-dialog', (page, { quietTeam }) => openDialog(page, quietTeam.id, 'Team logo')),
  watching('picture-refused', async (page, { quietTeam }) => {
    await openDialog(page, quietTeam.id, 'Your photo')
    await choose(page, { name: 'helmet.png', mimeType: 'image/png', buffer: Buffer.from('Text') })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').getByRole('alert').waitFor()
  }),
  watching('picture-chosen', { from: 'picture-dialog' }, page => choose(page, picture)),
  watching('pictures', showPictures),
]

async function showPictures(page: Page, { quietTeam }: Stage) {
  for (const name of ['Team logo', 'Your photo']) {
    await openDialog(page, quietTeam.id, name)
    await choose(page, picture)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  await page.reload()
  await expect(page.getByRole('main').locator('img')).toHaveCount(2)
}

async function openDialog(page: Page, teamId: string, name: string) {
  await page.goto(`/teams/${teamId}/members`)
  await page.getByRole('button', { name }).click()
  await page.getByRole('dialog').waitFor()
}

async function choose(
  page: Page,
  file: string | { name: string; mimeType: string; buffer: Buffer },
) {
  const fileChooser = page.waitForEvent('filechooser')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Choose/ })
    .click()
  await (await fileChooser).setFiles(file)
}
