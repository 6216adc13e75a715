import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { RefusalCode } from '#contract/refusal.ts'
import { maxFileBytes } from '#contract/shared/fileRules.ts'
import type { TestApp } from '#testing/app.ts'
import { formOf } from '#testing/files/files.ts'
import {
  codeOf,
  type FilesScene,
  filesScene,
  type PersonWithFiles,
  type TeamWithFiles,
} from '#testing/files/filesScene.ts'
import { pictures, pngOf } from '#testing/files/pictures.ts'

let scene: FilesScene
let app: TestApp
let ana: PersonWithFiles
let team: TeamWithFiles
let teamId: string

beforeAll(async () => {
  scene = await filesScene()
  ;({ app, ana } = scene)
})
afterAll(() => scene[Symbol.asyncDispose]())
beforeEach(async () => {
  team = await scene.newTeam()
  teamId = team.teamId
})

describe('refused uploads', () => {
  const refused = async (bytes: Buffer | string, name: string): Promise<RefusalCode | 'stored'> => {
    const code = await team.upload(name, bytes).then(
      () => 'stored' as const,
      (error: { code: RefusalCode }) => error.code,
    )
    if (code !== 'stored') {
      expect(await team.names()).toEqual([])
      expect(await team.blobs()).toEqual([])
    }
    return code
  }

  test.each([
    '.hidden',
    '../plan',
    'a/b',
    'a\\b',
    'a\0b',
    'a\nb',
    '',
    ' plan',
    'plan.',
    'a<b',
    'x'.repeat(121),
  ])('the name %j', async name => {
    expect(await refused('x', name)).toBe('invalid-input')
    expect(await codeOf(ana.files.get({ teamId, name }))).toBe('invalid-input')
  })

  test.each(['car.png', 'car.JPG', 'car.jpeg', 'car.webp'])(
    'a %s with other content',
    async name => {
      expect(await refused('<script>alert(1)</script>', name)).toBe('unsupported-type')
      expect(await refused(name === 'car.png' ? pictures.jpeg : pictures.png, name)).toBe(
        'unsupported-type',
      )
    },
  )

  test('a picture that is damaged or would decode too large', async () => {
    expect(await refused(pictures.png.subarray(0, 40), 'car.png')).toBe('unsupported-type')
    expect(await refused(pngOf({ widthPx: 50_000 }), 'car.png')).toBe('too-large')
  })

  test('an empty file', async () => {
    expect(await refused('', 'plan')).toBe('invalid-input')
  })

  test.each([
    ['one byte more than five megabytes', maxFileBytes + 1],
    ['far more', 3 * maxFileBytes],
  ])('%s', async (_what, sizeBytes) => {
    expect(await refused(Buffer.alloc(sizeBytes), 'plan')).toBe('too-large')
    // The server still works.
    expect(await refused('x', 'plan')).toBe('stored')
  })

  test('a large body without a content length', async () => {
    const response = ana.files.send(endless(), {
      'content-type': 'multipart/form-data; boundary=cut',
    })
    expect(await codeOf(response)).toBe('too-large')
    expect(await team.names()).toEqual([])
  })

  const cut = (...lines: string[]) => lines.join('\r\n')
  const teamField = () => cut('--cut', 'content-disposition: form-data; name="teamId"', '', teamId)
  const nameField = cut('--cut', 'content-disposition: form-data; name="name"', '', 'plan')
  const fileField = (name = 'file') =>
    cut('--cut', `content-disposition: form-data; name="${name}"; filename="a"`, '', 'x')

  test.each<[string, () => string]>([
    ['nothing', () => ''],
    ['no end', () => cut(teamField(), nameField, fileField())],
    ['an end inside the file', () => cut(teamField(), nameField, fileField()).slice(0, -20)],
    ['no file', () => cut(teamField(), nameField, '--cut--')],
    ['no name', () => cut(teamField(), fileField(), '--cut--')],
    ['no team', () => cut(nameField, fileField(), '--cut--')],
    ['a file of another name', () => cut(teamField(), nameField, fileField('photo'), '--cut--')],
    ['two files', () => cut(teamField(), nameField, fileField(), fileField(), '--cut--')],
    ['two names', () => cut(teamField(), nameField, nameField, fileField(), '--cut--')],
    ['a name that is a file', () => cut(teamField(), fileField('name'), fileField(), '--cut--')],
    [
      'a file that is text',
      () => cut(teamField(), nameField, fileField().replace('; filename="a"', ''), '--cut--'),
    ],
    [
      'an extra field',
      () =>
        cut(teamField(), nameField, nameField.replace('"name"', '"more"'), fileField(), '--cut--'),
    ],
    [
      'the field __proto__',
      () => cut(teamField(), nameField.replace('"name"', '"__proto__"'), fileField(), '--cut--'),
    ],
    [
      'a field that is JSON',
      () =>
        cut(
          teamField(),
          nameField.replace('\r\n\r\n', '\r\ncontent-type: application/json\r\n\r\n'),
          fileField(),
          '--cut--',
        ),
    ],
    [
      'a very long field',
      () => cut(teamField(), `${nameField}${'x'.repeat(100_000)}`, fileField(), '--cut--'),
    ],
    [
      'ten thousand fields',
      () => cut(...Array.from({ length: 10_000 }, () => nameField), '--cut--'),
    ],
    ['noise', () => randomBytes(100_000).toString('latin1')],
  ])('a form with %s', async (_what, body) => {
    const response = ana.files.send(body(), { 'content-type': 'multipart/form-data; boundary=cut' })
    expect(await codeOf(response)).toBe('invalid-input')
    expect(await team.names()).toEqual([])
    expect(await team.blobs()).toEqual([])
  })

  test.each([
    ['application/json', 'unsupported-type'],
    ['text/plain', 'unsupported-type'],
    ['image/png', 'unsupported-type'],
    ['multipart/form-data', 'invalid-input'],
    ['multipart/mixed; boundary=cut', 'unsupported-type'],
  ] as const)('a body of type %s', async (contentType, code) => {
    expect(await codeOf(ana.files.send('{}', { 'content-type': contentType }))).toBe(code)
  })

  test('a refused large form does not block its connection', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const form = cut(nameField.replace('"name"', '"wrong"'), fileField())
    const body = Buffer.concat([Buffer.from(form), Buffer.alloc(4_000_000, 'x')])
    const headers = {
      cookie: ana.jar.header,
      'x-xsrf-token': ana.jar.get('XSRF-TOKEN'),
      'content-type': 'multipart/form-data; boundary=cut',
      'content-length': body.length,
    }
    const send = async () => {
      const sent = request(`${app.url}/api/files.upload`, { method: 'POST', agent, headers })
      sent.end(body)
      const [answer] = (await once(sent, 'response')) as [IncomingMessage]
      return JSON.parse(await text(answer)).code
    }
    expect(await send()).toBe('invalid-input')
    expect(await send()).toBe('invalid-input')
    agent.destroy()
  })

  test('a team id that is invalid or unknown', async () => {
    const form = formOf({ teamId: '../..', name: 'plan', file: 'x' })
    expect(await codeOf(ana.files.send(form))).toBe('invalid-input')
    expect(
      await codeOf(ana.files.send(formOf({ teamId: randomUUID(), name: 'x', file: 'x' }))),
    ).toBe('not-a-member')
  })

  test('a sender who disconnects midway leaves no file, and uploads still work', async () => {
    const abort = new AbortController()
    const sent = fetch(`${app.url}/api/files.upload`, {
      method: 'POST',
      headers: {
        cookie: ana.jar.header,
        'x-xsrf-token': ana.jar.get('XSRF-TOKEN') ?? '',
        'content-type': 'multipart/form-data; boundary=cut',
      },
      body: endless(() => abort.abort()),
      duplex: 'half',
      signal: abort.signal,
    } as RequestInit)
    await expect(sent).rejects.toThrow('aborted')
    expect(await team.names()).toEqual([])
    expect(await refused('x', 'plan')).toBe('stored')
  })

  /** A file that never ends; calls `onTaken` once part of it was read. */
  function endless(onTaken?: () => void): ReadableStream<Uint8Array> {
    const chunk = Buffer.alloc(64 * 1024, 'x')
    let sent = 0
    return new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent === 0)
          controller.enqueue(Buffer.from(`${cut(teamField(), nameField, fileField())}`))
        sent += 1
        if (sent === 20) onTaken?.()
        if (sent > 400) controller.close()
        else controller.enqueue(chunk)
      },
    })
  }
})
