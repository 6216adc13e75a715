import { createHash, randomBytes } from 'node:crypto'
import { describe, expect } from 'vitest'
import { maxFileBytes, memberPhotoName } from '#contract/shared/fileRules.ts'
import { formOf } from '#testing/files/files.ts'
import { codeOf, test } from '#testing/files/filesScene.ts'
import { pictures } from '#testing/files/pictures.ts'

describe('a team’s files', () => {
  test('one member stores a file, another lists and reads it', async ({ leo, team, teamId }) => {
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

  test('a team has the upload times of its logo and the member’s own photo', async ({
    ana,
    leo,
    team,
    teamId,
  }) => {
    const shown = async (person: typeof ana) => {
      const listed = (await person.call.teams.list()).find(({ id }) => id === teamId)
      expect(await person.call.teams.get({ teamId })).toEqual(listed)
      return { logo: listed?.logoUpdatedAt, photo: listed?.photoUpdatedAt }
    }
    expect(await shown(ana)).toEqual({ logo: null, photo: null })
    const logo = await team.upload('logo', pictures.png)
    const photo = await team.upload(memberPhotoName(ana.id), pictures.jpeg)
    expect(await shown(ana)).toEqual({ logo: logo.updatedAt, photo: photo.updatedAt })
    expect(await shown(leo)).toEqual({ logo: logo.updatedAt, photo: null })
    // Ids are case-insensitive: still one row for the team.
    await team.upload(memberPhotoName(ana.id.toUpperCase()), pictures.jpeg)
    expect(await shown(ana)).toEqual({ logo: logo.updatedAt, photo: photo.updatedAt })
    await ana.call.files.delete({ teamId, name: 'logo' })
    expect(await shown(leo)).toEqual({ logo: null, photo: null })
  })

  // spec: CO-7
  test('are listed by name ascending, a hundred from the first, by default', async ({ team }) => {
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

  test('are replaced completely, and the old one leaves the store', async ({
    ana,
    team,
    teamId,
  }) => {
    await team.upload('plan', 'old')
    const old = await team.blobs()
    await team.upload('plan', 'newer')
    expect(await (await ana.files.get({ teamId, name: 'plan' })).text()).toBe('newer')
    expect(await ana.call.files.list({ teamId })).toMatchObject([{ name: 'plan', sizeBytes: 5 }])
    expect(await team.blobs()).toHaveLength(1)
    expect(await team.blobs()).not.toEqual(old)
  })

  test('are gone once deleted, from the list and from the store', async ({
    ana,
    leo,
    team,
    teamId,
  }) => {
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

  test('keep names of any language, normalised to composed characters', async ({
    ana,
    team,
    teamId,
  }) => {
    await team.upload('Zeitplan für Réné 東京.txt'.normalize('NFD'))
    expect(await team.names()).toEqual(['Zeitplan für Réné 東京.txt'])
    const response = await ana.files.get({ teamId, name: 'Zeitplan für Réné 東京.txt' })
    expect(response.headers.get('content-disposition')).toBe(
      'attachment; filename="Zeitplan f_r R_n_ __.txt"; ' +
        "filename*=UTF-8''Zeitplan%20f%C3%BCr%20R%C3%A9n%C3%A9%20%E6%9D%B1%E4%BA%AC.txt",
    )
  })

  test('may have names of 120 letters in any language', async ({ ana, team, teamId }) => {
    const name = '東'.repeat(120)
    await team.upload(name, 'far')
    expect(await (await ana.files.get({ teamId, name })).text()).toBe('far')
  })

  test('of five megabytes are returned unchanged', async ({ ana, team, teamId }) => {
    const bytes = randomBytes(maxFileBytes)
    await team.upload('telemetry.bin', bytes)
    const response = await ana.files.get({ teamId, name: 'telemetry.bin' })
    expect(response.headers.get('content-length')).toBe(String(maxFileBytes))
    expect(sha(Buffer.from(await response.arrayBuffer()))).toBe(sha(bytes))
  })

  test('uploaded concurrently under one name leave one file and one blob', async ({
    ana,
    leo,
    team,
    teamId,
  }) => {
    await Promise.all(
      // One person may upload at most two at once.
      [ana, ana, leo, leo].map(({ files }, n) =>
        files.upload({ teamId, name: 'plan', bytes: `plan ${n}` }),
      ),
    )
    expect(await team.names()).toEqual(['plan'])
    expect(await team.blobs()).toHaveLength(1)
    expect(await (await ana.files.get({ teamId, name: 'plan' })).text()).toMatch(/^plan \d$/)
  })

  test('are accepted in a form with its parts in any order', async ({ ana, team, teamId }) => {
    const response = await ana.files.send(formOf({ file: 'first', name: 'plan', teamId }))
    expect(response.status).toBe(200)
    expect(await team.names()).toEqual(['plan'])
  })
})

test('both calls are in the OpenAPI document', async ({ app }) => {
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
