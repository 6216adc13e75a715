import { expect, test } from 'vitest'
import { NetworkBuckets } from './networkBuckets.ts'

test('all /64 of a /56 or /48 share its larger allowance', () => {
  const buckets = new NetworkBuckets({ capacity: 10, refillPerSecond: 1 })
  const consumed = (ips: string[]) => ips.filter(ip => buckets.tryConsume(ip, 0)).length
  const times = (count: number, ip: (n: number) => string) =>
    Array.from({ length: count }, (_, n) => ip(n))

  expect(consumed(times(20, () => '203.0.113.7'))).toBe(10)
  expect(consumed(times(20, n => `2001:db8:1:1::${n}`))).toBe(10)
  expect(consumed(times(50, n => `2001:db8:1:${(n + 2).toString(16)}::1`))).toBe(10)
  expect(consumed(times(50, n => `2001:db8:1:${(n + 1).toString(16)}00::1`))).toBe(20)
  expect(consumed(['2001:db8:2:1::1'])).toBe(1)
})
