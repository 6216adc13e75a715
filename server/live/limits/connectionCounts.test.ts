import { expect, test } from 'vitest'
import { ConnectionCounts } from './connectionCounts.ts'

test('a user may have 20 connections, and one more once one has closed (L6)', () => {
  const counts = new ConnectionCounts(20)
  const removals = Array.from({ length: 20 }, () => counts.add('ana', undefined))
  expect(removals.every(remove => remove !== null)).toBe(true)
  expect(counts.add('ana', undefined)).toBeNull()
  expect(counts.add('leo', undefined)).not.toBeNull()
  removals[0]?.()
  expect([counts.add('ana', undefined), counts.add('ana', undefined)]).toEqual([
    expect.any(Function),
    null,
  ])
})

test('a network may have 2,000 connections, a wider IPv6 network more (L6)', () => {
  const counts = new ConnectionCounts(50)
  expect(openMany(counts, 2100, () => '203.0.113.7')).toBe(2000)
  expect(openMany(counts, 2100, () => '2001:db8:1:1::1')).toBe(2000)
  expect(openMany(counts, 2100, n => `2001:db8:1:${(n % 8) + 2}::1`)).toBe(2000)
})

test("a user's first three connections fit into the reserve of a full network (L6)", () => {
  const counts = new ConnectionCounts(50)
  openMany(counts, 2100, () => '203.0.113.7')
  const ofDriver = Array.from({ length: 4 }, () => counts.add('leo', '203.0.113.7') !== null)
  expect(ofDriver).toEqual([true, true, true, false])
})

test('a network may have 4,000 connections at most (L6)', () => {
  const counts = new ConnectionCounts(20)
  const added = Array.from({ length: 4100 }, (_, n) => counts.add(`user ${n}`, '203.0.113.7'))
  expect(added.filter(remove => remove !== null)).toHaveLength(4000)
})

/** Opens connections of a hundred users in turn. Returns how many were accepted. */
function openMany(counts: ConnectionCounts, times: number, address: (n: number) => string) {
  const added = Array.from({ length: times }, (_, n) =>
    counts.add(`user ${n % 100} at ${address(0)}`, address(n)),
  )
  return added.filter(remove => remove !== null).length
}
