import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fileUrl, maxFileBytes, memberPhotoName } from '#contract/fileRules.ts'
import type { TestApp } from '#testing/app.ts'
import { fileClient, formOf } from '#testing/files.ts'
import {
  codeOf,
  type FilesScene,
  filesScene,
  type PersonWithFiles,
  type TeamWithFiles,
} from '#testing/filesScene.ts'
import { exifOf, jpegWith, pictures } from '#testing/pictures.ts'

let scene: FilesScene
let app: TestApp
let ana: PersonWithFiles
let leo: PersonWithFiles
let eve: PersonWithFiles
let team: TeamWithFiles
let teamId: string

beforeAll(async () => {
  scene = await filesScene()
  ;({ app, ana, leo, eve } = scene)
})
afterAll(() => scene[Symbol.asyncDispose]())
beforeEach(async () => {
  team = await scene.newTeam()
  teamId = team.teamId
})

describe('a team’s files', () => {
  test('what one member stores, another lists and reads', async () => {
    const stored = await team.upload('Stint plan.txt', 'Ana, then Leo')
    expect(stored).toEqual({
      name: 'Stint plan.txt',
      sizeBytes: 13,
      contentType: 'application/octet-stream',
      updatedAt: expect.any(Number),
    })
    expect(Math.abs(Date.now() - stored.updatedAt)).toBeLessThan(60_000)
    expect(await leo.call.files.list({ teamId })).toEqual([stored])
    const response = await leo.files.get({ teamId, name: 'Stint plan.txt' })
    expect(response.status).toBe(200)
    expect(await response.text()).toBe('Ana, then Leo')
  })

  test('a team says when its logo and one’s own photo were last changed', async () => {
    const shown = async (person: PersonWithFiles) => {
      const listed = (await person.call.teams.list()).find(({ id }) => id === teamId)
      expect(await person.call.teams.get({ teamId })).toEqual(listed)
      return { logo: listed?.logoUpdatedAt, photo: listed?.photoUpdatedAt }
    }
    expect(await shown(ana)).toEqual({ logo: null, photo: null })
    const logo = await team.upload('logo', pictures.png)
    const photo = await team.upload(memberPhotoName(ana.id), pictures.jpeg)
    expect(await shown(ana)).toEqual({ logo: logo.updatedAt, photo: photo.updatedAt })
    expect(await shown(leo)).toEqual({ logo: logo.updatedAt, photo: null })
    // The letters of an id count without regard to case: still one row for the team.
    await team.upload(memberPhotoName(ana.id.toUpperCase()), pictures.jpeg)
    expect(await shown(ana)).toEqual({ logo: logo.updatedAt, photo: photo.updatedAt })
    await ana.call.files.delete({ teamId, name: 'logo' })
    expect(await shown(leo)).toEqual({ logo: null, photo: null })
  })

  // spec: CO-7
  test('are listed by name ascending, a hundred from the first, unless told otherwise', async () => {
    await team.insertRows(101, 1)
    const names = await team.names()
    expect(names).toHaveLength(100)
    expect(names.slice(0, 2)).toEqual(['file-0000', 'file-0001'])
    expect(await team.names({ offset: 100 })).toEqual(['file-0100'])
    expect(await team.names({ limit: 2, offset: 1 })).toEqual(['file-0001', 'file-0002'])
    expect(await team.names({ limit: 1, order: 'desc' })).toEqual(['file-0100'])
    await team.upload('file-0050')
    expect(await team.names({ limit: 1, sortBy: 'updatedAt', order: 'desc' })).toEqual([
      'file-0050',
    ])
  })

  test('are replaced whole, and nothing of the old one stays in the store', async () => {
    await team.upload('plan', 'old')
    const old = await team.blobs()
    await team.upload('plan', 'newer')
    expect(await (await ana.files.get({ teamId, name: 'plan' })).text()).toBe('newer')
    expect(await ana.call.files.list({ teamId })).toMatchObject([{ name: 'plan', sizeBytes: 5 }])
    expect(await team.blobs()).toHaveLength(1)
    expect(await team.blobs()).not.toEqual(old)
  })

  test('are gone once deleted, from the list and from the store', async () => {
    await team.upload('plan')
    await team.upload('other')
    await leo.call.files.delete({ teamId, name: 'plan' })
    expect(await team.names()).toEqual(['other'])
    expect(await codeOf(ana.files.get({ teamId, name: 'plan' }))).toBe('not-found')
    expect(await team.blobs()).toHaveLength(1)
    await expect(leo.call.files.delete({ teamId, name: 'plan' })).rejects.toMatchObject({
      code: 'not-found',
    })
  })

  test('keep names of any language, however the keyboard composed them', async () => {
    await team.upload('Zeitplan für Réné 東京.txt'.normalize('NFD'))
    expect(await team.names()).toEqual(['Zeitplan für Réné 東京.txt'])
    const response = await ana.files.get({ teamId, name: 'Zeitplan für Réné 東京.txt' })
    expect(response.headers.get('content-disposition')).toBe(
      'attachment; filename="Zeitplan f_r R_n_ __.txt"; ' +
        "filename*=UTF-8''Zeitplan%20f%C3%BCr%20R%C3%A9n%C3%A9%20%E6%9D%B1%E4%BA%AC.txt",
    )
  })

  test('may be named with 120 letters of any language', async () => {
    const name = '東'.repeat(120)
    await team.upload(name, 'far')
    expect(await (await ana.files.get({ teamId, name })).text()).toBe('far')
  })

  test('of five megabytes pass byte for byte', async () => {
    const bytes = randomBytes(maxFileBytes)
    await team.upload('telemetry.bin', bytes)
    const response = await ana.files.get({ teamId, name: 'telemetry.bin' })
    expect(response.headers.get('content-length')).toBe(String(maxFileBytes))
    expect(sha(Buffer.from(await response.arrayBuffer()))).toBe(sha(bytes))
  })

  test('stored by many at once under one name leave one file and one blob', async () => {
    await Promise.all(Array.from({ length: 10 }, (_, n) => team.upload('plan', `plan ${n}`)))
    expect(await team.names()).toEqual(['plan'])
    expect(await team.blobs()).toHaveLength(1)
    expect(await (await ana.files.get({ teamId, name: 'plan' })).text()).toMatch(/^plan \d$/)
  })

  test('come in a form whose parts are in any order', async () => {
    const response = await ana.files.send(formOf({ file: 'first', name: 'plan', teamId }))
    expect(response.status).toBe(200)
    expect(await team.names()).toEqual(['plan'])
  })
})

describe('how a browser gets them', () => {
  // spec: CO-8
  test('a picture is shown as what it is, whatever its sender said', async () => {
    expect(await team.upload('car', pictures.png)).toMatchObject({ contentType: 'image/png' })
    const response = await ana.files.get({ teamId, name: 'car' })
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': `inline; filename="car"; filename*=UTF-8''car`,
      'cache-control': 'private, max-age=3600',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cross-origin-resource-policy': 'same-origin',
    })
    expect(Buffer.from(await response.arrayBuffer())).toEqual(pictures.png)
  })

  test.each([
    ['page.html', '<!doctype html><script>alert(1)</script>'],
    ['drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ['script.js', 'alert(1)'],
    ['moving.gif', 'GIF89a'],
    ['paper.pdf', '%PDF-1.7'],
  ])('%s is only ever downloaded', async (name, bytes) => {
    await team.upload(name, bytes)
    const { headers } = await ana.files.get({ teamId, name })
    expect(headers.get('content-type')).toBe('application/octet-stream')
    expect(headers.get('content-disposition')).toMatch(/^attachment;/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toBe("sandbox; default-src 'none'")
  })

  test('a photo does not tell where it was taken', async () => {
    const place = '50.4372N 5.9714E'
    await team.upload('pits.jpg', jpegWith([0xe1, exifOf({ place, orientation: 1 })]))
    const response = await ana.files.get({ teamId, name: 'pits.jpg' })
    expect(Buffer.from(await response.arrayBuffer())).toEqual(pictures.jpeg)
  })

  test('an unchanged file is not sent twice, a changed one is', async () => {
    await team.upload('logo', pictures.png)
    const etag = (await ana.files.get({ teamId, name: 'logo' })).headers.get('etag') ?? ''
    const again = await ana.files.get({ teamId, name: 'logo' }, { 'if-none-match': etag })
    expect(again.status).toBe(304)
    expect(again.headers.get('cache-control')).toBe('private, max-age=3600')
    await team.upload('logo', pictures.webp)
    const changed = await ana.files.get({ teamId, name: 'logo' }, { 'if-none-match': etag })
    expect(changed.status).toBe(200)
    expect(changed.headers.get('content-type')).toBe('image/webp')
  })

  test('the address of a newer upload is another one', async () => {
    const stored = await team.upload('Car 7.png', pictures.png)
    const response = await fetch(`${app.url}${fileUrl({ teamId, ...stored })}`, {
      headers: { cookie: ana.jar.header },
    })
    expect(response.status).toBe(200)
    expect(fileUrl({ teamId, ...stored })).toContain(`name=Car%207.png&updatedAt=`)
  })
})

describe('who may', () => {
  test('nobody reaches a team’s files without a login', async () => {
    await team.upload('plan')
    const nobody = fileClient(app.url)
    expect(await codeOf(nobody.get({ teamId, name: 'plan' }))).toBe('not-signed-in')
    expect(await codeOf(nobody.send(formOf({ teamId, name: 'x', file: 'x' })))).toBe(
      'not-signed-in',
    )
    expect(await team.names()).toEqual(['plan'])
  })

  test('a stranger can neither read, write, list nor delete, nor tell whether a file is there', async () => {
    await team.upload('plan')
    for (const name of ['plan', 'no such file']) {
      expect(await codeOf(eve.files.get({ teamId, name }))).toBe('not-a-member')
      await expect(eve.call.files.delete({ teamId, name })).rejects.toMatchObject({
        code: 'not-a-member',
      })
      await expect(eve.files.upload({ teamId, name, bytes: 'x' })).rejects.toMatchObject({
        code: 'not-a-member',
      })
    }
    await expect(eve.call.files.list({ teamId })).rejects.toMatchObject({ code: 'not-a-member' })
    expect(await (await ana.files.get({ teamId, name: 'plan' })).text()).toBe('This is plan')
    expect(await team.blobs()).toHaveLength(1)
  })

  test('a file of one team is not in another', async () => {
    await team.upload('plan')
    const other = await ana.call.teams.create({ name: 'Day Owls' })
    expect(await codeOf(ana.files.get({ teamId: other.id, name: 'plan' }))).toBe('not-found')
  })

  test('an upload that another site made the browser send is refused', async () => {
    const form = () => formOf({ teamId, name: 'plan', file: 'x' })
    expect(await codeOf(ana.files.send(form(), { 'x-xsrf-token': '' }))).toBe('forged-request')
    expect(await codeOf(ana.files.send(form(), { origin: 'https://evil.example' }))).toBe(
      'forged-request',
    )
    expect(await team.names()).toEqual([])
  })
})

describe('a logo and photos', () => {
  test('any member sets the team’s logo', async () => {
    await ana.files.upload({ teamId, name: 'logo', bytes: pictures.png })
    await leo.files.upload({ teamId, name: 'logo', bytes: pictures.jpeg })
    await ana.call.files.delete({ teamId, name: 'logo' })
    expect(await team.names()).toEqual([])
  })

  test('a photo is seen by the team, and changed by its own member alone', async () => {
    const name = memberPhotoName(leo.id)
    await expect(ana.files.upload({ teamId, name, bytes: pictures.png })).rejects.toMatchObject({
      code: 'not-yours',
    })
    await leo.files.upload({ teamId, name, bytes: pictures.jpeg })
    expect((await ana.files.get({ teamId, name })).headers.get('content-type')).toBe('image/jpeg')
    for (const each of [name, `member-${leo.id.toUpperCase()}`]) {
      await expect(
        ana.files.upload({ teamId, name: each, bytes: pictures.png }),
      ).rejects.toMatchObject({ code: 'not-yours' })
      await expect(ana.call.files.delete({ teamId, name: each })).rejects.toMatchObject({
        code: 'not-yours',
      })
    }
    expect(await leo.call.files.list({ teamId })).toMatchObject([{ contentType: 'image/jpeg' }])
    await leo.call.files.delete({ teamId, name })
    expect(await team.names()).toEqual([])
  })

  test('are pictures, or refused', async () => {
    for (const name of ['logo', memberPhotoName(ana.id)]) {
      await expect(team.upload(name, '<svg/>')).rejects.toMatchObject({ code: 'unsupported-type' })
    }
    expect(await team.names()).toEqual([])
  })

  test('a member who leaves takes their photo along', async () => {
    await leo.files.upload({ teamId, name: memberPhotoName(leo.id), bytes: pictures.png })
    await leo.files.upload({ teamId, name: 'plan', bytes: 'stays' })
    await leo.call.teams.leave({ teamId })
    expect(await team.names()).toEqual(['plan'])
    await team.upload('other')
    expect(await team.blobs()).toHaveLength(2)
  })
})

test('both calls are in the OpenAPI document', async () => {
  const document = await (await fetch(`${app.url}/api/openapi.json`)).json()
  const { requestBody } = document.paths['/api/files.upload'].post
  expect(requestBody.content['multipart/form-data'].schema).toMatchObject({
    required: expect.arrayContaining(['teamId', 'name']),
    properties: { file: { type: 'string', format: 'binary' } },
  })
  expect(document.paths['/api/files.get'].get.operationId).toBe('files.get')
})

function sha(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
