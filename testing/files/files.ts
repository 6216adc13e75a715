import type { StoredFile } from '#contract/files.ts'
import { Refusal, RefusalBody } from '#contract/refusal.ts'
import { CookieJar } from '../people/client.ts'

export interface NamedFile {
  teamId: string
  name: string
}

/** Creates a client for the file requests of one browser, with the login of its cookie jar or without one. */
export function fileClient(url: string, jar = new CookieJar()) {
  const ofJar = () => ({ cookie: jar.header, 'x-xsrf-token': jar.get('XSRF-TOKEN') ?? '' })

  /** Sends any body to the upload endpoint. */
  async function send(body: BodyInit, headers: Record<string, string> = {}) {
    if (!jar.get('XSRF-TOKEN')) {
      jar.store(await fetch(`${url}/api/auth.login`, { headers: { cookie: jar.header } }))
    }
    return fetch(`${url}/api/files.upload`, {
      method: 'POST',
      headers: { ...ofJar(), ...headers },
      body,
      // fetch requires `duplex` for a streamed body.
      ...(body instanceof ReadableStream && { duplex: 'half' }),
    })
  }

  return {
    send,
    /** Uploads a form as the app does. Refusals are thrown as `Refusal`. */
    async upload({ bytes, ...file }: NamedFile & { bytes: Buffer | string }) {
      const response = await send(formOf({ ...file, file: bytes }))
      const answer: unknown = await response.json()
      if (response.ok) return answer as StoredFile
      const { code, detail } = RefusalBody.parse(answer)
      throw new Refusal(code, { ...(detail && { detail }) })
    },
    get: ({ teamId, name }: NamedFile, headers: Record<string, string> = {}) =>
      fetch(`${url}/api/files.get?${new URLSearchParams({ teamId, name })}`, {
        headers: { cookie: jar.header, ...headers },
      }),
  }
}

/** Builds a form. The field `file`, and Buffers, become files. */
export function formOf(fields: Record<string, string | Buffer>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    if (name === 'file' || typeof value !== 'string') form.append(name, fileOf(value), 'picked.bin')
    else form.append(name, value)
  }
  return form
}

function fileOf(bytes: Buffer | string): Blob {
  return new Blob([Buffer.from(bytes)], { type: 'text/html' })
}
