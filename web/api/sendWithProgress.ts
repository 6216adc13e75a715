import type { Send } from './call.ts'

/** Longer than a mobile network needs to recover, and longer than the server waits for more bytes. */
const stalledMs = 90_000

/**
 * Sends a POST request and reports the share of its body that was sent, from 0 to 1, which `fetch` cannot do. Fails if
 * nothing can be sent for `stalledMs`: after the network is lost, a browser alone would wait much longer.
 */
export function sendWithProgress(onSent: (share: number) => void): Send {
  return (url, { headers, body, signal }) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const request = new XMLHttpRequest()
      request.open('POST', url)
      request.responseType = 'json'
      for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value)
      let stalled: number
      const expectProgress = () => {
        window.clearTimeout(stalled)
        stalled = window.setTimeout(() => {
          request.abort()
          reject(new TypeError('The request stalled.'))
        }, stalledMs)
      }
      request.upload.onloadstart = () => {
        expectProgress()
        onSent(0)
      }
      request.upload.onprogress = ({ loaded, total }) => {
        expectProgress()
        onSent(loaded / total)
      }
      // Also emitted when the request is aborted.
      request.upload.onloadend = () => window.clearTimeout(stalled)
      request.onload = () => {
        const { status, response } = request
        // Null if the response is not JSON, such as an error page of a proxy.
        if (response === null) return reject(new TypeError('The response is not JSON.'))
        resolve({ ok: status >= 200 && status < 300, body: response })
      }
      request.onerror = () => reject(new TypeError('The request failed.'))
      signal?.addEventListener('abort', () => {
        request.abort()
        reject(signal.reason)
      })
      request.send(body as XMLHttpRequestBodyInit)
    })
}
