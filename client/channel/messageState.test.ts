import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Message, Receipt } from '#contract/messages.ts'
import { messageTypes } from '#contract/shared/messageTypes.ts'
import { mergeMessage, mergeReceipt, noMessage } from './messageState.ts'

interface Received {
  readonly version: number
  readonly message?: Message
  readonly receipt?: Receipt
}

function merge(known: Message, received: Received): Message {
  if (received.message) return mergeMessage(known, received.message)
  return received.receipt ? mergeReceipt(known, received.version, received.receipt) : known
}

/** The events of one message on the server: sent, then each stage of its receipt in order. */
function eventsOf(version: number, type: Message['type'], stages: number): Received[] {
  const sent: Message = { ...noMessage, version, type, sentAt: version * 100 }
  const receipts = [
    { reachedAt: version * 100 + 10, shownAt: null, copiedAt: null },
    { reachedAt: version * 100 + 10, shownAt: version * 100 + 20, copiedAt: null },
    { reachedAt: version * 100 + 10, shownAt: version * 100 + 20, copiedAt: version * 100 + 30 },
  ].slice(0, stages)
  return [
    { version, message: sent },
    ...receipts.map(receipt => ({ version, receipt })),
    ...receipts.map(receipt => ({ version, message: { ...sent, ...receipt } })),
  ]
}

const lives = fc
  .array(
    fc.record({
      type: fc.constantFrom(...messageTypes, null),
      stages: fc.integer({ min: 0, max: 3 }),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map(parts => parts.map(({ type, stages }, n) => eventsOf(n + 1, type, stages)))

test('the newest received message wins, whatever was lost, doubled or reordered (M2)', () => {
  fc.assert(
    fc.property(lives, fc.infiniteStream(fc.nat()), (all, picks) => {
      const sent = all.flat()
      const order = Array.from({ length: sent.length * 2 }, () => {
        const pick = picks.next().value ?? 0
        return sent[pick % sent.length]!
      })
      const known = order.reduce(merge, noMessage)
      const received = order.filter(one => one.message).map(one => one.version)
      expect(known.version).toBe(Math.max(0, ...received))
      const newest = sent.find(one => one.version === known.version && one.message)
      expect(known.type).toBe(newest?.message?.type ?? null)
    }),
  )
})

test('a version never decreases, and a received receipt is never lost (M2, S1)', () => {
  fc.assert(
    fc.property(lives, fc.infiniteStream(fc.nat()), (all, picks) => {
      const sent = all.flat()
      let known = noMessage
      for (let n = 0; n < sent.length * 2; n++) {
        const next = merge(known, sent[(picks.next().value ?? 0) % sent.length]!)
        expect(next.version).toBeGreaterThanOrEqual(known.version)
        const sameVersion = next.version === known.version
        const lost = (['reachedAt', 'shownAt', 'copiedAt'] as const).filter(
          stage => sameVersion && known[stage] !== null && next[stage] !== known[stage],
        )
        expect(lost).toEqual([])
        known = next
      }
    }),
  )
})

test('once everything has arrived, every order ends in the same state', () => {
  fc.assert(
    fc.property(
      lives.chain(all => {
        const sent = all.flat()
        return fc.tuple(
          fc.constant(sent),
          fc.shuffledSubarray([...sent, ...sent], { minLength: sent.length * 2 }),
        )
      }),
      ([sent, shuffled]) => {
        // A receipt without its message changes nothing, so the sequence ends with snapshots.
        const snapshots = sent.filter(one => one.message)
        const straight = [...sent, ...snapshots].reduce(merge, noMessage)
        const mixed = [...shuffled, ...snapshots].reduce(merge, noMessage)
        expect(mixed).toEqual(straight)
      },
    ),
  )
})
