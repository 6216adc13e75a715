import { describe, expect } from 'vitest'
import { memberPhotoName } from '#contract/shared/fileRules.ts'
import { fileClient, formOf } from '#testing/files/files.ts'
import { codeOf, test } from '#testing/files/filesScene.ts'
import { pictures } from '#testing/files/pictures.ts'

describe('access to files', () => {
  test('files need a login', async ({ app, team, teamId }) => {
    await team.upload('plan')
    const nobody = fileClient(app.url)
    expect(await codeOf(nobody.get({ teamId, name: 'plan' }))).toBe('not-signed-in')
    expect(await codeOf(nobody.send(formOf({ teamId, name: 'x', file: 'x' })))).toBe(
      'not-signed-in',
    )
    expect(await team.names()).toEqual(['plan'])
  })

  test('a stranger has no access, and cannot detect whether a file exists', async ({
    ana,
    eve,
    team,
    teamId,
  }) => {
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

  test('a file of one team is not in another', async ({ ana, team }) => {
    await team.upload('plan')
    const other = await ana.call.teams.create({ name: 'Day Owls' })
    expect(await codeOf(ana.files.get({ teamId: other.id, name: 'plan' }))).toBe('not-found')
  })

  test('a cross-site upload is refused', async ({ ana, team, teamId }) => {
    const form = () => formOf({ teamId, name: 'plan', file: 'x' })
    expect(await codeOf(ana.files.send(form(), { 'x-xsrf-token': '' }))).toBe('forged-request')
    expect(await codeOf(ana.files.send(form(), { origin: 'https://evil.example' }))).toBe(
      'forged-request',
    )
    expect(await team.names()).toEqual([])
  })
})

describe('logos and photos', () => {
  test('any member sets the team’s logo', async ({ ana, leo, team, teamId }) => {
    await ana.files.upload({ teamId, name: 'logo', bytes: pictures.png })
    await leo.files.upload({ teamId, name: 'logo', bytes: pictures.jpeg })
    await ana.call.files.delete({ teamId, name: 'logo' })
    expect(await team.names()).toEqual([])
  })

  test('the team sees a photo, and only its own member changes it', async ({
    ana,
    leo,
    team,
    teamId,
  }) => {
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

  test('must be pictures', async ({ ana, team }) => {
    for (const name of ['logo', memberPhotoName(ana.id)]) {
      await expect(team.upload(name, '<svg/>')).rejects.toMatchObject({ code: 'unsupported-type' })
    }
    expect(await team.names()).toEqual([])
  })

  test('the photo of a member who leaves is deleted', async ({ leo, team, teamId }) => {
    await leo.files.upload({ teamId, name: memberPhotoName(leo.id), bytes: pictures.png })
    await leo.files.upload({ teamId, name: 'plan', bytes: 'stays' })
    await leo.call.teams.leave({ teamId })
    expect(await team.names()).toEqual(['plan'])
    await team.upload('other')
    expect(await team.blobs()).toHaveLength(2)
  })
})
