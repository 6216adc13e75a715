import { randomUUID } from 'node:crypto'
import { expect } from '@playwright/test'
import { test } from '../fixtures.ts'
import { swapScene } from '../swapScene.ts'
import { phoneOptions, wordOn } from './driveScreen.ts'

test('after its race a car has one lane, and the phone in it gets its orders', async ({
  open,
  person,
}) => {
  const { ana, mia, teamId, raceId, first, second, putInCar } = await swapScene(person)
  await mia.call.sessions.end({ sessionId: second.id })
  await putInCar(first.id)
  await ana.call.races.end({ raceId })
  const kai = await mia.call.sessions.start({ teamId, name: 'New phone', carId: first.car!.id })
  const next = await open(mia, phoneOptions)
  await next.goto(`/teams/${teamId}/${kai.id}/drive`)
  await expect(next.getByText("Car 17 is driven by Leo's phone.")).toBeVisible()
  const wall = await open(ana, { viewport: { width: 1440, height: 900 } })
  await wall.goto(`/teams/${teamId}/wall`)
  const lanes = wall.getByRole('article')
  await expect(lanes).toHaveCount(1)
  await putInCar(kai.id)
  await ana.call.messages.set({ sessionId: first.id, type: 'SC', commandId: randomUUID() })
  await expect(wordOn(next)).toHaveText('SC')
  await expect(lanes).toHaveCount(1)
})
