import { expect, type Page } from '@playwright/test'
import { spaFrancorchamps } from '#contract/shared/circuits/spa-francorchamps.ts'
import { distanceM, type Position, planeAround } from '#contract/shared/geo.ts'
import { patience } from '#testing/patience.ts'
import { createTeam } from '#testing/people/createTeam.ts'
import { startInCar } from '#testing/people/roster.ts'
import { test } from '../fixtures.ts'

const wall = { viewport: { width: 1024, height: 768 }, colorScheme: 'dark' } as const
const { outline } = spaFrancorchamps

/** A point a fifth of the lap after start/finish. */
const onTrack = outline[Math.floor(outline.length / 5)]!

// spec: MP-1 MP-2 SP-5 MP-9 MP-10 MS-15
test('the map shows the circuit, and the car as a dot with letters within 1 km of it', async ({
  scene,
  open,
  messageUrl,
  gps,
}) => {
  const pit = await open(scene.ana, wall)
  await pit.goto(`${messageUrl}?view=map`)
  await expect(pit.getByRole('img', { name: /^Circuit de Spa-Francorchamps/ })).toBeVisible()
  await expect(mapOf(pit)).toContainText('© OpenStreetMap contributors')
  await expect(mapOf(pit)).toContainText('No position from the driver yet')
  await expect(carOn(pit)).toBeHidden()

  await gps({ ...onTrack, speed: 50 })
  await expect(carOn(pit)).toBeVisible()
  await expect(carOn(pit)).toHaveAttribute('data-latitude', onTrack.latitude.toFixed(6))
  await expect(mapOf(pit).getByText('GAR')).toBeVisible()
  await expect(trailOf(pit)).toHaveAttribute('d', /^M.+L/)
  await expect(trailOf(pit)).toBeVisible()

  await gps({ ...awayFromTrack(990), speed: 10 })
  await expect(trailOf(pit)).toHaveAttribute('d', '')
  await expect(carOn(pit)).toBeVisible()
  await gps({ ...awayFromTrack(1010), speed: 10 })
  await expect(mapOf(pit)).toContainText('Not near this circuit')
  await expect(carOn(pit)).toBeHidden()
  await expect(mapOf(pit).getByText('GAR')).toBeHidden()
})

// spec: MP-3 MP-9 MS-6
test('the dot has the colour of the message; the board shows the speed', async ({
  scene,
  open,
  messageUrl,
  gps,
  send,
}) => {
  const pit = await open(scene.ana, wall)
  await pit.goto(`${messageUrl}?view=map`)
  const board = pit.getByRole('region', { name: 'Current message' })
  await expect(board.getByText(/^--\s*km\/h$/)).toBeVisible()
  await gps({ ...onTrack, speed: 50 })
  await expect(board.getByText(/^180\s*km\/h$/)).toBeVisible()
  await expect(dotOn(pit)).toHaveCSS('fill', 'rgb(243, 245, 241)')

  await send('Pit')
  await expect(dotOn(pit)).toHaveCSS('fill', 'rgb(255, 216, 20)')
  await gps({ ...onTrack })
  await expect(board.getByText(/^--\s*km\/h$/)).toBeVisible()
  await expect(carOn(pit)).toBeVisible()
})

// spec: MP-11
test('an offline driver is a dashed ring at the last position, without a trail', async ({
  scene,
  open,
  messageUrl,
  phone,
  gps,
}) => {
  const pit = await open(scene.ana, wall)
  await pit.goto(`${messageUrl}?view=map`)
  await gps({ ...onTrack, speed: 50 })
  await expect(trailOf(pit)).toBeVisible()
  await expect(dotOn(pit)).toHaveCSS('stroke-dasharray', 'none')

  await phone.close()
  // Offline 5 s after the last contact; checked every 2.5 s.
  await expect(pit.getByRole('img', { name: 'Driver offline' })).toBeVisible({
    timeout: 20_000 * patience,
  })
  await expect(mapOf(pit)).toContainText('Last known position')
  await expect(dotOn(pit)).toHaveCSS('fill', 'none')
  await expect(dotOn(pit)).toHaveCSS('stroke-dasharray', /\d/)
  await expect(trailOf(pit)).toBeHidden()
  await expect(carOn(pit)).toHaveAttribute('data-latitude', onTrack.latitude.toFixed(6))

  // A page opened later shows the same.
  await pit.reload()
  await expect(dotOn(pit)).toHaveCSS('fill', 'none')
  await expect(carOn(pit)).toBeVisible()
})

test("the map shows the team's other cars, and marks one that is offline", async ({
  open,
  person,
}) => {
  const [ana, leo] = [await person('Ana'), await person('Leo')]
  const { id: teamId } = await createTeam(ana, [leo])
  const own = await startInCar(ana, teamId, { number: '17' })
  const other = await startInCar(leo, teamId, { number: '44' })
  const phone = await (await ana.connect()).keepAlive().drive(own.id)
  const otherPhone = await (await leo.connect()).keepAlive().drive(other.id)
  const pit = await open(ana, wall)
  await pit.goto(`/teams/${teamId}/${own.id}/message?view=map`)
  phone.send(fixAt(onTrack))
  await expect(carOn(pit)).toBeVisible()
  const second = mapOf(pit).locator('[data-other-car]')
  await expect(second).toBeHidden()

  otherPhone.send(fixAt(outline[0]!))
  await expect(second).toBeVisible()
  await expect(second).toHaveText('44')
  await expect(second).toHaveAttribute('data-live', 'true')

  otherPhone.socket.close()
  // Offline 5 s after the last contact; checked every 2.5 s.
  await expect(second).toHaveAttribute('data-live', 'false', { timeout: 20_000 * patience })
  await expect(second).toBeVisible()
})

function fixAt({ latitude, longitude }: Position) {
  return { t: 'fix' as const, at: Date.now(), la: latitude, lo: longitude, v: 180, ac: 4 }
}

/** Returns a position north of the circuit at this distance from its nearest point. */
function awayFromTrack(metres: number): Position {
  const north = outline.reduce((a, b) => (b.latitude > a.latitude ? b : a))
  const { toPosition } = planeAround(north)
  const nearestM = (northM: number) =>
    Math.min(...outline.map(point => distanceM(point, toPosition({ eastM: 0, northM }))))
  let northM = metres
  while (nearestM(northM) < metres) northM += 1
  return toPosition({ eastM: 0, northM })
}

function mapOf(pit: Page) {
  return pit.getByRole('region', { name: 'Map' })
}

function carOn(pit: Page) {
  return pit.locator('[data-car]')
}

function dotOn(pit: Page) {
  return carOn(pit).locator('circle').last()
}

function trailOf(pit: Page) {
  return pit.locator('[data-trail]')
}
