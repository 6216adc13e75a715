import { isIPv4, isIPv6 } from 'node:net'

/**
 * Prefix lengths by which IPv6 addresses are counted. A household or a phone has a /64, but customers can
 * get a /56 or /48. A /48 contains 65,536 networks of /64, each of which would have its own limit.
 */
const prefixBits = [64, 56, 48] as const

/** Allowance of each prefix length, relative to the /64. */
const allowanceFactors = [1, 2, 4] as const

/**
 * Returns the networks of an IP address, smallest first: the address itself for IPv4; its /64, /56 and /48 for
 * IPv6. Connections that were reset have no IP address; all of them count as one network.
 */
export function networksOf(ip: string | undefined): string[] {
  if (ip === undefined) return ['unknown']
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1]
  if (mapped !== undefined) return [mapped]
  if (isIPv4(ip) || !isIPv6(ip)) return [ip]
  const groups = firstGroupsOf(ip)
  return prefixBits.map(bits => {
    const kept = groups.map((group, index) => group & maskOf(bits - index * 16))
    return `${kept.map(group => group.toString(16)).join(':')}::/${bits}`
  })
}

/** Returns the networks of an IP address with their limits. `limit` applies to the smallest one. */
export function networkLimits(
  ip: string | undefined,
  limit: number,
): { network: string; limit: number }[] {
  return networksOf(ip).map((network, index) => ({
    network,
    limit: limit * (allowanceFactors[index] ?? 1),
  }))
}

/**
 * Returns the IP address to rate-limit, or undefined for requests from this machine: they may come from a proxy
 * that is not configured as trusted, with many clients behind it.
 */
export function limitedAddress(ip: string | undefined): string | undefined {
  const isOfThisMachine = ip === '::1' || ip?.replace(/^::ffff:/i, '').startsWith('127.')
  return isOfThisMachine ? undefined : ip
}

/** Returns the first 64 bits of an IPv6 address as four numbers. */
function firstGroupsOf(ip: string): number[] {
  const [head = '', tail] = (ip.split('%')[0] ?? '').split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0')
  const groups = tail === undefined ? before : [...before, ...zeros, ...after]
  return groups.slice(0, 4).map(group => Number.parseInt(group, 16))
}

/** Returns a 16-bit mask that keeps the first `bits` bits. */
function maskOf(bits: number): number {
  const kept = Math.min(16, Math.max(0, bits))
  return (0xffff << (16 - kept)) & 0xffff
}
