import { isIPv6 } from 'node:net'

/**
 * Returns the network of an IP address: the address itself for IPv4, its first 64 bits for IPv6, which a household or
 * a phone has. A customer can get a /48 with 65,536 of them: 48 bits for all that a stranger may do, who could otherwise
 * change the network. Connections that were reset have no address; all of them count as one network.
 */
export function networkOf(ip: string | undefined, bits: 64 | 48 = 64): string {
  if (ip === undefined) return 'unknown'
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1]
  if (mapped !== undefined) return mapped
  if (!isIPv6(ip)) return ip
  return `${firstGroupsOf(ip, bits / 16).join(':')}::/${bits}`
}

/**
 * Returns the IP address to rate-limit, or undefined for requests from this machine: they may come from a proxy
 * that is not configured as trusted, with many clients behind it.
 */
export function limitedAddress(ip: string | undefined): string | undefined {
  const isOfThisMachine = ip === '::1' || ip?.replace(/^::ffff:/i, '').startsWith('127.')
  return isOfThisMachine ? undefined : ip
}

/** Returns the first groups of 16 bits of an IPv6 address, without leading zeros. */
function firstGroupsOf(ip: string, count: number): string[] {
  const [head = '', tail] = (ip.split('%')[0] ?? '').split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0')
  const groups = tail === undefined ? before : [...before, ...zeros, ...after]
  return groups.slice(0, count).map(group => Number.parseInt(group, 16).toString(16))
}
