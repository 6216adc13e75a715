import type { Measured } from './orders.ts'

/**
 * Throws if the figures would be misleading: a connection was closed, nothing was delivered, or a figure is
 * not a number. A measurement without its load looks like a fast server.
 */
export function requireValid(measured: Measured): Measured {
  const { fixes, deliveries, lost, whyLost } = measured
  if (lost > 0) throw new Error(`The server closed ${lost} connections: ${whyLost}`)
  if (fixes === 0) throw new Error('No fix was sent')
  if (deliveries === 0) throw new Error('No fix was delivered')
  for (const [name, value] of Object.entries(measured)) {
    if (typeof value === 'number' && !Number.isFinite(value)) throw new Error(`${name} is ${value}`)
  }
  return measured
}
