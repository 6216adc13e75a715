import { afterEach, beforeEach, expect, test } from 'vitest'
import { CloseCode, protocol } from '#contract/liveRules.ts'
import { retryWaitMs } from './line.ts'
import { message, Peer, userId } from './peer.ts'

let peer: Peer
beforeEach(async () => {
  peer = await Peer.listen()
})
afterEach(() => peer.close())

test('after a lost line the car comes back, takes the wheel, and says again what got lost', async () => {
  peer.startCar({ copyAfterMs: 10 })
  const first = await peer.driving()
  first.message(message(7, 'Push'))
  const reached = await first.next('receipt')
  await first.next('receipt')
  await first.next('receipt')
  first.socket.terminate()

  const second = await peer.line()
  expect(await second.next('hello')).toEqual({ t: 'hello', protocol })
  second.send({ t: 'welcome', protocol, now: Date.now(), user: userId })
  await second.next('drive')
  second.snapshot({ ...message(7, 'Push'), reachedAt: reached.at })
  expect(await second.next('receipt')).toMatchObject({ version: 7, stage: 'shown' })
  expect(await second.next('receipt')).toMatchObject({ version: 7, stage: 'copied' })
  await second.next('fix')
})

test('a line that falls silent is given up, and a new one opened', async () => {
  const problems: string[] = []
  peer.startCar({ deadAfterMs: 200, onProblem: sentence => problems.push(sentence) })
  const first = await peer.line()
  await first.closed
  await peer.line()
  expect(problems[0]).toBe('The server was not heard for too long.')
})

test.each([
  [CloseCode.signedOut, 'signed-out'],
  [CloseCode.wrongProtocol, 'outdated'],
])('a line closed with %i is not opened again', async (code, why) => {
  const car = peer.startCar()
  const line = await peer.line()
  line.socket.close(code)
  expect(await car.ended).toEqual({ why })
})

test('waits before coming back grow to 10 s, and differ from car to car', () => {
  const longest = Array.from({ length: 9 }, (_, attempt) => retryWaitMs(attempt, () => 1))
  expect(longest).toEqual([200, 400, 800, 1600, 3200, 6400, 10_000, 10_000, 10_000])
  expect(retryWaitMs(0, () => 0)).toBe(100)
})
