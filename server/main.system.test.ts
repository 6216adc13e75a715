import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { testDataDir } from '#testing/database.ts'

const source = (name: string) => fileURLToPath(new URL(name, import.meta.url))

test('a server whose database thread ends stops with an error', async () => {
  await using directory = await testDataDir()
  const server = fork(source('main.ts'), {
    execArgv: ['--import', 'tsx', '--import', source('../testing/endableThread.ts')],
    env: {
      ...process.env,
      PORT: '0',
      DATA_DIR: directory.dataDir,
      DATABASE_URL: '',
      LOG_LEVEL: 'fatal',
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  let output = ''
  server.stdout?.on('data', text => {
    output += String(text)
  })
  await once(server, 'message')
  server.send('end-thread')
  expect(await once(server, 'exit')).toEqual([1, null])
  expect(output).toContain('database failed, stopping the server')
})
