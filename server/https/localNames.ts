import { hostname, type NetworkInterfaceInfo, networkInterfaces } from 'node:os'
import { isLocalAddress } from './authority.ts'

/** Names of network interfaces of virtual machines, containers and tunnels, which phones cannot reach. */
const virtualInterface = /^(br-|docker|podman|veth|virbr|vmnet|vboxnet|utun|tun|tap|bridge)/i

/** This machine's names in its local network. The last one is `localhost`. */
export function localHostNames(name = hostname()): string[] {
  const own = name.toLowerCase()
  const bare = own.replace(/\.local$/, '')
  const names = bare.includes('.') ? [own] : [bare, `${bare}.local`]
  return [...names.filter(isHostName), 'localhost']
}

/** This machine's addresses in local networks, those that phones reach first. */
export function localNetworkAddresses(interfaces = networkInterfaces()): string[] {
  const found = Object.entries(interfaces).flatMap(([name, infos = []]) =>
    infos.filter(isReachable).map(info => ({ ...info, rank: rankOf(name, info) })),
  )
  return found.sort((a, b) => a.rank - b.rank).map(info => info.address)
}

/** Link-local IPv6 addresses need the name of an interface, which a URL cannot have. */
function isReachable({ address, internal }: NetworkInterfaceInfo): boolean {
  return !internal && isLocalAddress(address) && !address.startsWith('fe80:')
}

function rankOf(name: string, { address, family }: NetworkInterfaceInfo): number {
  if (virtualInterface.test(name)) return 3
  if (family === 'IPv6') return 2
  return address.startsWith('169.254.') ? 1 : 0
}

function isHostName(name: string): boolean {
  return (
    name.length <= 253 &&
    /^[a-z\d]([a-z\d-]{0,61}[a-z\d])?(\.[a-z\d]([a-z\d-]{0,61}[a-z\d])?)*$/.test(name)
  )
}
