import { expect } from '@playwright/test'
import { createTeam } from '#testing/people/createTeam.ts'
import { test } from '../fixtures.ts'

test('keys send to the chosen car, and a connected television shows it', async ({
  open,
  person,
}) => {
  const ana = await person('Ana', 'Lindqvist')
  const leo = await person('Leo', 'Garnier')
  const { id: teamId } = await createTeam(ana, [leo])
  const cars = [ana, leo].map(({ call }, index) => ({ call, number: String(17 - index) }))
  for (const { call, number } of cars) {
    const id = crypto.randomUUID()
    const empty = { name: null, carClass: null, tankL: null, reserveL: null, burnL: null }
    await call.roster.saveCar({ teamId, car: { id, number, ...empty } })
    await call.sessions.start({ teamId, name: 'Six hours', carId: id })
  }

  const television = await open()
  await television.goto('/tv')
  const code = await television.locator('[data-code]').textContent()
  const page = await open(ana, { viewport: { width: 1440, height: 900 } })
  await page.goto('/tv/allow')
  await page.getByLabel('Code').fill(code?.replaceAll(/\D/g, '') ?? '')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Show the pit wall' }).click()
  const shown = television.getByRole('article')
  // In the order of the team's list of cars.
  await expect(shown).toHaveCount(2)
  await expect(shown.first()).toHaveAccessibleName('Car 17')
  await expect(television.getByRole('button')).toHaveCount(0)

  await page.goto(`/teams/${teamId}/wall`)
  const lane = page.getByRole('article', { name: 'Car 16' })
  await lane.waitFor()
  await page.keyboard.press('2')
  await expect(lane).toHaveAttribute('aria-current', 'true')
  await page.keyboard.press('Shift+P')
  await expect(lane).toContainText('PIT?')
  await expect(shown.last()).toContainText('PIT?')
  // An order cannot be asked.
  await page.keyboard.press('Shift+A')
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog')).toContainText('Keyboard shortcuts')
  await page.keyboard.press('g')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(shown.last()).toContainText('PIT?')

  await page.goto(`/teams/${teamId}/televisions`)
  await page.getByRole('button', { name: 'Disconnect Garage' }).click()
  await expect(television.locator('[data-code]')).toBeVisible()
})

test('keys stay with their car when another one starts; More closes when it ends', async ({
  open,
  person,
}) => {
  const ana = await person('Ana', 'Lindqvist')
  const leo = await person('Leo', 'Garnier')
  const { id: teamId } = await createTeam(ana, [leo])
  const empty = { name: null, carClass: null, tankL: null, reserveL: null, burnL: null }
  const carIds = [crypto.randomUUID(), crypto.randomUUID()] as const
  for (const [index, id] of carIds.entries())
    await ana.call.roster.saveCar({ teamId, car: { id, number: String(16 + index), ...empty } })
  const start = ({ call }: typeof ana, carId: string) =>
    call.sessions.start({ teamId, name: 'Six hours', carId })
  const second = await start(leo, carIds[1])

  const page = await open(ana, { viewport: { width: 1440, height: 900 } })
  await page.goto(`/teams/${teamId}/wall`)
  // By attribute: an open dialog hides them from roles.
  const lanes = page.locator('[data-lane]')
  await expect(lanes).toHaveCount(1)
  await page.keyboard.press('Shift+M')
  const sheet = page.getByRole('dialog', { name: 'More messages' })
  await expect(sheet).toContainText('17')
  await start(ana, carIds[0])
  await expect(lanes).toHaveCount(2)
  await expect(sheet).toContainText('17')

  await leo.call.sessions.end({ sessionId: second.id })
  await expect(sheet).toBeHidden()
  await expect(lanes).toHaveCount(1)
})

test('a message sent after a problem shows its own delivery beside the problem', async ({
  open,
  person,
}) => {
  const ana = await person('Ana', 'Lindqvist')
  const leo = await person('Leo', 'Garnier')
  const { id: teamId } = await createTeam(ana, [leo])
  const { id } = await leo.call.sessions.start({ teamId, name: 'Six hours' })
  const phone = await (await leo.connect()).drive(id)
  const answerId = crypto.randomUUID()
  phone.send({ t: 'answer', id: answerId, kind: 'Problem', version: 0, at: Date.now() })
  await phone.next('answer')
  phone.close()

  const page = await open(ana, { viewport: { width: 1440, height: 900 } })
  await page.goto(`/teams/${teamId}/wall`)
  const lane = page.getByRole('article')
  await expect(lane).toContainText('PROBLEM')
  await page.keyboard.press('p')
  await expect(lane).toContainText('PIT')
  await expect(lane).toContainText(/Sent \d+ s ago/)
  await expect(lane).toContainText('PROBLEM')
  await expect(lane.locator('[data-state="done"]')).toHaveCount(1)
})
