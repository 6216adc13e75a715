import { randomUUID } from 'node:crypto'
import { expect } from '@playwright/test'
import { createRace } from '#testing/people/createRace.ts'
import { test } from '../fixtures.ts'
import { swapScene } from '../swapScene.ts'
import { phoneOptions, wordOn } from './driveScreen.ts'

test('after its race a car has one lane, and its phones go on in the race that starts', async ({
  open,
  person,
}) => {
  const { ana, leo, mia, teamId, raceId, first, second, putInCar } = await swapScene(person)
  await mia.call.sessions.end({ sessionId: second.id })
  await putInCar(first.id)
  await ana.call.races.end({ raceId })
  const kai = await mia.call.sessions.start({ teamId, name: 'New phone', carId: first.car!.id })
  const [phone, next] = [await open(leo, phoneOptions), await open(mia, phoneOptions)]
  await phone.goto(`/teams/${teamId}/${first.id}/drive`)
  await next.goto(`/teams/${teamId}/${kai.id}/drive`)
  await expect(next.getByText("Car 17 is driven by Leo's phone.")).toBeVisible()
  const wall = await open(ana, { viewport: { width: 1440, height: 900 } })
  await wall.goto(`/teams/${teamId}/wall`)
  const lanes = wall.getByRole('article')
  await expect(lanes).toHaveCount(1)
  const board = await open(ana, phoneOptions)
  await board.goto(`/teams/${teamId}/${first.id}/message`)

  await createRace(ana, teamId, { hours: 1, name: 'Retest' })
  await expect(phone).not.toHaveURL(new RegExp(first.id))
  await expect(phone).toHaveURL(/\/drive$/)
  await expect(next).toHaveURL(new RegExp(kai.id))
  await expect(board).not.toHaveURL(new RegExp(first.id))
  await expect(lanes).toHaveCount(1)
  const continued = (await leo.call.sessions.listActive({ teamId })).find(
    ({ driver }) => driver.id === leo.id,
  )
  await putInCar(continued!.id)
  const sessionId = continued!.id
  await ana.call.messages.set({ sessionId, type: 'SC', commandId: randomUUID() })
  await expect(wordOn(phone)).toHaveText('SC')
})
