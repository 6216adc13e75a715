import { Resolver } from 'node:dns/promises'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { callbackify } from 'node:util'
import { isLoopback } from './config.ts'

/** IPv4 networks that are not on the public internet (IANA special-purpose registry, RFC 6890). */
const specialIpv4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const

/** Networks within 2000::/3, which contains every public IPv6 address, that are not public or contain IPv4 addresses. */
const specialIpv6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const

const blocked = new BlockList()
for (const [address, bits] of specialIpv4) blocked.addSubnet(address, bits, 'ipv4')
for (const [address, bits] of specialIpv6) blocked.addSubnet(address, bits, 'ipv6')
const globalIpv6 = new BlockList()
globalIpv6.addSubnet('2000::', 3, 'ipv6')

/** True for an IP address of the public internet. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !blocked.check(address, 'ipv4')
    case 6:
      return globalIpv6.check(address, 'ipv6') && !blocked.check(address, 'ipv6')
    default:
      return false
  }
}

/**
 * True if the server may send notifications to this URL: HTTPS on its usual port, at a host with a name. On a
 * machine of its own also a push service there, without HTTPS.
 */
export function isAllowedEndpoint(endpoint: string, allowLoopback: boolean): boolean {
  if (!URL.canParse(endpoint)) return false
  const { protocol, hostname, port, username, password } = new URL(endpoint)
  if (username !== '' || password !== '') return false
  if (allowLoopback && isLoopback(hostname)) return true
  const isName = hostname.includes('.') && isIP(hostname) === 0 && !hostname.startsWith('[')
  return protocol === 'https:' && port === '' && isName
}

/** A name server that takes longer counts as unreachable. */
const timeoutMs = 2000

/**
 * Creates the resolver of push services' names. Not `dns.lookup`, whose few threads are shared: names whose server never
 * answers would hold up all others, files and pictures.
 */
export function createResolver(): Resolver {
  return new Resolver({ timeout: timeoutMs, tries: 1 })
}

/**
 * Looks names up like `dns.lookup`, but fails if any IP address is not public. It is called for each connection, so that
 * a name that changes its IP address after it was checked is refused too.
 */
export function lookupPublic(resolver: Resolver): LookupFunction {
  const publicAddresses = callbackify((hostname: string) => publicAddressesOf(resolver, hostname))
  return (hostname, options, callback) => {
    publicAddresses(hostname, (error, addresses) => {
      const [first] = addresses ?? []
      if (error || !first) callback(error, [])
      else if (options.all) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }
}

/** Returns the IP addresses of a name. Rejects if it has none, or one that is not public. */
async function publicAddressesOf(resolver: Resolver, hostname: string) {
  const [ipv4, ipv6] = await Promise.allSettled([
    resolver.resolve4(hostname),
    resolver.resolve6(hostname),
  ])
  if (ipv4.status === 'rejected' && ipv6.status === 'rejected') throw ipv4.reason
  const found = (result: typeof ipv4, family: 4 | 6) =>
    result.status === 'fulfilled' ? result.value.map(address => ({ address, family })) : []
  const addresses = [...found(ipv4, 4), ...found(ipv6, 6)]
  if (addresses.length === 0 || !addresses.every(({ address }) => isPublicAddress(address)))
    throw new Error('The host has no public address')
  return addresses
}
