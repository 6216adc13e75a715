import { randomUUID } from 'node:crypto'
import { expect } from '@playwright/test'
import { noRules } from '#contract/shared/raceRules.ts'
import { pointAtProgress, trackOf } from '#contract/shared/track.ts'
import { flyingLap } from '#racing/practice/speedProfile.ts'
import { createTeam } from '#testing/people/createTeam.ts'
import { addCar } from '#testing/people/roster.ts'
import { driveRace } from '#testing/races.ts'
import { signIn, test } from '../fixtures.ts'

/** A flat oval of 900 m, so that the car reaches the pits within half a minute. */
const outline = Array.from({ length: 60 }, (_, index) => {
  const turn = (index * Math.PI) / 30
  return { latitude: 50 + 0.001 * Math.sin(turn), longitude: 5 + 0.0024 * Math.cos(turn) }
})
const { lengthM } = trackOf(flyingLap(outline))
const pits = {
  inM: lengthM - 150,
  outM: lengthM + 60,
  boxM: lengthM - 30,
  besideM: 20,
  limitMps: 60 / 3.6,
}
const circuitFile = JSON.stringify({
  type: 'FeatureCollection',
  features: [
    feature('Oval', 'LineString', [...outline, ...outline.slice(0, 1)].map(coordinatesOf)),
    feature('Line', 'Point', coordinatesOf(outline[0]!)),
    feature('Pit in', 'Point', placeAt(pits.inM)),
    feature('Pit out', 'Point', placeAt(pits.outM - lengthM)),
  ],
})

test('a stop on the wall: PIT, the clock, the driver, the litres, an early exit', async ({
  open,
  person,
  car,
  server,
}) => {
  // The car drives for a minute.
  test.slow()
  const [ana, leo] = [await person('Ana'), await person('Leo', 'Sommer')]
  const { id: teamId } = await createTeam(ana, [leo])
  const drivers = [
    { id: randomUUID(), name: 'Leo Sommer', userId: leo.id },
    { id: randomUUID(), name: 'Mia Lang', userId: null },
  ]
  const raceId = randomUUID()
  const minStop = { ms: 60_000, counts: 'lane' as const, onlyWithFuel: false }
  const car17 = await addCar(ana, teamId, '17', { tankL: 60, reserveL: 2, burnL: 1.5 })
  for (const driver of drivers) await ana.call.roster.saveDriver({ teamId, driver })
  await ana.call.circuits.import({ teamId, name: 'Oval', file: circuitFile })
  await ana.call.races.save({
    teamId,
    race: {
      id: raceId,
      name: 'Oval 6 hours',
      length: { in: 'time', ms: 6 * 3_600_000 },
      rules: { ...noRules, minStop, pitSpeedKmh: 60 },
      carIds: [car17.id],
    },
  })
  for (const change of [
    { kind: 'drivers' as const, driverIds: drivers.map(({ id }) => id) },
    { kind: 'lap' as const, lapMs: 26_000 },
  ])
    await ana.call.races.changePlan({ raceId, carId: car17.id, change })
  const session = await leo.call.sessions.start({ teamId, name: 'Race', carId: car17.id })
  const sessionId = session.id
  await ana.call.races.start({ raceId, at: session.startedAt })
  await ana.call.fills.setStart({ sessionId, litres: 40 })

  const wall = await open(ana, { viewport: { width: 1440, height: 900 } })
  await wall.goto(`/teams/${teamId}/wall`)
  const lane = wall.getByRole('article', { name: 'Car 17' })
  const stop = lane.getByRole('region', { name: 'Pit stop' })
  const events = wall.getByRole('log', { name: 'Events' })
  await expect(lane).toBeVisible()
  const phone = car.page
  await signIn(phone.context(), leo, server.url)
  await phone.goto(`/teams/${teamId}/${sessionId}/drive`)
  await expect(phone.getByText('Online')).toBeVisible()
  const laps = [{}, { pitStopS: 10 }, {}]
  const { fixes } = driveRace({ outline, pits, laps, startShare: 0.6, whiteM: 0.3, accuracyM: 4 })
  let isOver = false
  const driving = (async () => {
    for (const { speedMps, ...fix } of fixes)
      if (!isOver) await car.drive({ ...fix, speedMps: speedMps ?? 0 })
  })()

  await wall.keyboard.press('p')
  await expect(phone.getByRole('alert').getByText('Pit')).toBeVisible()
  await expect(lane).toContainText('Shown after')
  const key = wall.getByRole('button', { name: 'PIT', exact: true })
  await expect(key).toHaveAttribute('aria-pressed', 'true')

  // In the pits the stop replaces PIT, on the wall and on the driver's screen.
  await expect(stop.getByRole('timer')).toHaveText(/^0:\d\d$/, { timeout: 60_000 })
  await expect(stop).toContainText('Done in')
  await expect(stop).toContainText('Minimum 1:00')
  await expect(phone.getByRole('region', { name: 'Pit stop' })).toBeVisible()
  await expect(phone.getByRole('alert').getByText('Pit')).toBeHidden()
  await expect(key).toHaveAttribute('aria-pressed', 'false')
  await expect(lane).toContainText('PITobeyed')

  // A problem takes the stage: clock, driver and litres stay in reach.
  const proposal = lane.getByRole('region', { name: 'Driver change?' })
  await phone.keyboard.down('p')
  await expect(lane.getByRole('region', { name: 'PROBLEM' })).toBeVisible()
  await phone.keyboard.up('p')
  await expect(stop.getByRole('timer')).toBeVisible()
  await expect(lane.getByRole('button', { name: 'Enter' })).toBeVisible()
  await expect(proposal.getByRole('button', { name: /Mia Lang/ })).toBeVisible()
  await wall.keyboard.press('k')
  await expect(lane.getByRole('region', { name: 'PROBLEM' })).toBeHidden()
  await expect(stop.getByRole('timer')).toBeVisible()
  await expect(lane).toContainText('Ana has it')

  await expect(proposal).toContainText('Mia Lang')
  await wall.keyboard.press('d')
  const changed = lane.getByRole('region', { name: 'Driver change', exact: true })
  await expect(changed).toContainText(/OutLeo Sommer.*InMia Lang/)
  await expect(changed).toContainText('Confirmed by Ana')
  // No toast covers the clock: the lane shows the change, and undoes it.
  await expect(wall.getByText('is in car 17')).toHaveCount(0)
  await changed.getByRole('button', { name: 'Undo' }).click()
  await expect(proposal).toContainText('Mia Lang')
  await wall.keyboard.press('d')
  await expect(changed).toContainText('Confirmed by Ana')
  const stints = async () => (await ana.call.carRaces.ofSession({ sessionId })).stints
  expect(await stints()).toMatchObject(drivers.map(({ id }) => ({ driverId: id })))

  const amount = lane.getByRole('region', { name: 'Litres' })
  await expect(amount).toContainText('Litres, planned')
  await wall.keyboard.press('l')
  const sheet = wall.getByRole('dialog', { name: 'How many litres went in?' })
  await expect(sheet.locator(':focus')).toHaveCount(1)
  await wall.keyboard.type('21')
  await expect(sheet.getByLabel('Litres')).toHaveValue('21')
  await sheet.getByRole('button', { name: 'Filled to full' }).click()
  await expect(sheet).toBeHidden()
  await expect(amount).toContainText('21 L')
  await expect(amount).toContainText('by Ana')
  // The litres are asked for once.
  await expect(amount.getByRole('button')).toHaveCount(0)
  // They can be corrected at any time.
  await wall.keyboard.press('l')
  const entered = wall.getByRole('dialog', { name: '17 Fuel' })
  await expect(entered).toContainText('21 L, full')
  await wall.keyboard.press('Escape')
  await expect(entered).toBeHidden()

  // The exit was too early: an event and a plate show it, and the server has cleared PIT.
  await expect(stop).toBeHidden({ timeout: 60_000 })
  await expect(lane).toContainText(/Left 0:\d\d early/)
  await expect(events).toContainText(/Left 0:\d\d early/)
  await expect(events).toContainText('obeyed')
  const message = async () => (await ana.call.sessions.get({ sessionId })).message
  await expect.poll(message).toMatchObject({ type: null, obeyed: true })
  await expect(phone.getByRole('region', { name: 'Pit stop' })).toBeHidden()
  await expect(phone.getByRole('alert').getByText('Pit')).toBeHidden()
  const { fills, phones } = await ana.call.carRaces.ofSession({ sessionId })
  expect(fills).toMatchObject([{ litres: 40 }, { litres: 21 }])
  expect(phones[0]?.visits).toMatchObject([{ endedAt: expect.any(Number) }])
  isOver = true
  await driving
})

function coordinatesOf({ latitude, longitude }: { latitude: number; longitude: number }) {
  return [longitude, latitude]
}

function placeAt(alongM: number) {
  const track = trackOf(outline)
  return coordinatesOf(track.plane.toPosition(pointAtProgress(track, alongM / lengthM)))
}

function feature(name: string, type: string, coordinates: unknown) {
  return { type: 'Feature', properties: { name }, geometry: { type, coordinates } }
}
