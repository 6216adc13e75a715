import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { programArguments } from '#testing/bundleThreads.ts'
import { ArgumentRefused, readArguments } from './arguments.ts'

const id = '11111111-1111-4111-8111-111111111111'
const team = '22222222-2222-4222-8222-222222222222'
const who = ['--email', 'leo@example.com']

test('a session and an email address are sufficient', () => {
  expect(readArguments(['--session', id, ...who])).toEqual({
    url: 'http://localhost:3000',
    sessionId: id,
    lap: 'spa',
    speed: 1,
    hz: 1,
    login: { email: 'leo@example.com' },
  })
})

test.each(['drive', 'message'])('a link to the %s screen names server and session', screen => {
  const link = `https://pit.example.com/teams/${team}/${id}/${screen}?from=mail`
  const read = readArguments(['--session', link, ...who])
  expect(read).toMatchObject({ url: 'https://pit.example.com', sessionId: id })
})

test('--url overrides the link and is reduced to the origin', () => {
  const link = `https://pit.example.com/teams/${team}/${id}/drive`
  const read = readArguments(['--session', link, '--url', 'http://127.0.0.1:4000/teams', ...who])
  expect(read.url).toBe('http://127.0.0.1:4000')
})

test('every option is read', () => {
  const words = '--lap lap.csv --speed 10 --hz 0.5 --token abc'.split(' ')
  expect(readArguments(['--session', id, ...words])).toMatchObject({
    lap: 'lap.csv',
    speed: 10,
    hz: 0.5,
    login: { token: 'abc' },
  })
})

test('the token may come from the environment, which hides it from other users', () => {
  const read = readArguments(['--session', id], { PITBOARD_TOKEN: 'abc' })
  expect(read.login).toEqual({ token: 'abc' })
})

test.each([
  [[...who], '--session is missing'],
  [['--session', 'tomorrow', ...who], '--session tomorrow is neither'],
  [['--session', `http://localhost:3000/teams/${team}`, ...who], 'is neither'],
  [['--session', `http://localhost:3000/teams/${team}/1/drive`, ...who], 'is neither'],
  [['--session', id], '--email (or --token) is missing'],
  [['--session', id, '--email', 'leo'], '--email leo is not an email address'],
  [['--session', id, ...who, '--url', 'localhost:3000'], '--url localhost:3000 is not an address'],
  [['--session', id, ...who, '--speed', '0'], '--speed 0 is not a number from 0.1 to 100'],
  [['--session', id, ...who, '--speed', 'fast'], '--speed fast is not a number'],
  [['--session', id, ...who, '--speed='], '--speed  is not a number'],
  [['--session', id, ...who, '--hz', '11'], '--hz 11 is not a number from 0.25 to 10'],
  [['--session', id, ...who, '--sped', '3'], '--sped'],
  [['--session', id, ...who, 'more'], 'more'],
  [['--session'], '--session'],
])('%j is refused by name', (words, sentence) => {
  expect(() => readArguments(words)).toThrow(ArgumentRefused)
  expect(() => readArguments(words)).toThrow(sentence)
})

const run = promisify(execFile)
const sim = async (...words: string[]) =>
  run(process.execPath, [...(await programArguments('sim/main.ts')), ...words])

test('wrong arguments exit with code 2 and the usage', async () => {
  await expect(sim('--session', id, ...who, '--lap', 'nowhere.csv')).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^--lap nowhere\.csv is neither a circuit .*\n\nnpm run sim/),
  })
})

test('an unreachable server exits with code 1 and a sentence', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await new Promise(resolve => server.close(resolve))
  await expect(sim('--session', id, ...who, '--url', url)).rejects.toMatchObject({
    code: 1,
    stderr: `${url} does not respond.\n`,
  })
})
