import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { describe, expect, test } from 'vitest'
import { Refusal } from '#contract/refusal.ts'
import { maxFileBytes } from '#contract/shared/fileRules.ts'
import { stoppedClock } from '#testing/clock.ts'
import { readConfig } from '../config.ts'
import { RateLimits } from '../rateLimit/rateLimits.ts'
import { countUpload, kibPerNetwork, kibPerPerson } from './upload.ts'
import { inFlight, slowInFlight, UploadSlots } from './uploadSlots.ts'

/** Counts the allowed uploads before the first refusal. */
function allowed(
  settings: Record<string, string>,
  next: () => { userId: string; ip: string; bytes: number },
  rateLimits = new RateLimits(stoppedClock()),
) {
  const parts = { rateLimits, config: readConfig(settings) }
  for (let n = 0; ; n++) {
    try {
      countUpload(parts, next())
    } catch (refusal) {
      if (refusal instanceof Refusal && refusal.code === 'too-many') return n
      throw refusal
    }
  }
}

const largest = { bytes: maxFileBytes, ip: '203.0.113.7' }
const online = { PUBLIC_URL: 'https://pitboard.example', SMTP_URL: 'smtp://localhost' }
const largestKib = maxFileBytes / 1024

test('uploaded bytes are limited per person and hour', () => {
  const userId = randomUUID()
  expect(allowed({}, () => ({ ...largest, userId }))).toBe(kibPerPerson / largestKib)
})

test('uploaded bytes are limited per network and hour', () => {
  const rateLimits = new RateLimits(stoppedClock())
  const from = (ip: string) =>
    allowed(online, () => ({ ...largest, ip, userId: randomUUID() }), rateLimits)
  expect(from('203.0.113.7')).toBe(kibPerNetwork / largestKib)
  expect(from('203.0.113.8')).toBe(kibPerNetwork / largestKib)
  expect(from('2001:db8:1:1::1')).toBe(kibPerNetwork / largestKib)
  expect(from('2001:db8:1:2::1')).toBe(0)
})

type Exchange = EventEmitter & Parameters<UploadSlots['take']>[1]

describe('concurrent uploads of one process', () => {
  const exchange = () => Object.assign(new EventEmitter(), { destroyed: false }) as Exchange
  const somebody = (ip: string, bytes: number) => ({ userId: randomUUID(), ip, bytes })
  const networks = Array.from({ length: 100 }, (_, n) => `203.0.113.${n}`)

  test('are limited in number across all senders', () => {
    const slots = new UploadSlots()
    for (const ip of networks.slice(0, inFlight.uploads)) slots.take(somebody(ip, 1000), exchange())
    expect(() => slots.take(somebody('198.51.100.1', 1000), exchange())).toThrow(
      'Other uploads are in progress.',
    )
  })

  test('are limited in bytes', () => {
    const slots = new UploadSlots()
    const take = (ip: string) => slots.take(somebody(ip, maxFileBytes), exchange())
    const fitting = inFlight.bytes / maxFileBytes
    for (const ip of networks.slice(0, fitting)) take(ip)
    expect(() => take('198.51.100.1')).toThrow('Other uploads are in progress.')
  })

  test('of one /48 leave slots for others', () => {
    const slots = new UploadSlots()
    const take = (ip: string) => slots.take(somebody(ip, 1000), exchange())
    for (let n = 0; n < inFlight.perNetwork; n++) take(`2001:db8:1:${n}00::1`)
    expect(() => take('2001:db8:1:ff00::1')).toThrow('Other uploads are in progress.')
    expect(() => take('2001:db8:2::1')).not.toThrow()
  })

  test('keep their slot while their bytes are processed', async () => {
    const slots = new UploadSlots()
    const userId = randomUUID()
    const take = () => {
      const answer = exchange()
      return { answer, slot: slots.take({ userId, ip: '203.0.113.7', bytes: 1 }, answer) }
    }
    const { answer, slot } = take()
    take()
    let finish = () => {}
    const work = new Promise<void>(resolve => {
      finish = resolve
    })
    const working = slot.during(() => work)
    answer.emit('close')
    expect(take).toThrow('Other uploads are in progress.')
    finish()
    await working
    expect(take).not.toThrow()
  })

  test('that are slow leave their slots to quick ones', () => {
    const slots = new UploadSlots()
    const userId = randomUUID()
    const take = () => slots.take({ userId, ip: '203.0.113.7', bytes: 1 }, exchange())
    const slow = [take(), take()]
    expect(take).toThrow('Other uploads are in progress.')
    for (const slot of slow) slot.becomeSlow()
    const third = take()
    // Refused, but it keeps the slot that it has.
    expect(() => third.becomeSlow()).toThrow('Other uploads are in progress.')
    expect(take).not.toThrow()
    expect(take).toThrow('Other uploads are in progress.')
    expect(() => slow[0]?.becomeSlow()).not.toThrow()
  })

  test('that are slow are limited by network, and released when they end', () => {
    const slots = new UploadSlots()
    const answers = Array.from({ length: slowInFlight.perNetwork + 1 }, exchange)
    const taken = answers.map(answer => slots.take(somebody('203.0.113.7', 1000), answer))
    const last = taken.pop()
    for (const slot of taken) slot.becomeSlow()
    expect(() => last?.becomeSlow()).toThrow('Other uploads are in progress.')
    answers[0]?.emit('close')
    expect(() => last?.becomeSlow()).not.toThrow()
  })

  test('that have ended take no slot of the slow ones, and release theirs once', () => {
    const slots = new UploadSlots()
    const userId = randomUUID()
    const take = (answer = exchange()) =>
      slots.take({ userId, ip: '203.0.113.7', bytes: 1 }, answer)
    for (let n = 0; n <= slowInFlight.perPerson; n++) {
      const answer = exchange()
      const ended = take(answer)
      answer.emit('close')
      ended.becomeSlow()
    }
    const [slow] = [take(), take()]
    expect(() => take()).toThrow('Other uploads are in progress.')
    expect(() => slow?.becomeSlow()).not.toThrow()
  })

  test('release their slot if the sender has disconnected', () => {
    const slots = new UploadSlots()
    const userId = randomUUID()
    const take = (destroyed: boolean) =>
      slots.take({ userId, ip: '203.0.113.7', bytes: 1 }, Object.assign(exchange(), { destroyed }))
    for (let n = 0; n < 3; n++) expect(() => take(true)).toThrow(Refusal)
    expect(() => take(false)).not.toThrow()
  })
})
