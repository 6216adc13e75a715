import { afterEach, beforeEach, expect, test } from 'vitest'
import { CloseCode, protocol } from '#contract/liveRules.ts'
import { retryDelayMs } from './connection.ts'
import { message, Peer, userId } from './peer.ts'

let peer: Peer
beforeEach(async () => {
  peer = await Peer.listen()
})
afterEach(() => peer.close())

test('after a lost connection the car reconnects, drives and repeats lost receipts', async () => {
  peer.startCar({ copyAfterMs: 10 })
  const first = await peer.driving()
  first.message(message(7, 'Push'))
  const reached = await first.next('receipt')
  await first.next('receipt')
  await first.next('receipt')
  first.socket.terminate()

  const second = await peer.connection()
  expect(await second.next('hello')).toEqual({ t: 'hello', protocol })
  second.send({ t: 'welcome', protocol, now: Date.now(), user: userId })
  await second.next('drive')
  second.snapshot({ ...message(7, 'Push'), reachedAt: reached.at })
  expect(await second.next('receipt')).toMatchObject({ version: 7, stage: 'shown' })
  expect(await second.next('receipt')).toMatchObject({ version: 7, stage: 'copied' })
  await second.next('fix')
})

test('a silent connection times out and is replaced', async () => {
  const problems: string[] = []
  peer.startCar({ deadAfterMs: 200, onProblem: sentence => problems.push(sentence) })
  const first = await peer.connection()
  await first.closed
  await peer.connection()
  expect(problems[0]).toBe('Connection timed out: the server sent nothing.')
})

test.each([
  [CloseCode.signedOut, 'signed-out'],
  [CloseCode.wrongProtocol, 'outdated'],
])('a connection closed with %i is not reopened', async (code, why) => {
  const car = peer.startCar()
  const connection = await peer.connection()
  connection.socket.close(code)
  expect(await car.ended).toEqual({ why })
})

test('retry delays grow to 10 s and have jitter', () => {
  const longest = Array.from({ length: 9 }, (_, attempt) => retryDelayMs(attempt, () => 1))
  expect(longest).toEqual([200, 400, 800, 1600, 3200, 6400, 10_000, 10_000, 10_000])
  expect(retryDelayMs(0, () => 0)).toBe(100)
})
