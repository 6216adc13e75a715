import { expect } from '@playwright/test'
import { addMember } from '#testing/people/addMember.ts'
import { test } from '../fixtures.ts'

/** An oval of 900 m, as a route of a GPX file. */
const oval = Array.from({ length: 60 }, (_, index) => {
  const turn = (index * Math.PI) / 30
  const [lat, lon] = [50 + 0.001 * Math.sin(turn), 5 + 0.0024 * Math.cos(turn)]
  return `<rtept lat="${lat}" lon="${lon}"/>`
}).join('')

test('a car whose circuit is not known yet is named in the list and on each circuit', async ({
  open,
  person,
}) => {
  const [ana, leo] = [await person('Ana'), await person('Leo')]
  const { id: teamId } = await ana.call.teams.create({ name: 'Northline Racing' })
  await addMember(ana, teamId, leo)
  await leo.call.sessions.start({ teamId, name: 'Without laps', lapTiming: false })
  const page = await open(ana)
  await page.goto(`/teams/${teamId}/circuits/zolder`)
  await expect(page.getByText('No car is on this circuit now.')).toBeVisible()
  const { driver } = await ana.call.sessions.start({ teamId, name: 'Practice' })
  const name = `${driver.firstName} ${driver.lastName}`
  await expect(page.getByText(`The circuit of the car of ${name} is not known yet.`)).toBeVisible()
  await page.getByRole('link', { name: 'Circuits' }).click()
  const unknown = page.getByRole('link', { name: /^Circuit not known yet/ })
  await expect(unknown).toHaveText(/driven by the car of .*\. Known after one full lap\./)
  await unknown.click()
  await expect(page.getByRole('heading', { name: 'Circuit not known yet' })).toBeVisible()
})

test('a circuit is imported, renamed and deleted, and open pages follow (R13)', async ({
  open,
  person,
}) => {
  const [ana, leo] = [await person('Ana'), await person('Leo')]
  const { id: teamId } = await ana.call.teams.create({ name: 'Northline Racing' })
  await addMember(ana, teamId, leo)
  const [page, other] = [await open(ana), await open(leo)]
  await page.goto(`/teams/${teamId}`)
  await page.getByRole('link', { name: 'Circuits' }).click()
  await other.goto(`/teams/${teamId}/circuits`)
  await expect(other.getByRole('link', { name: /Circuit Zolder/ })).toBeVisible()

  await page.getByRole('button', { name: 'Import a file' }).click()
  await page.getByLabel('File', { exact: true }).setInputFiles({
    name: 'notes.gpx',
    mimeType: 'application/gpx+xml',
    buffer: Buffer.from('no circuit'),
  })
  await expect(page.getByLabel('Name')).toHaveValue('notes')
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(page.getByRole('alert')).toHaveText('This is neither a GeoJSON nor a GPX file.')
  await page.getByLabel('File', { exact: true }).setInputFiles({
    name: 'kart_track.gpx',
    mimeType: 'application/gpx+xml',
    buffer: Buffer.from(`<gpx><rte>${oval}</rte></gpx>`),
  })
  await expect(page.getByLabel('Name')).toHaveValue('kart track')
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'kart track', level: 1 })).toBeVisible()
  await expect(page.getByText('Anticlockwise', { exact: true })).toBeVisible()
  await expect(other.getByRole('link', { name: /kart track/ })).toBeVisible()

  const menu = page.getByRole('button', { name: 'Change this circuit' })
  await menu.click()
  await page.getByRole('menuitem', { name: 'Reverse the direction' }).click()
  await expect(page.getByText('Clockwise', { exact: true })).toBeVisible()
  await menu.click()
  const downloading = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Export as GPX' }).click()
  expect((await downloading).suggestedFilename()).toBe('circuit.gpx')
  await menu.click()
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Genk')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(other.getByRole('link', { name: /Genk/ })).toBeVisible()

  await page.getByRole('button', { name: 'Set the line on the map' }).click()
  const slider = page.getByRole('slider', { name: 'Place of the line' })
  const before = Number(await slider.inputValue())
  const drawing = page.getByRole('img', { name: /Circuit Genk/ })
  const box = await drawing.boundingBox()
  await drawing.click({ position: { x: (box?.width ?? 0) / 2, y: (box?.height ?? 0) * 0.32 } })
  await expect
    .poll(async () => Math.abs(Number(await slider.inputValue()) - before))
    .toBeGreaterThan(100)
  await slider.press('ArrowRight')
  await page.getByRole('button', { name: 'Set the line', exact: true }).click()
  await expect(page.getByText('Line is set. Laps recalculated.')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Undone. Laps recalculated.')).toBeVisible()

  await menu.click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await expect(page).toHaveURL(new RegExp(`/teams/${teamId}/circuits$`))
  await expect(other.getByRole('link', { name: /Genk/ })).toHaveCount(0)
})
