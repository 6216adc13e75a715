import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { WebSocketServer } from 'ws'
import type { FixDown } from '#contract/live.ts'
import { spaFrancorchamps } from '#contract/shared/circuits/spa-francorchamps.ts'
import { distanceM, planeAround } from '#contract/shared/geo.ts'
import { CloseCode } from '#contract/shared/liveRules.ts'
import { nearestOnTrack, trackOf } from '#contract/shared/track.ts'
import { type LiveScene, liveScene } from '#testing/live/liveScene.ts'
import { carScene, tokenOf } from './testing/carScene.ts'

let live: LiveScene
beforeAll(async () => {
  live = await liveScene()
})
afterAll(() => live[Symbol.asyncDispose]())

test('a car reports its position, speed, heading and phone to the team', async () => {
  const { startCar, team } = await carScene(live)
  startCar()
  const fix = await team.next('fix')
  expect(nearestOnTrack(trackOf(spaFrancorchamps.outline), place(fix)).offM).toBeLessThan(10)
  expect(fix.v).toBeGreaterThan(100)
  expect(fix.ac).toBe(4)
  const next = await team.next('fix')
  const { eastM, northM } = planeAround(place(fix)).toPoint(place(next))
  const headingRad = (fix.h! * Math.PI) / 180
  // The car moves where it heads, within 45°.
  const forwardM = eastM * Math.sin(headingRad) + northM * Math.cos(headingRad)
  expect(forwardM / Math.hypot(eastM, northM)).toBeGreaterThan(Math.SQRT1_2)
  const { phone } = await team.next('phone')
  expect(phone).toMatchObject({ presence: 'shown', gps: 'good' })
})

test('hz sets how many fixes are sent per second', async () => {
  const { startCar, team } = await carScene(live)
  startCar({ hz: 4 })
  const fixes: FixDown[] = []
  while (fixes.length < 10) fixes.push(await team.next('fix'))
  const intervals = fixes.slice(1).map(({ at }, index) => at - fixes[index]!.at)
  const median = intervals.toSorted((a, b) => a - b)[4]!
  expect(median).toBeGreaterThan(125)
  expect(median).toBeLessThan(500)
})

test('at ten times the speed the car moves further, but reports real speeds', async () => {
  const { startCar, team } = await carScene(live)
  startCar({ speed: 10 })
  const fixes: FixDown[] = []
  while (fixes.length < 9) fixes.push(await team.next('fix'))
  // Along the way: the car may be in a slow corner at the first fix, and back there at the last one.
  let [movedM, metresAtRealSpeed] = [0, 0]
  for (const [index, fix] of fixes.slice(1).entries()) {
    const before = fixes[index]!
    movedM += distanceM(place(before), place(fix))
    metresAtRealSpeed += ((before.v! + fix.v!) / 2 / 3.6) * ((fix.at - before.at) / 1000)
  }
  expect(movedM / metresAtRealSpeed).toBeGreaterThan(5)
  expect(movedM / metresAtRealSpeed).toBeLessThan(15)
  for (const { v } of fixes) expect(v).toBeLessThan(260)
})

test('a stopped car leaves the drive screen', async () => {
  const { startCar, team } = await carScene(live)
  const car = startCar()
  await team.next('fix')
  await car.stop()
  await team.next('phone', ({ phone }) => phone.presence === 'leaving')
  expect(await car.ended).toEqual({ why: 'stopped' })
})

test('a car can be stopped while it is still connecting', async () => {
  const { startCar } = await carScene(live)
  const car = startCar()
  await car.stop()
  expect(await car.ended).toEqual({ why: 'stopped' })
})

test('the end of the session ends the drive', async () => {
  const { startCar, team, session } = await carScene(live)
  const car = startCar()
  await team.next('fix')
  await live.leo.call.sessions.end({ sessionId: session.id })
  expect(await car.ended).toEqual({ why: 'session-ended' })
})

test('a car cannot drive a session that has ended', async () => {
  const { startCar, session } = await carScene(live)
  await live.leo.call.sessions.end({ sessionId: session.id })
  expect(await startCar().ended).toEqual({ why: 'session-ended' })
})

test('a car cannot drive another person’s session', async () => {
  const { startCar } = await carScene(live)
  const car = startCar({ token: tokenOf(live.ana), userId: live.ana.id })
  expect(await car.ended).toEqual({
    why: 'refused',
    code: 'not-the-driver',
    sentence: expect.stringMatching(/driver/),
  })
})

test('a drive screen opened later takes over from the car', async () => {
  const { startCar, team } = await carScene(live)
  const first = startCar()
  await team.next('fix')
  startCar()
  expect(await first.ended).toMatchObject({ why: 'refused', code: 'driven-elsewhere' })
})

test('a car whose login the server does not accept stops', async () => {
  const { startCar } = await carScene(live)
  expect(await startCar({ token: 'unknown' }).ended).toEqual({ why: 'signed-out' })
})

test('a car of another protocol version stops', async () => {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, path: '/live' })
  onTestFinished(() => server.close())
  server.on('connection', socket => socket.close(CloseCode.wrongProtocol))
  await once(server, 'listening')
  const { startCar } = await carScene(live)
  const car = startCar({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
  expect(await car.ended).toEqual({ why: 'outdated' })
})

const place = ({ la, lo }: FixDown) => ({ latitude: la!, longitude: lo! })
