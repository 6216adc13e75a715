import { expect, test } from 'vitest'
import { createLog } from './log.ts'
import { tryEach } from './tryEach.ts'

test('each of several failures is logged, without the values of its statement', async () => {
  const lines: string[] = []
  const log = createLog('warn', { write: line => lines.push(line) })
  const done: string[] = []
  const work = async (name: string) => {
    if (name === 'b') throw Object.assign(new Error('refused'), { code: '22003', detail: 'secret' })
    done.push(name)
  }
  await tryEach(['a', 'b', 'c'], work).catch((err: unknown) => log.warn({ err }, 'failed'))
  expect(done).toEqual(['a', 'c'])
  expect(JSON.parse(lines[0]!).err).toMatchObject({
    name: 'AggregateError',
    errors: [{ message: 'refused', code: '22003' }],
  })
  expect(lines[0]).not.toContain('secret')
})
