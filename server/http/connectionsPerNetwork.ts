import type { Server } from 'node:net'
import { networkOf } from '../rateLimit/network.ts'
import { OpenCounts } from '../rateLimit/openCounts.ts'

/** Maximum share of all connections that one IPv4 address, or one IPv6 /48, may hold. */
const shareOfNetwork = 1 / 5

interface Settings {
  /** Maximum number of connections of the whole server. */
  maxConnections: number
  /** True for trusted IP addresses that many clients share, such as a reverse proxy. */
  isExempt(address: string): boolean
}

/**
 * Closes connections of a network beyond its share. Otherwise its idle connections could block all other
 * clients.
 */
export function limitConnectionsPerNetwork(server: Server, { maxConnections, isExempt }: Settings) {
  const counts = new OpenCounts()
  const maxOfNetwork = Math.max(1, Math.floor(maxConnections * shareOfNetwork))
  server.on('connection', socket => {
    const address = socket.remoteAddress
    if (address === undefined || isExempt(address)) return
    const network = networkOf(address, 48)
    if (!counts.tryAdd([{ key: network, limit: maxOfNetwork }])) return void socket.destroy()
    socket.once('close', () => counts.remove([network]))
  })
}
