import { describe, expect } from 'vitest'
import { formOf } from '#testing/files/files.ts'
import { codeOf, test } from '#testing/files/filesScene.ts'
import { patience } from '#testing/patience.ts'
import { callLimits } from '../http/callLimits.ts'

describe('a team’s quota', () => {
  test('is 200 files: one more is refused, a replacement is not', async ({ ana, team, teamId }) => {
    await team.insertRows(199, 1)
    await team.upload('the last')
    await expect(team.upload('one more')).rejects.toMatchObject({
      code: 'too-large',
      message: 'This team has 200 files. Delete one first.',
    })
    await team.upload('the last', 'again')
    await ana.call.files.delete({ teamId, name: 'file-0000' })
    await team.upload('one more')
    expect(await team.names({ limit: 1000 })).toHaveLength(200)
  })

  test('is 100 MB, also for concurrent uploads', async ({ ana, leo, team, teamId }) => {
    await team.insertRows(1, 100 * 2 ** 20 - 2500)
    const outcomes = await Promise.allSettled(
      // One person may upload at most two at once.
      [ana, ana, leo, leo].map(({ files }, n) =>
        files.upload({ teamId, name: `part-${n}`, bytes: Buffer.alloc(1000) }),
      ),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    const reasons = outcomes.flatMap(each => (each.status === 'rejected' ? [each.reason.code] : []))
    expect(reasons).toEqual(['too-large', 'too-large'])
    expect(await team.names()).toHaveLength(3)
    expect(await team.blobs()).toHaveLength(2)
    await team.upload('file-0000', 'smaller')
  })

  test('uploads are limited per person and hour', { timeout: 60_000 * patience }, async ({
    ana,
    leo,
    teamId,
  }) => {
    const form = () => formOf({ teamId, name: 'plan', file: 'x' })
    const maxUploads = callLimits.rare.limit
    const codes: (string | undefined)[] = []
    for (let n = 0; n < maxUploads + 5; n++) codes.push(await codeOf(ana.files.send(form())))
    expect(codes).toEqual([
      ...Array.from({ length: maxUploads }, () => undefined),
      ...Array.from({ length: 5 }, () => 'too-many'),
    ])
    const response = await ana.files.send(form())
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    await leo.files.upload({ teamId, name: 'plan', bytes: 'x' })
  })
})
