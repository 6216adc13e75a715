import type { IncomingMessage } from 'node:http'
import { isLoopback } from './config.ts'

/** What reverse proxies, content delivery networks and tunnels add to a request. */
const proxyHeader = new RegExp(
  `^(${[
    'forwarded',
    'via',
    'x-forwarded(-.*)?',
    'x-(real|client|cluster-client|remote|proxyuser|envoy-external)-(ip|address)',
    'x-(original|envoy|amzn|azure|arr|appengine|vercel|proxy|scheme|proto|host)(-.*)?',
    '(cf|cdn|fastly|fly|akamai|tailscale|ngrok|proxy|wl-proxy)-.*',
    'true-client-ip',
    'front-end-https',
  ].join('|')})$`,
)

/**
 * True if a request names this machine and came straight from it. What is under /dev answers only then: a
 * foreign name that resolves to 127.0.0.1 would let a foreign page read it, and so would a tunnel or a proxy.
 * A proxy may add no header at all and name 127.0.0.1 itself, so this is no protection alone: see DEV.
 */
export function isLocalRequest({
  headers,
  httpVersion,
}: Pick<IncomingMessage, 'headers' | 'httpVersion'>): boolean {
  if (Object.keys(headers).some(name => proxyHeader.test(name))) return false
  // No browser speaks it, but nginx does to what is behind it, unless told otherwise.
  if (httpVersion === '1.0') return false
  return isLoopbackHost(headers.host)
}

/** True if a Host header names this machine, with or without a port. */
export function isLoopbackHost(hostHeader: string | undefined): boolean {
  return hostHeader !== undefined && isLoopback(hostHeader.toLowerCase().replace(/:\d{1,5}$/, ''))
}
