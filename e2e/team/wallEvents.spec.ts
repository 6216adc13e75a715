import { expect } from '@playwright/test'
import { createTeam } from '#testing/people/createTeam.ts'
import { startInCar } from '#testing/people/roster.ts'
import { test } from '../fixtures.ts'
import { recordCalls } from '../mockApi.ts'

test('a wall that is opened lists earlier orders, and an order to all as one', async ({
  open,
  person,
}) => {
  const [ana, leo] = [await person('Ana'), await person('Leo')]
  const { id: teamId } = await createTeam(ana, [leo])
  const { id: first } = await startInCar(ana, teamId, { number: '7' })
  const { id: second } = await startInCar(leo, teamId, { number: '12' })
  const send = (sessionId: string, type: 'Push' | 'FCY' | 'Easy', pressedAt = Date.now()) =>
    ana.call.messages.set({ sessionId, type, pressedAt, commandId: crypto.randomUUID() })
  await send(first, 'Push')
  const pressedAt = Date.now()
  for (const id of [first, second]) await send(id, 'FCY', pressedAt)
  await send(second, 'Easy')

  const page = await open(ana, { viewport: { width: 1440, height: 900 } })
  const requests = recordCalls(page, 'messages.log')
  await page.goto(`/teams/${teamId}/wall`)
  const rows = page.getByRole('log', { name: 'Events' }).getByRole('listitem')
  await expect(rows).toContainText(['EASY', 'FCY', 'PUSH'])
  await expect(rows.nth(1)).toContainText('All')
  await expect(rows.nth(1)).toContainText('FCY: Shown on 0 of 2, not on 7, 12')
  expect(requests).toHaveLength(2)
  await page.reload()
  await expect(rows).toContainText(['EASY', 'FCY', 'PUSH'])
})
