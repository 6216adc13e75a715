import type { IncomingMessage } from 'node:http'
import { isLoopback } from '../config.ts'

/** Headers that reverse proxies, content delivery networks and tunnels add to a request. */
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
 * True if a request names this machine and came straight from it. The pages under /dev require it:
 * otherwise a foreign page could read them through a name that resolves to 127.0.0.1, and so could clients
 * of a tunnel or a proxy. A proxy may add no header and send 127.0.0.1 itself, so this check is not
 * sufficient alone: see DEV.
 */
export function isLocalRequest({
  headers,
  httpVersion,
}: Pick<IncomingMessage, 'headers' | 'httpVersion'>): boolean {
  if (Object.keys(headers).some(name => proxyHeader.test(name))) return false
  // Browsers never use it, but nginx does by default for its upstreams.
  if (httpVersion === '1.0') return false
  return isLoopbackHost(headers.host)
}

/** True if a Host header names this machine, with or without a port. */
export function isLoopbackHost(hostHeader: string | undefined): boolean {
  return hostHeader !== undefined && isLoopback(hostHeader.toLowerCase().replace(/:\d{1,5}$/, ''))
}
