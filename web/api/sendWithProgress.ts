import type { Send } from './call.ts'

/** Sends a POST request and reports the share of its body that was sent, from 0 to 1, which `fetch` cannot do. */
export function sendWithProgress(onSent: (share: number) => void): Send {
  return (url, { headers, body, signal }) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const request = new XMLHttpRequest()
      request.open('POST', url)
      request.responseType = 'json'
      for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value)
      request.upload.onprogress = ({ loaded, total }) => onSent(loaded / total)
      request.onload = () => {
        const { status, response } = request
        // No JSON, such as the page of a proxy.
        if (response === null) return reject(new TypeError('The response is no JSON.'))
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
