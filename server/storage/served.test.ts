import sharp from 'sharp'
import { describe, expect } from 'vitest'
import { fileUrl } from '#contract/shared/fileRules.ts'
import { test } from '#testing/files/filesScene.ts'
import { exifOf, jpegWith, pictures } from '#testing/files/pictures.ts'

describe('serving files', () => {
  // spec: CO-8
  test('a picture is served with its real type, whatever the sender claimed', async ({
    ana,
    team,
    teamId,
  }) => {
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
    const { format, width, height } = await sharp(await response.arrayBuffer()).metadata()
    expect({ format, width, height }).toEqual({ format: 'png', width: 3, height: 2 })
  })

  test.for([
    ['page.html', '<!doctype html><script>alert(1)</script>'],
    ['drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ['script.js', 'alert(1)'],
    ['moving.gif', 'GIF89a'],
    ['paper.pdf', '%PDF-1.7'],
  ] as const)('%s is only ever downloaded', async ([name, bytes], { ana, team, teamId }) => {
    await team.upload(name, bytes)
    const { headers } = await ana.files.get({ teamId, name })
    expect(headers.get('content-type')).toBe('application/octet-stream')
    expect(headers.get('content-disposition')).toMatch(/^attachment;/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toBe("sandbox; default-src 'none'")
  })

  test('a photo does not reveal where it was taken', async ({ ana, team, teamId }) => {
    const place = '50.4372N 5.9714E'
    await team.upload('pits.jpg', jpegWith([0xe1, exifOf({ place, orientation: 1 })]))
    const response = await ana.files.get({ teamId, name: 'pits.jpg' })
    expect(await response.text()).not.toContain(place)
  })

  test('an unchanged file is not sent again, a changed one is', async ({ ana, team, teamId }) => {
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

  test('a newer upload has another URL', async ({ app, ana, team, teamId }) => {
    const stored = await team.upload('Car 7.png', pictures.png)
    const response = await fetch(`${app.url}${fileUrl({ teamId, ...stored })}`, {
      headers: { cookie: ana.jar.header },
    })
    expect(response.status).toBe(200)
    expect(fileUrl({ teamId, ...stored })).toContain(`name=Car%207.png&updatedAt=`)
  })
})
