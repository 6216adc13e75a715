import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testDataDir } from '#testing/database/database.ts'
import { quickStart } from '#testing/quickStart.ts'

const program = join(import.meta.dirname, '../../dist/server/main.js')
const endableThread = new URL('../../testing/database/endableThread.mjs', import.meta.url)

async function startServer(dataDir: string) {
  const server = fork(program, {
    execArgv: [...quickStart, '--import', endableThread.href],
    env: {
      ...process.env,
      PORT: '0',
      DATA_DIR: dataDir,
      DATABASE_URL: '',
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  let output = ''
  server.stdout?.on('data', text => {
    output += String(text)
  })
  await once(server, 'message')
  return { server, output: () => output }
}

test('a server whose database thread ends stops with an error', async () => {
  await using directory = await testDataDir()
  const { server, output } = await startServer(directory.dataDir)
  server.send('end-thread')
  expect(await once(server, 'exit')).toEqual([1, null])
  expect(output()).toContain('database failed, stopping the server')
})

test('a server whose database hangs is stopped all the same', async () => {
  await using directory = await testDataDir()
  const { server, output } = await startServer(directory.dataDir)
  server.send('hang-thread')
  await once(server, 'message')
  server.kill('SIGTERM')
  expect(await once(server, 'exit')).toEqual([1, null])
  expect(output()).toContain('graceful shutdown timed out')
})
