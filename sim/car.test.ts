import { afterEach, beforeEach, expect, test } from 'vitest'
import { spaFrancorchamps } from '#contract/circuits/spa-francorchamps.ts'
import { distanceM } from '#contract/geo.ts'
import type { FixUp } from '#contract/live.ts'
import { protocol } from '#contract/liveRules.ts'
import { nearestOnTrack, trackOf } from '#contract/track.ts'
import { Peer, sessionId, teamId, userId } from './peer.ts'

let peer: Peer
beforeEach(async () => {
  peer = await Peer.listen()
})
afterEach(() => peer.close())

test('a car says hello, claims driving, and reports its position', async () => {
  peer.startCar()
  const connection = await peer.connection()
  expect(connection.authorization).toBe('Bearer secret')
  expect(await connection.next('hello')).toEqual({ t: 'hello', protocol })
  connection.send({ t: 'welcome', protocol, now: Date.now(), user: userId })
  expect(await connection.next('drive')).toEqual({ t: 'drive', session: sessionId })
  connection.snapshot()
  const fix = await connection.next('fix')
  expect(nearestOnTrack(trackOf(spaFrancorchamps.outline), place(fix)).offM).toBeLessThan(10)
  expect(fix.v).toBeGreaterThan(100)
  expect(fix.ac).toBe(4)
})

test('nothing is reported before the server confirms driving', async () => {
  peer.startCar()
  const connection = await peer.connection()
  connection.send({ t: 'welcome', protocol, now: Date.now(), user: userId })
  await connection.next('drive')
  // Long enough for a heartbeat, and for many fixes at 50 a second.
  await connection.next('beat')
  expect(connection.received('fix')).toEqual([])
})

test('a fix has the server’s time, not the machine’s', async () => {
  peer.startCar()
  const aheadMs = 3_600_000
  const connection = await peer.connection()
  connection.send({ t: 'welcome', protocol, now: Date.now() + aheadMs, user: userId })
  connection.snapshot()
  const { at } = await connection.next('fix')
  expect(Math.abs(at - Date.now() - aheadMs)).toBeLessThan(500)
})

test('at ten times the speed the car moves further, but reports real speeds', async () => {
  peer.startCar({ speed: 10 })
  const connection = await peer.driving()
  const fixes: FixUp[] = []
  while (fixes.length < 26) fixes.push(await connection.next('fix'))
  const [first, last] = [fixes[0]!, fixes[25]!]
  const movedM = distanceM(place(first), place(last))
  const metresAtRealSpeed = ((first.v! / 3.6) * (last.at - first.at)) / 1000
  expect(movedM / metresAtRealSpeed).toBeGreaterThan(6)
  expect(movedM / metresAtRealSpeed).toBeLessThan(14)
  for (const { v } of fixes) expect(v).toBeLessThan(260)
})

test('a stopped car sends park and closes its connection', async () => {
  const car = peer.startCar()
  const connection = await peer.driving()
  await car.stop()
  await connection.next('park')
  expect(await connection.closed).toBe(1000)
  expect(await car.ended).toEqual({ why: 'stopped' })
})

test('a car can be stopped while it is still connecting', async () => {
  const car = peer.startCar()
  await car.stop()
  expect(await car.ended).toEqual({ why: 'stopped' })
})

test('the end of the session ends the drive', async () => {
  const car = peer.startCar()
  const connection = await peer.driving()
  connection.send({ t: 'session-ended', team: teamId, session: sessionId })
  expect(await car.ended).toEqual({ why: 'session-ended' })
  await connection.closed
})

test('a car cannot drive another person’s session', async () => {
  const car = peer.startCar()
  const connection = await peer.connection()
  connection.send({ t: 'welcome', protocol, now: Date.now(), user: userId })
  connection.send({
    t: 'refused',
    re: 'drive',
    code: 'not-the-driver',
    message: 'Only the driver can.',
  })
  expect(await car.ended).toEqual({
    why: 'refused',
    code: 'not-the-driver',
    sentence: 'Only the driver can.',
  })
})

const place = ({ la, lo }: FixUp) => ({ latitude: la!, longitude: lo! })
