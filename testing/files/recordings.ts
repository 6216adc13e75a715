import { gzipSync } from 'node:zlib'
import type { CookieJar } from '../people/client.ts'

interface Import {
  teamId: string
  name: string
  /** Text is sent as the app does, compressed; bytes are sent as they are. */
  file: string | Uint8Array
  day?: string
  lapTiming?: boolean
  /** Disconnects. */
  signal?: AbortSignal
}

/** Imports a recording as the app does. */
export async function importRecording(
  url: string,
  jar: CookieJar,
  { teamId, name, file, day, lapTiming = true, signal }: Import,
): Promise<Response> {
  jar.store(await fetch(`${url}/api/auth.login`, { headers: { cookie: jar.header } }))
  const query = new URLSearchParams({ name, lapTiming: String(lapTiming), ...(day && { day }) })
  return fetch(`${url}/api/v1/teams/${teamId}/recordings?${query}`, {
    method: 'POST',
    headers: {
      cookie: jar.header,
      'x-xsrf-token': jar.get('XSRF-TOKEN') ?? '',
      'content-type': 'application/octet-stream',
    },
    body: new Uint8Array(typeof file === 'string' ? gzipSync(file) : file),
    ...(signal && { signal }),
  })
}
