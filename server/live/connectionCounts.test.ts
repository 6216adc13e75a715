import { expect, test } from 'vitest'
import { ConnectionCounts } from './connectionCounts.ts'

test('a user may have 20 connections, and one more once one has closed (L6)', () => {
  const counts = new ConnectionCounts(20)
  const added = Array.from({ length: 20 }, () => counts.tryAdd('ana', undefined))
  expect(added.every(Boolean)).toBe(true)
  expect(counts.tryAdd('ana', undefined)).toBe(false)
  expect(counts.tryAdd('leo', undefined)).toBe(true)
  counts.remove('ana', undefined)
  expect([counts.tryAdd('ana', undefined), counts.tryAdd('ana', undefined)]).toEqual([true, false])
})

test('a network may have 2,000 connections, and one more once one has closed (L6)', () => {
  const counts = new ConnectionCounts(5000)
  const add = (address: string) => counts.tryAdd('ana', address)
  for (const address of ['203.0.113.7', '2001:db8:1:1::1']) {
    expect(Array.from({ length: 2001 }, () => add(address)).filter(Boolean)).toHaveLength(2000)
    counts.remove('ana', address)
    expect([add(address), add(address)]).toEqual([true, false])
    for (let n = 0; n < 2000; n++) counts.remove('ana', address)
  }
})

test("a user's first three connections fit into the reserve of a full network (L6)", () => {
  const counts = new ConnectionCounts(50)
  openMany(counts, 2100, () => '203.0.113.7')
  const ofDriver = Array.from({ length: 4 }, () => counts.tryAdd('leo', '203.0.113.7'))
  expect(ofDriver).toEqual([true, true, true, false])
})

test('a network may have 4,000 connections at most (L6)', () => {
  const counts = new ConnectionCounts(20)
  const added = Array.from({ length: 4100 }, (_, n) => counts.tryAdd(`user ${n}`, '203.0.113.7'))
  expect(added.filter(Boolean)).toHaveLength(4000)
})

/** Opens connections of a hundred users in turn. Returns how many were accepted. */
function openMany(counts: ConnectionCounts, times: number, address: (n: number) => string) {
  const added = Array.from({ length: times }, (_, n) =>
    counts.tryAdd(`user ${n % 100} at ${address(0)}`, address(n)),
  )
  return added.filter(Boolean).length
}
