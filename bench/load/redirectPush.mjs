// Preloaded into a measured server: connects to the bench's push service on this machine instead of the one in the
// address, over TLS. Everything else is as in production, where addresses on this machine are refused.
import https from 'node:https'

const { PUSH_PORT, PUSH_CERTIFICATE } = process.env
const { request } = https

/**
 * @param {string} endpoint
 * @param {https.RequestOptions} options
 */
function redirected(endpoint, options) {
  return request(endpoint, {
    ...options,
    hostname: '127.0.0.1',
    port: PUSH_PORT,
    servername: new URL(endpoint).hostname,
    ca: PUSH_CERTIFICATE,
  })
}

Object.assign(https, { request: redirected })
